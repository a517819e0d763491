'use client';

import { Callout } from '@/components/ui/callout';
import type { ApiKey } from '@/lib/keys/schema';
import { NewKeyDialog } from './new-key-dialog';
import { RotateKeyForm } from './rotate-key-form';
import { formatEnd } from './rotation-end';
import type { useKeys } from './use-keys';

/** Replaces a key, and reveals the replacement once. */
export function RotateKeyDialog({
  projectId,
  apiKey,
  onClose,
  rotate,
}: {
  projectId: string;
  /** The key to rotate, as the list has it at present; null: closed. */
  apiKey: ApiKey | null;
  onClose: () => void;
  rotate: ReturnType<typeof useKeys>['rotate'];
}) {
  return (
    <NewKeyDialog
      projectId={projectId}
      open={apiKey !== null}
      onClose={onClose}
      title={`Rotate “${apiKey?.name ?? ''}”`}
      description="A new key of the same name and scope takes its place. A key can be rotated once."
      note={apiKey === null ? null : <OldKeyNote apiKey={apiKey} />}
      form={(reveal) =>
        apiKey === null ? null : (
          <RotateKeyForm apiKey={apiKey} send={(body) => reveal(() => rotate(apiKey.id, body))} />
        )
      }
    />
  );
}

/** What has become of the old key, by what the API now says of it. */
function OldKeyNote({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.replacedById === null || apiKey.expiresAt === null) return null;
  const now = new Date();
  const ends = new Date(apiKey.expiresAt);
  return (
    <Callout tone="accent" className="mb-4">
      The old key <code className="font-mono text-xs">{apiKey.hint}</code>{' '}
      {ends <= now ? 'is refused from now on.' : `stops ${formatEnd(ends, now)}. Until then both work.`}
    </Callout>
  );
}
