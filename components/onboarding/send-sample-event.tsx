'use client';

import { Send } from 'lucide-react';
import { sendRequest } from '@/components/auth-session/request';
import { useAsyncAction } from '@/components/form/use-async-action';
import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';

/** Sends the sample event with the new API key instead of the session, as a server does. */
export function SendSampleEvent({ plaintext, onSent }: { plaintext: string; onSent: () => void }) {
  const { pending, error, run } = useAsyncAction();
  const send = () =>
    run(async () => {
      await sendRequest('/events', {
        method: 'POST',
        headers: { 'X-API-Key': plaintext },
        body: { type: 'order.paid', data: { orderId: 'ord_1042', amount: 129 } },
      });
      onSent();
    });
  return (
    <div>
      <Button loading={pending} onClick={() => void send()}>
        <Send aria-hidden="true" />
        Send it from here
      </Button>
      <InlineError what="The event could not be sent" error={error} className="mt-3" />
    </div>
  );
}
