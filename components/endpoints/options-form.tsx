'use client';

import { DialogForm, TextareaField, TextField } from '@/components/form/form-fields';
import { MetadataField } from '@/components/form/metadata-field';
import { SelectField } from '@/components/form/select-field';
import { useApiForm } from '@/components/form/use-api-form';
import type { SelectOption } from '@/components/ui/select';
import type { Endpoint } from '@/lib/delivery/schema';
import { CustomerEventsField, UidField } from './endpoint-fields';
import { hasHiddenHeaders, headerFault, namingFields, optionsChangeOf, optionValuesOf } from './endpoint-options';
import { SignatureFields } from './signature-fields';
import type { OptionsChange } from './use-endpoints';

const HEADER_RULES = {
  validate: (text: string): true | string => headerFault(text) ?? true,
};
const BODIES: SelectOption<Endpoint['bodyFormat']>[] = [
  { value: 'ENVELOPE', label: 'Envelope', description: 'Type, timestamp, and data.' },
  { value: 'DATA', label: 'Data alone', description: 'The data as it was sent, without type and timestamp.' },
];

/** Changes the options of an endpoint, except its filter. Sends only what changed. */
export function OptionsForm({
  endpoint,
  update,
  close,
}: {
  endpoint: Endpoint;
  update: (change: OptionsChange) => Promise<unknown>;
  close: () => void;
}) {
  const form = useApiForm({
    defaultValues: optionValuesOf(endpoint),
    send: async (values, shown) => {
      const change = optionsChangeOf(values, shown);
      if (Object.keys(change).length > 0) await namingFields(update(change));
      close();
    },
  });
  return (
    <DialogForm form={form} label="Save options" failure="We couldn’t save the options">
      {/* The form is loaded after its dialog has opened. */}
      <UidField form={form} autoFocus />
      <TextareaField
        form={form}
        name="headers"
        rules={HEADER_RULES}
        label="Headers"
        optional
        rows={3}
        placeholder="X-Api-Version: 2026-01"
        hint={
          hasHiddenHeaders(endpoint)
            ? `The values of ${Object.keys(endpoint.headers).join(', ')} can’t be shown. What you enter replaces all headers; leave it blank to keep them.`
            : 'Sent with every delivery and test, a line for each. Viewers don’t see the values.'
        }
        control="font-mono text-xs"
      />
      <SignatureFields form={form} />
      <SelectField form={form} name="bodyFormat" label="Body" options={BODIES} />
      <fieldset className="grid min-w-0 gap-1.5">
        <legend className="mb-1.5 font-medium text-sm">
          Rate limit <span className="ml-0.5 font-normal text-muted">optional</span>
        </legend>
        <div className="grid grid-cols-2 gap-4">
          <TextField form={form} name="requests" label="Attempts at most" inputMode="numeric" placeholder="100" />
          <TextField form={form} name="seconds" label="In seconds" inputMode="numeric" placeholder="60" />
        </div>
        <p className="text-muted text-sm">The others wait. None fails by waiting.</p>
      </fieldset>
      {endpoint.customerId === null ? <CustomerEventsField form={form} /> : null}
      <MetadataField form={form} />
    </DialogForm>
  );
}
