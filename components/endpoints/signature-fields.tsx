'use client';

import { CODE, TextareaField, TextField } from '@/components/form/form-fields';
import { SelectField } from '@/components/form/select-field';
import type { ApiForm } from '@/components/form/use-api-form';
import type { SelectOption } from '@/components/ui/select';
import type { SignatureValues } from './endpoint-options';

const PROFILES: SelectOption<SignatureValues['profile']>[] = [
  { value: 'STANDARD', label: 'Standard Webhooks' },
  { value: 'SVIX', label: 'Also as Svix', description: 'For receivers that verify with a library of Svix.' },
  { value: 'CUSTOM', label: 'Also as a header of your own', description: 'For receivers that verify in another way.' },
];
const ALGORITHMS: SelectOption<SignatureValues['algorithm']>[] = [
  { value: 'SHA256', label: 'HMAC-SHA256' },
  { value: 'SHA512', label: 'HMAC-SHA512' },
];
const ENCODINGS: SelectOption<SignatureValues['encoding']>[] = [
  { value: 'HEX', label: 'Hex' },
  { value: 'BASE64', label: 'Base64' },
];
const HEADER_RULES = { required: 'Enter the name of the header.' };

/** What is sent beside the signature of Standard Webhooks. */
export function SignatureFields<Values extends SignatureValues>({ form }: { form: ApiForm<Values> }) {
  return (
    <>
      <SelectField
        form={form}
        name="profile"
        label="Signature"
        options={PROFILES}
        hint="The headers of Standard Webhooks are always sent."
      />
      {form.watch('profile') === 'CUSTOM' ? (
        <div className="grid gap-4 rounded-lg border bg-sunken/50 p-3.5">
          <TextField
            form={form}
            name="header"
            rules={HEADER_RULES}
            label="Signature header"
            placeholder="X-Acme-Signature"
            {...CODE}
          />
          <TextField
            form={form}
            name="value"
            label="Value of the header"
            hint="With {signature} and {timestamp}."
            {...CODE}
          />
          {/* It may have line breaks. */}
          <TextareaField
            form={form}
            name="content"
            label="What is signed"
            rows={2}
            hint="With {body}, {timestamp}, and {id}. The key is the text of the signing secret."
            control="min-h-14 font-mono"
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField form={form} name="algorithm" label="Hash" options={ALGORITHMS} />
            <SelectField form={form} name="encoding" label="Encoding" options={ENCODINGS} />
          </div>
        </div>
      ) : null}
    </>
  );
}
