'use client';

import { LogOut } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { SWRConfig } from 'swr';
import { shouldRetry } from '@/components/auth-session/api-error';
import type { RequestOptions } from '@/components/auth-session/request';
import { LogoMark, PRODUCT_NAME } from '@/components/shell/logo';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { PageTabs } from '@/components/ui/tabs';
import { AuditPanel } from './audit-panel';
import { isWrongToken, type Operator, OperatorContext, sendAsOperator } from './operator-context';
import { OrganizationsPanel } from './organizations-panel';
import { RetentionPanel } from './retention-panel';
import { StatsPanel } from './stats-panel';
import { TokenForm } from './token-form';
import { UsersPanel } from './users-panel';

const SECTIONS = [
  { value: 'stats', label: 'Statistics', content: <StatsPanel /> },
  { value: 'users', label: 'Users', content: <UsersPanel /> },
  { value: 'organizations', label: 'Organizations', content: <OrganizationsPanel /> },
  { value: 'audit', label: 'Audit log', content: <AuditPanel /> },
  { value: 'retention', label: 'Retention', content: <RetentionPanel /> },
];

/**
 * The operator page. It needs no session. The token is only in this component's memory: no storage, cookie or URL holds
 * it, and a reload forgets it together with all loaded data.
 */
export function OperatorPage() {
  const [token, setToken] = useState<string | null>(null);
  const [wasRefused, setRefused] = useState(false);
  const forget = useCallback((refused: boolean) => {
    setToken(null);
    setRefused(refused);
  }, []);
  if (token === null) return <TokenForm wasRefused={wasRefused} onToken={setToken} />;
  return <SignedInOperator key={token} token={token} forget={forget} />;
}

function SignedInOperator({ token, forget }: { token: string; forget: (refused: boolean) => void }) {
  const operator = useMemo<Operator>(
    () => ({
      send: async (path: string, options?: RequestOptions) => {
        try {
          return await sendAsOperator(token, path, options);
        } catch (error) {
          if (isWrongToken(error)) forget(true);
          throw error;
        }
      },
    }),
    [token, forget],
  );
  return (
    <SWRConfig
      value={{
        // A separate cache, so that no data outlives the token. No automatic reloads, since each read is audited.
        provider: () => new Map(),
        fetcher: operator.send,
        revalidateOnFocus: false,
        revalidateOnReconnect: false,
        shouldRetryOnError: shouldRetry,
        errorRetryCount: 2,
        errorRetryInterval: 2000,
        dedupingInterval: 200,
      }}
    >
      <OperatorContext value={operator}>
        <div className="min-h-dvh">
          <OperatorHeader onForget={() => forget(false)} />
          <main className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-6">
            <OperatorTabs />
          </main>
        </div>
      </OperatorContext>
    </SWRConfig>
  );
}

/** Reminds the operator that actions affect the entire deployment. */
function OperatorHeader({ onForget }: { onForget: () => void }) {
  return (
    <header className="sticky top-0 z-20 border-b bg-background/90 backdrop-blur-sm">
      <div className="mx-auto flex min-h-13 w-full max-w-6xl flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 sm:px-6">
        <Link href="/" prefetch={false} className="flex items-center gap-2 rounded-md font-semibold text-sm">
          <LogoMark className="size-5" />
          {PRODUCT_NAME}
        </Link>
        <span className="text-muted text-sm max-sm:hidden">Operator access to the entire deployment</span>
        <Button size="sm" className="ml-auto" onClick={onForget}>
          <LogOut aria-hidden="true" />
          Remove token
        </Button>
      </div>
    </header>
  );
}

/** The tabs of the operator page. The open tab is not in the URL, since searches contain personal data. */
function OperatorTabs() {
  const [tab, setTab] = useState('stats');
  return (
    <>
      <PageHeader title="Operator" description="All organizations and users of this deployment." />
      <PageTabs label="Operator sections" tabs={SECTIONS} value={tab} onChange={setTab} />
    </>
  );
}
