'use client';

import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { exampleHeader, type SignatureValues } from './signature-values';

const ENCODINGS = [
  { value: 'hex', label: 'Hexadecimal' },
  { value: 'base64', label: 'Base64' },
] as const;

const TYPED_AS_CODE = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  className: 'font-mono',
} as const;

/** Where the signature of a generic HMAC is found: its header, encoding and prefix. */
export function SignatureFields({
  values,
  onChange,
  errorOf,
}: {
  values: SignatureValues;
  onChange: (change: Partial<SignatureValues>) => void;
  errorOf: (name: keyof SignatureValues) => string | undefined;
}) {
  return (
    <div className="grid gap-3 rounded-lg border bg-sunken/50 p-3.5">
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Signature header" error={errorOf('signatureHeader')}>
          {(control) => (
            <Input
              {...control}
              {...TYPED_AS_CODE}
              value={values.signatureHeader}
              onChange={(event) => onChange({ signatureHeader: event.target.value })}
            />
          )}
        </Field>
        <Field label="Encoding" error={errorOf('signatureEncoding')}>
          {(control) => (
            <Select
              {...control}
              options={ENCODINGS}
              value={values.signatureEncoding}
              onValueChange={(signatureEncoding) => onChange({ signatureEncoding })}
            />
          )}
        </Field>
        <Field label="Prefix" optional error={errorOf('signaturePrefix')}>
          {(control) => (
            <Input
              {...control}
              {...TYPED_AS_CODE}
              placeholder="sha256="
              value={values.signaturePrefix}
              onChange={(event) => onChange({ signaturePrefix: event.target.value })}
            />
          )}
        </Field>
      </div>
      <p className="text-muted text-sm">
        Requests carry <code className="break-all font-mono text-text text-xs">{exampleHeader(values)}</code>
      </p>
    </div>
  );
}
