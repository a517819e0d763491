'use client';

import { CODE, TextField } from '@/components/form/form-fields';
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
const HEADER_RULES = {
  validate: (header: string, { profile }: SignatureValues): true | string =>
    profile !== 'CUSTOM' || header.trim() !== '' || 'Enter the name of the header.',
};

/** What is sent beside the signature of Standard Webhooks. */
export function SignatureFields<Values extends SignatureValues>({ form }: { form: ApiForm<Values> }) {
  // Its fields are those of every form that has them.
  const own = form as unknown as ApiForm<SignatureValues>;
  return (
    <>
      <SelectField
        form={own}
        name="profile"
        label="Signature"
        options={PROFILES}
        hint="The headers of Standard Webhooks are always sent."
      />
      {own.watch('profile') === 'CUSTOM' ? (
        <div className="grid gap-4 rounded-lg border bg-sunken/50 p-3.5">
          <TextField
            form={own}
            name="header"
            rules={HEADER_RULES}
            label="Signature header"
            placeholder="X-Acme-Signature"
            {...CODE}
          />
          <TextField
            form={own}
            name="value"
            label="Value of the header"
            hint="With {signature} and {timestamp}."
            {...CODE}
          />
          <TextField
            form={own}
            name="content"
            label="What is signed"
            hint="With {body}, {timestamp}, and {id}. The key is the text of the signing secret."
            {...CODE}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField form={own} name="algorithm" label="Hash" options={ALGORITHMS} />
            <SelectField form={own} name="encoding" label="Encoding" options={ENCODINGS} />
          </div>
        </div>
      ) : null}
    </>
  );
}
