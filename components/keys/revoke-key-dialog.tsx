'use client';

import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { formatRelative } from '@/components/ui/format-time';
import type { ApiKey } from '@/lib/keys/schema';
import { formatEnd } from './rotation-end';

/** Asks before a key is revoked, and says when it was last used. */
export function RevokeKeyDialog({
  apiKey,
  predecessor,
  onClose,
  onRevoke,
}: {
  apiKey: ApiKey | null;
  /** The key it replaced, while that one is still valid. */
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
          <p className="font-medium text-text">Takes effect immediately. {lastUsed}.</p>
          <p className="mt-1">All requests with this key will be rejected. This can’t be undone.</p>
          {apiKey?.replacedById == null ? null : <p className="mt-1">Its replacement stays valid.</p>}
          {predecessor?.expiresAt == null ? null : (
            <p className="mt-1">
              The key it replaced, <code className="font-mono text-xs">{predecessor.hint}</code>, is still valid until{' '}
              {formatEnd(new Date(predecessor.expiresAt), new Date())}. Revoke it too if it should stop working now.
            </p>
          )}
        </>
      }
      confirmLabel="Revoke key"
      onConfirm={() => (apiKey === null ? undefined : onRevoke(apiKey.id))}
    />
  );
}
