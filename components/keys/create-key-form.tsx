'use client';

import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import type { KeyScope } from '@/lib/keys/schema';
import { ExpiryField } from './expiry-field';
import { SCOPES } from './scopes';
import type { CreateBody } from './use-keys';

const OPTIONS = Object.entries(SCOPES).map(([value, text]) => ({ value: value as KeyScope, ...text }));

interface CreateKeyValues {
  name: string;
  scope: KeyScope;
  /** YYYY-MM-DD; empty for a key that never expires. */
  expiresAt: string;
}

/** Asks for the name, scope and last day of a new key. */
export function CreateKeyForm({ send }: { send: (body: CreateBody) => Promise<void> }) {
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
