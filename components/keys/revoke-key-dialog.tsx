'use client';

import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { formatRelative } from '@/components/ui/format-time';
import type { ApiKey } from '@/lib/keys/schema';
import { formatEnd } from './rotation-end';

/** Asks before a key is revoked, and says when it was last of use to anybody. */
export function RevokeKeyDialog({
  apiKey,
  predecessor,
  onClose,
  onRevoke,
}: {
  apiKey: ApiKey | null;
  /** The key it replaced, when that one still works. */
  predecessor: ApiKey | undefined;
  onClose: () => void;
  onRevoke: (keyId: string) => Promise<void>;
}) {
  const lastUsed =
    apiKey?.lastUsedAt == null ? 'Never used' : `Last used ${formatRelative(new Date(apiKey.lastUsedAt), new Date())}`;
  return (
    <ConfirmDialog
      open={apiKey !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Revoke “${apiKey?.name ?? ''}”?`}
      description={
        <>
          <p className="font-medium text-text">Immediate. {lastUsed}.</p>
          <p className="mt-1">From then on every request with this key is refused. It cannot be brought back.</p>
          {apiKey?.replacedById == null ? null : <p className="mt-1">Its replacement goes on working.</p>}
          {predecessor?.expiresAt == null ? null : (
            <p className="mt-1">
              The key it replaced, <code className="font-mono text-xs">{predecessor.hint}</code>, still works until{' '}
              {formatEnd(new Date(predecessor.expiresAt), new Date())}. Revoke it too if it must stop.
            </p>
          )}
        </>
      }
      confirmLabel="Revoke key"
      onConfirm={() => (apiKey === null ? undefined : onRevoke(apiKey.id))}
    />
  );
}
