'use client';

import { useProjectPath } from '@/components/projects/use-projects';
import { CopyableId, shortId } from '@/components/ui/copyable-id';
import { TextLink } from '@/components/ui/link';
import type { SentEvent } from '@/lib/events/schema';
import type { ApiKey } from '@/lib/keys/schema';

interface SenderProps {
  event: Pick<SentEvent, 'apiKeyId' | 'clientAddress' | 'idempotencyKey'>;
  keyOf: (keyId: string) => ApiKey | undefined;
}

/** With which key, from which address and with which Idempotency-Key an event was sent. */
export function Sender({ event, keyOf }: SenderProps) {
  const { apiKeyId, clientAddress, idempotencyKey } = event;
  return (
    <>
      {apiKeyId === null ? null : <SenderKey keyId={apiKeyId} apiKey={keyOf(apiKeyId)} />}
      {clientAddress === null ? (
        apiKeyId === null ? null : (
          <span>
            from a <Browser />
          </span>
        )
      ) : (
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

/** Is shown for the address of an event that a browser sent. */
export function Browser() {
  return (
    <span title="A browser, such as with this dashboard. Its address is not kept." className="text-muted">
      browser
    </span>
  );
}

function SenderKey({ keyId, apiKey }: { keyId: string; apiKey: ApiKey | undefined }) {
  const path = useProjectPath('keys');
  return (
    <span>
      Sent with{' '}
      <TextLink href={`${path}/${keyId}`} title={apiKey?.hint}>
        {apiKey?.name ?? `key ${shortId(keyId)}`}
      </TextLink>
    </span>
  );
}
