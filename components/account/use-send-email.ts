'use client';

import { useState } from 'react';
import { useCoolDown } from '@/components/auth/use-cool-down';
import { useAsyncAction } from '@/components/form/use-async-action';

/** Requests an email through `request`, and holds whether it was sent, failed, or has to wait. */
export function useSendEmail(request: () => Promise<unknown>) {
  const coolDown = useCoolDown();
  const [sent, setSent] = useState(false);
  const { pending, error, run } = useAsyncAction();
  const send = async () => {
    setSent(false);
    await run(async () => {
      try {
        await request();
        setSent(true);
      } catch (thrown) {
        if (!coolDown.handleRefusal(thrown)) throw thrown;
      }
    });
  };
  return { send: () => void send(), pending, sent, error, coolDown };
}

export type EmailRequest = ReturnType<typeof useSendEmail>;
