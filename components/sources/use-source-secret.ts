'use client';

import { useState } from 'react';
import { useAsyncAction } from '@/components/form/use-async-action';
import type { SourceActions } from './use-sources';

/**
 * Holds the signing secret of a source once it is shown. The page shows it in several places and loads it once, since each
 * reveal is recorded in the audit log.
 */
export function useSourceSecret(actions: Pick<SourceActions, 'revealSecret' | 'rotateSecret'>) {
  const [loaded, setLoaded] = useState<string | null>(null);
  const [isShown, setShown] = useState(false);
  const { pending, error, run } = useAsyncAction();
  return {
    /** The secret while it is shown; else null. */
    shown: isShown ? loaded : null,
    pending,
    error,
    show: () =>
      run(async () => {
        setLoaded(loaded ?? (await actions.revealSecret()).secret);
        setShown(true);
      }),
    hide: () => setShown(false),
    /** Replaces the secret with the given one, or with a generated one, which is then shown. */
    rotate: async (given?: string) => {
      const { secret } = await actions.rotateSecret(given);
      setLoaded(secret);
      setShown(given === undefined);
    },
  };
}

export type SourceSecretState = ReturnType<typeof useSourceSecret>;
