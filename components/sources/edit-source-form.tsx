'use client';

import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Switch } from '@/components/ui/switch';
import type { Source, UpdateSourceBody } from '@/lib/incoming/schema';
import { SignatureFields } from './signature-fields';
import { signatureValuesOf } from './signature-values';

/** Edits the name, the state and, for a generic HMAC, the signature of a source. Its provider cannot change. */
export function EditSourceForm({
  source,
  send,
}: {
  source: Source;
  send: (body: UpdateSourceBody) => Promise<unknown>;
}) {
  const form = useApiForm({
    defaultValues: { name: source.name, enabled: source.enabled, ...signatureValuesOf(source) },
    send: ({ name, enabled, signatureHeader, signatureEncoding, signaturePrefix }) =>
      send({
        name: name.trim(),
        enabled,
        ...(source.provider === 'GENERIC_HMAC'
          ? { signatureHeader: signatureHeader.trim(), signatureEncoding, signaturePrefix: signaturePrefix.trim() }
          : {}),
      }),
  });
  return (
    <form noValidate onSubmit={form.submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Field label="Name" error={form.fieldError('name')}>
        {(control) => (
          <Input
            {...control}
            {...form.register('name', { required: 'Give the source a name.' })}
            // The form is loaded after its dialog has opened.
            autoFocus
            autoComplete="off"
          />
        )}
      </Field>
      {source.provider === 'GENERIC_HMAC' ? (
        <SignatureFields values={form.watch()} onChange={form.setSome} errorOf={form.fieldError} />
      ) : null}
      <Field label="Enabled" hint="Requests to a disabled source get a 404. Some providers then stop sending.">
        {(control) => (
          <Switch
            {...control}
            checked={form.watch('enabled')}
            onCheckedChange={(enabled) => form.setValue('enabled', enabled)}
          />
        )}
      </Field>
      <DialogSubmit
        label="Save source"
        failure="We couldn’t save the source"
        error={form.error}
        pending={form.pending}
      />
    </form>
  );
}
