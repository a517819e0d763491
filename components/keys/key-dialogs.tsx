'use client';

import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { Callout } from '@/components/ui/callout';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Field } from '@/components/ui/field';
import { formatRelative } from '@/components/ui/format-time';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { toast } from '@/components/ui/toast';
import type { ApiKey, KeyScope } from '@/lib/keys/schema';
import { ExpiryField } from './expiry-field';
import { NewKeyDialog } from './new-key-dialog';
import { RotateKeyForm } from './rotate-key-form';
import { formatEnd } from './rotation-end';
import { SCOPES } from './scopes';
import type { CreateBody, useKeys } from './use-keys';

const OPTIONS = Object.entries(SCOPES).map(([value, text]) => ({ value: value as KeyScope, ...text }));

interface CreateKeyValues {
  name: string;
  scope: KeyScope;
  /** YYYY-MM-DD; empty for a key that never expires. */
  expiresAt: string;
}

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

/** Creates a key and shows it once. */
function CreateKeyDialog({
  projectId,
  open,
  onClose,
  create,
}: {
  projectId: string;
  open: boolean;
  onClose: () => void;
  create: ReturnType<typeof useKeys>['create'];
}) {
  return (
    <NewKeyDialog
      projectId={projectId}
      open={open}
      onClose={onClose}
      title="New API key"
      description="Your servers use this key to call the API."
      form={(reveal) => <CreateKeyForm send={(body) => reveal(() => create(body))} />}
    />
  );
}

/** Asks before a key is revoked, and says when it was last used. */
function RevokeKeyDialog({
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

/** Replaces a key, and shows the replacement once. */
function RotateKeyDialog({
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

/** Asks for the name, scope and last day of a new key. */
function CreateKeyForm({ send }: { send: (body: CreateBody) => Promise<void> }) {
  const form = useApiForm<CreateKeyValues>({
    defaultValues: { name: '', scope: 'READ_WRITE', expiresAt: '' },
    send: ({ name, scope, expiresAt }) => send({ name, scope, ...(expiresAt === '' ? {} : { expiresAt }) }),
  });
  const scope = form.watch('scope');
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <Field label="Name" error={form.fieldError('name')} hint="Name it after the server that uses it.">
        {(control) => (
          <Input
            {...control}
            {...form.register('name', { required: 'Give the key a name.' })}
            autoComplete="off"
            placeholder="Shop backend"
          />
        )}
      </Field>
      <Field label="Scope" error={form.fieldError('scope')} hint={SCOPES[scope].description}>
        {(control) => (
          <Select
            {...control}
            options={OPTIONS}
            value={scope}
            onValueChange={(value) => form.setValue('scope', value)}
          />
        )}
      </Field>
      <ExpiryField label="Expires" control={form.register('expiresAt')} error={form.fieldError('expiresAt')} />
      <DialogSubmit label="Create key" failure="We couldn’t create the key" error={form.error} pending={form.pending} />
    </form>
  );
}
