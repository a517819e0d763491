'use client';

import { useKeyNames } from '@/components/keys/use-keys';
import { useProjectPath } from '@/components/projects/use-projects';
import { CopyableId, shortId } from '@/components/ui/copyable-id';
import { TextLink } from '@/components/ui/link';
import type { SentEvent } from '@/lib/events/schema';

/** With which key, from which address and with which Idempotency-Key an event was sent. */
export function Sender({ event }: { event: Pick<SentEvent, 'apiKeyId' | 'clientAddress' | 'idempotencyKey'> }) {
  const { apiKeyId, clientAddress, idempotencyKey } = event;
  return (
    <>
      {apiKeyId === null ? null : <SenderKey keyId={apiKeyId} />}
      {clientAddress === null ? null : (
        <span className="flex min-w-0 items-center gap-1">
          from <CopyableId id={clientAddress} label="Copy the sender’s address" />
        </span>
      )}
      {idempotencyKey === null ? null : (
        <span className="flex min-w-0 max-w-full items-center gap-1">
          <span className="whitespace-nowrap">Idempotency key</span>{' '}
          <CopyableId id={idempotencyKey} label="Copy the idempotency key" />
        </span>
      )}
    </>
  );
}

function SenderKey({ keyId }: { keyId: string }) {
  const path = useProjectPath('events');
  const key = useKeyNames().find(keyId);
  return (
    <span>
      Sent with{' '}
      <TextLink href={`${path}?apiKeyId=${keyId}`} title={key?.hint}>
        {key === undefined ? `key ${shortId(keyId)}` : key.name}
      </TextLink>
    </span>
  );
}
