'use client';

import { toast } from '@/components/ui/toast';
import type { ApiKey } from '@/lib/keys/schema';
import { CreateKeyDialog } from './create-key-dialog';
import { RevokeKeyDialog } from './revoke-key-dialog';
import { RotateKeyDialog } from './rotate-key-dialog';
import type { useKeys } from './use-keys';

/** The open dialog, and its key when it was opened. */
export type OpenDialog = { what: 'create' } | { what: 'rotate' | 'revoke'; key: ApiKey };

/** The dialogs of the keys page. They show the key from the current list, since its last use may have changed. */
export function KeyDialogs({
  projectId,
  keys,
  dialog,
  onClose,
}: {
  projectId: string;
  keys: ReturnType<typeof useKeys>;
  dialog: OpenDialog | null;
  onClose: () => void;
}) {
  const keyFor = (what: 'rotate' | 'revoke'): ApiKey | null => {
    if (dialog?.what !== what) return null;
    return keys.rows?.find(({ id }) => id === dialog.key.id) ?? dialog.key;
  };
  const revoking = keyFor('revoke');
  const revoke = async (keyId: string) => {
    await keys.revoke(keyId);
    toast.success('Key revoked.');
  };
  return (
    <>
      <CreateKeyDialog projectId={projectId} open={dialog?.what === 'create'} onClose={onClose} create={keys.create} />
      <RotateKeyDialog projectId={projectId} apiKey={keyFor('rotate')} onClose={onClose} rotate={keys.rotate} />
      <RevokeKeyDialog
        apiKey={revoking}
        predecessor={keys.rows?.find(({ id, status }) => id === revoking?.replacesId && status === 'ROTATING')}
        onClose={onClose}
        onRevoke={revoke}
      />
    </>
  );
}
