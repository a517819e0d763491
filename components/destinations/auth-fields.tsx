'use client';

import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import type { Destination } from '@/lib/incoming/schema';
import { type AuthChoice, type AuthValues, describeAuth } from './auth-values';

const CHOICES: { value: AuthChoice; label: string }[] = [
  { value: 'NONE', label: 'None' },
  { value: 'BEARER', label: 'Bearer token' },
  { value: 'BASIC', label: 'Basic: username and password' },
  { value: 'HEADER', label: 'Custom header' },
];

const FIELDS: Partial<Record<AuthChoice, { name: keyof AuthValues; label: string; isSecret?: boolean }[]>> = {
  BEARER: [{ name: 'token', label: 'Token', isSecret: true }],
  BASIC: [
    { name: 'username', label: 'Username' },
    { name: 'password', label: 'Password', isSecret: true },
  ],
  HEADER: [
    { name: 'headerName', label: 'Header name' },
    { name: 'headerValue', label: 'Header value', isSecret: true },
  ],
};

/** How deliveries authenticate with the receiver. Stored credentials are never shown again, only kept or replaced. */
export function AuthFields({
  stored,
  values,
  onChange,
  error,
}: {
  stored: Destination['auth'];
  values: AuthValues;
  onChange: (change: Partial<AuthValues>) => void;
  error: string | undefined;
}) {
  const kept = stored === null ? [] : [{ value: 'KEEP' as const, label: `Keep current: ${describeAuth(stored)}` }];
  const fields = FIELDS[values.auth] ?? [];
  return (
    <div className="grid gap-3">
      <Field
        label="Authentication"
        error={error}
        hint="Sent with each request. Stored encrypted and never shown again."
      >
        {(control) => (
          <Select
            {...control}
            options={[...kept, ...CHOICES]}
            value={values.auth}
            onValueChange={(auth) => onChange({ auth })}
          />
        )}
      </Field>
      {fields.length === 0 ? null : (
        <div className="grid gap-4 rounded-lg border bg-sunken/50 p-3.5 sm:grid-cols-2 sm:[&>:only-child]:col-span-2">
          {fields.map(({ name, label, isSecret = false }) => (
            <Field key={name} label={label}>
              {(control) => (
                <Input
                  {...control}
                  type={isSecret ? 'password' : 'text'}
                  autoComplete={isSecret ? 'new-password' : 'off'}
                  autoCapitalize="none"
                  spellCheck={false}
                  value={values[name]}
                  onChange={(event) => onChange({ [name]: event.target.value })}
                  className="font-mono"
                />
              )}
            </Field>
          ))}
        </div>
      )}
    </div>
  );
}
