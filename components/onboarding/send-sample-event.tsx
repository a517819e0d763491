'use client';

import { Send } from 'lucide-react';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { sendRequest } from '@/components/auth-session/request';
import { useAsyncAction } from '@/components/form/use-async-action';
import { keysPath } from '@/components/keys/use-keys';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Button } from '@/components/ui/button';
import { InlineError } from '@/components/ui/inline-error';
import type { NewApiKey } from '@/lib/keys/schema';

interface KeyProps {
  projectId: string;
  /** The key that was made on this page; null when there is none. */
  plaintext: string | null;
  onKeyMade: (plaintext: string) => void;
}

async function makeKey(projectId: string): Promise<string> {
  const body = { name: 'First key', scope: 'READ_WRITE' };
  return (await apiFetch<NewApiKey>(keysPath(projectId), { method: 'POST', body })).key;
}

/** Sends a sample event with an API key, as a server does. Makes the key when the page has none. */
export function SendSampleEvent({
  projectId,
  plaintext,
  onKeyMade,
  type,
  onSent,
}: KeyProps & {
  type: string;
  onSent: () => void;
}) {
  const disabledReason = useDisabledReason(projectId, 'api_key.manage');
  const { pending, error, run } = useAsyncAction();
  const send = () =>
    run(async () => {
      const key = plaintext ?? (await makeKey(projectId));
      onKeyMade(key);
      await sendRequest('/events', {
        method: 'POST',
        headers: { 'X-API-Key': key },
        body: { type, data: { orderId: 'ord_1042', amount: 129 } },
      });
      onSent();
    });
  return (
    <div>
      <Button
        variant="primary"
        loading={pending}
        disabledReason={plaintext === null ? disabledReason : undefined}
        onClick={() => void send()}
      >
        <Send aria-hidden="true" />
        Send a sample event
      </Button>
      <InlineError what="We couldn’t send the event" error={error} className="mt-3" />
    </div>
  );
}

/** Makes a key for the commands. */
export function MakeKeyButton({ projectId, onKeyMade }: Omit<KeyProps, 'plaintext'>) {
  const disabledReason = useDisabledReason(projectId, 'api_key.manage');
  const { pending, error, run } = useAsyncAction();
  return (
    <div>
      <Button
        size="sm"
        loading={pending}
        disabledReason={disabledReason}
        onClick={() => void run(async () => onKeyMade(await makeKey(projectId)))}
      >
        Create an API key
      </Button>
      <InlineError what="We couldn’t create the key" error={error} className="mt-3" />
    </div>
  );
}
