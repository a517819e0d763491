'use client';

import { useCallback, useMemo, useState } from 'react';
import { SWRConfig } from 'swr';
import type { RequestOptions } from '@/components/auth-session/request';
import { shouldRetry } from '@/components/auth-session/swr-fetcher';
import { type Operator, OperatorContext } from './operator-context';
import { OperatorLayout } from './operator-layout';
import { OperatorTabs } from './operator-tabs';
import { isWrongToken, sendAsOperator } from './send-as-operator';
import { TokenForm } from './token-form';

/**
 * The operator's page. It needs no session of a person. The token lives in this component's memory and nowhere else: no
 * storage, cookie or address holds it, and a reload forgets it, with all that was read by it.
 */
export function OperatorPage() {
  const [token, setToken] = useState<string | null>(null);
  const [wasRefused, setRefused] = useState(false);
  const forget = useCallback((refused: boolean) => {
    setToken(null);
    setRefused(refused);
  }, []);
  if (token === null) return <TokenForm wasRefused={wasRefused} onToken={setToken} />;
  return <Desk key={token} token={token} forget={forget} />;
}

function Desk({ token, forget }: { token: string; forget: (refused: boolean) => void }) {
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
        // Of its own, so that nothing that was read outlives the token; and each reading is recorded, so none is idle.
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
