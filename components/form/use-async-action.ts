'use client';

import { useState } from 'react';

/** Runs an action and holds whether it is pending and what it threw last. */
export function useAsyncAction() {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  /** Resolves when the action has ended, also when it failed. */
  const run = async (action: () => unknown): Promise<void> => {
    setPending(true);
    setError(undefined);
    try {
      await action();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return { pending, error, run };
}
