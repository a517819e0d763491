'use client';

import { DialogForm, TextField } from '@/components/form/form-fields';
import { GraceField } from '@/components/form/grace-field';
import { DEFAULT_GRACE, graceHoursOf } from '@/components/form/grace-hours';
import { SelectField } from '@/components/form/select-field';
import { type ApiForm, useApiForm } from '@/components/form/use-api-form';
import { Callout } from '@/components/ui/callout';
import { useNow } from '@/components/ui/clock';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { formatRelative } from '@/components/ui/format-time';
import { toast } from '@/components/ui/toast';
import { MAX_GRACE_HOURS } from '@/lib/keys/grace-policy';
import type { ApiKey, CreatedApiKey, KeyScope } from '@/lib/keys/schema';
import { describeRotationEnd, describeUnused, formatEnd, SCOPES } from './key-state';
import { NewKeyDialog } from './new-key-dialog';

/** The open dialog, and its key when it was opened. */
export type OpenDialog = { what: 'create' } | { what: 'rotate' | 'revoke'; key: ApiKey };

interface KeyDialogsProps {
  keys: ApiKey[] | undefined;
  dialog: OpenDialog | null;
  onClose: () => void;
  /** Makes a key: a new one, or the replacement of another. */
  make: (tail: string, body: object) => Promise<CreatedApiKey>;
  revoke: (keyId: string) => Promise<unknown>;
}

/** The dialogs of the keys page. They show the key from the current list, since its last use may have changed. */
export function KeyDialogs({ keys, dialog, onClose, make, revoke }: KeyDialogsProps) {
  const asked = dialog === null || dialog.what === 'create' ? null : dialog.key;
  const apiKey = keys?.find(({ id }) => id === asked?.id) ?? asked;
  return (
    <>
      <NewKeyDialog
        open={dialog?.what === 'create'}
        onClose={onClose}
        title="New API key"
        description="Your servers use this key to call the API."
        form={(reveal) => <CreateKeyForm send={(body) => reveal(() => make('', body))} />}
      />
      <NewKeyDialog
        open={dialog?.what === 'rotate'}
        onClose={onClose}
        title={`Rotate “${apiKey?.name ?? ''}”`}
        description="Creates a new key with the same name and scope. Each key can be rotated only once."
        note={apiKey === null ? null : <OldKeyNote apiKey={apiKey} />}
        form={(reveal) =>
          apiKey && <RotateKeyForm apiKey={apiKey} send={(body) => reveal(() => make(`/${apiKey.id}/rotate`, body))} />
        }
      />
      <ConfirmDialog
        open={dialog?.what === 'revoke'}
        onOpenChange={onClose}
        title={`Revoke “${apiKey?.name ?? ''}”?`}
        description={
          apiKey && (
            <RevocationEffects
              apiKey={apiKey}
              predecessor={keys?.find(({ id, status }) => id === apiKey.replacesId && status === 'ROTATING')}
            />
          )
        }
        confirmLabel="Revoke key"
        onConfirm={async () => {
          if (apiKey === null) return;
          await revoke(apiKey.id);
          toast.success('Key revoked.');
        }}
      />
    </>
  );
}

/** Says when a key was last used, and what its revocation does. */
function RevocationEffects({
  apiKey: { lastUsedAt, createdAt, replacedById },
  predecessor,
}: {
  apiKey: ApiKey;
  /** The key it replaced, while that one is still valid. */
  predecessor: ApiKey | undefined;
}) {
  const now = new Date();
  const lastUsed =
    lastUsedAt === null
      ? `Last used: ${describeUnused({ createdAt }, now)}`
      : `Last used ${formatRelative(new Date(lastUsedAt), now)}`;
  return (
    <>
      <p className="font-medium text-text">Takes effect immediately. {lastUsed}.</p>
      <p className="mt-1">All requests with this key will be rejected. This can’t be undone.</p>
      {replacedById === null ? null : <p className="mt-1">Its replacement stays valid.</p>}
      {predecessor?.expiresAt == null ? null : (
        <p className="mt-1">
          The key it replaced, <code className="font-mono text-xs">{predecessor.hint}</code>, is still valid until{' '}
          {formatEnd(new Date(predecessor.expiresAt), now)}. Revoke it too if it should stop working now.
        </p>
      )}
    </>
  );
}

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

const SCOPE_OPTIONS = Object.entries(SCOPES).map(([value, text]) => ({ value: value as KeyScope, ...text }));

function CreateKeyForm({ send }: { send: (body: object) => Promise<void> }) {
  const form = useApiForm({
    defaultValues: { name: '', scope: 'READ_WRITE' as KeyScope, expiresAt: '' },
    send: ({ expiresAt, ...body }) => send({ ...body, ...(expiresAt === '' ? {} : { expiresAt }) }),
  });
  return (
    <DialogForm form={form} label="Create key" failure="We couldn’t create the key">
      <TextField
        form={form}
        name="name"
        rules={{ required: 'Give the key a name.' }}
        label="Name"
        hint="Name it after the server that uses it."
        placeholder="Shop backend"
      />
      <SelectField
        form={form}
        name="scope"
        label="Scope"
        hint={SCOPES[form.watch('scope')].description}
        options={SCOPE_OPTIONS}
      />
      <ExpiryField form={form} label="Expires" />
    </DialogForm>
  );
}

function RotateKeyForm({ apiKey, send }: { apiKey: ApiKey; send: (body: object) => Promise<void> }) {
  const now = useNow(1000);
  const form = useApiForm({
    defaultValues: { ...DEFAULT_GRACE, expiresAt: '' },
    send: ({ expiresAt, ...grace }) =>
      send({
        gracePeriodHours: graceHoursOf(grace, MAX_GRACE_HOURS),
        ...(expiresAt === '' ? {} : { expiresAt }),
      }),
  });
  return (
    <DialogForm form={form} label="Rotate key" failure="We couldn’t rotate the key">
      <GraceField
        form={form}
        what="key"
        maxHours={MAX_GRACE_HOURS}
        describeEnd={(hours) => describeRotationEnd(apiKey, hours, now)}
      />
      <ExpiryField form={form} label="New key expires" />
    </DialogForm>
  );
}

/** The last day of a key, as YYYY-MM-DD; an empty field means that it never expires. */
function ExpiryField<Values extends { expiresAt: string }>({ form, label }: { form: ApiForm<Values>; label: string }) {
  return (
    <TextField
      form={form}
      name="expiresAt"
      label={label}
      optional
      hint="The key expires at 23:59:59 UTC on this date. Leave blank for no expiration."
      type="date"
      min={new Date().toISOString().slice(0, 10)}
      max="9999-12-31"
      control="w-48"
    />
  );
}
