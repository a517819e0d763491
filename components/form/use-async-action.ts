'use client';

import { useState } from 'react';
import { describeError } from '@/components/auth-session/api-error';
import { toast } from '@/components/ui/toast';

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

/** Runs an action and holds whether it is pending. A toast says why it failed: "We couldn’t replay the request. …" */
export function useToastAction(failure: string) {
  const { pending, run } = useAsyncAction();
  const runAndTell = (action: () => Promise<unknown>) =>
    void run(() => action().catch((error: unknown) => toast.error(`${failure}. ${describeError(error).detail}`)));
  return { pending, run: runAndTell };
}
