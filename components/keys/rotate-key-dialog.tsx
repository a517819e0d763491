'use client';

import { Callout } from '@/components/ui/callout';
import type { ApiKey } from '@/lib/keys/schema';
import { NewKeyDialog } from './new-key-dialog';
import { RotateKeyForm } from './rotate-key-form';
import { formatEnd } from './rotation-end';
import type { useKeys } from './use-keys';

/** Replaces a key, and shows the replacement once. */
export function RotateKeyDialog({
  projectId,
  apiKey,
  onClose,
  rotate,
}: {
  projectId: string;
  /** The key to rotate; null while closed. */
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
      description="Creates a new key with the same name and scope. Each key can be rotated only once."
      note={apiKey === null ? null : <OldKeyNote apiKey={apiKey} />}
      form={(reveal) =>
        apiKey === null ? null : (
          <RotateKeyForm apiKey={apiKey} send={(body) => reveal(() => rotate(apiKey.id, body))} />
        )
      }
    />
  );
}

/** Says until when the old key stays valid. */
function OldKeyNote({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.replacedById === null || apiKey.expiresAt === null) return null;
  const now = new Date();
  const ends = new Date(apiKey.expiresAt);
  return (
    <Callout tone="accent" className="mb-4">
      The old key <code className="font-mono text-xs">{apiKey.hint}</code>{' '}
      {ends <= now ? 'is no longer valid.' : `is valid until ${formatEnd(ends, now)}. Until then, both keys work.`}
    </Callout>
  );
}
