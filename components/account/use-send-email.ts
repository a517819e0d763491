'use client';

import { useState } from 'react';
import { useCoolDown } from '@/components/auth/use-cool-down';

/** Asks for a mail: pending, sent, to be waited for, or failed. */
export function useSendEmail(ask: () => Promise<unknown>) {
  const { coolDown, handleRefusal, end } = useCoolDown();
  const [state, setState] = useState<'idle' | 'pending' | 'sent'>('idle');
  const [error, setError] = useState<unknown>(undefined);
  const send = async () => {
    setState('pending');
    setError(undefined);
    try {
      await ask();
      setState('sent');
    } catch (thrown) {
      setState('idle');
      if (!handleRefusal(thrown)) setError(thrown);
    }
  };
  return {
    send: () => void send(),
    pending: state === 'pending',
    sent: state === 'sent',
    error,
    coolDown,
    endCoolDown: end,
    /** Why not now; for `disabledReason`. */
    waitReason: coolDown === null ? undefined : 'Wait until the time has passed',
  };
}
