'use client';

import { useCallback, useMemo, useState } from 'react';
import { SWRConfig } from 'swr';
import { shouldRetry } from '@/components/auth-session/api-error';
import type { RequestOptions } from '@/components/auth-session/request';
import { type Operator, OperatorContext } from './operator-context';
import { OperatorLayout } from './operator-layout';
import { OperatorTabs } from './operator-tabs';
import { isWrongToken, sendAsOperator } from './send-as-operator';
import { TokenForm } from './token-form';

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
        <OperatorLayout onForget={() => forget(false)}>
          <OperatorTabs />
        </OperatorLayout>
      </OperatorContext>
    </SWRConfig>
  );
}
