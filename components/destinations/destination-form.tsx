'use client';

import {
  RetryField,
  type TargetValues,
  targetBodyOf,
  targetValuesOf,
  UrlField,
} from '@/components/endpoints/endpoint-fields';
import { changed } from '@/components/form/changed';
import { CODE, DialogForm, SwitchField, TextField } from '@/components/form/form-fields';
import { SelectField } from '@/components/form/select-field';
import { type ApiForm, useApiForm } from '@/components/form/use-api-form';
import type { CreateDestinationBody, Destination, UpdateDestinationBody } from '@/lib/incoming/schema';
import { describeAuth } from './use-destinations';

/** Creates or edits a destination. The signing secret of an existing one has a dialog of its own. */
export function DestinationForm({
  destination,
  send,
}: {
  destination?: Destination;
  /** `signing` is given only at creation. */
  send: (body: UpdateDestinationBody & { signing?: boolean }) => Promise<unknown>;
}) {
  const form = useApiForm({
    defaultValues: { ...targetValuesOf(destination), signing: false, ...authValuesOf(destination) },
    send: (values, shown) =>
      send(
        destination === undefined
          ? { ...bodyOf(values), signing: values.signing }
          : changed(bodyOf(values), bodyOf(shown)),
      ),
  });
  return (
    <DialogForm
      form={form}
      label={destination === undefined ? 'Create destination' : 'Save destination'}
      failure="We couldn’t save the destination"
    >
      <UrlField
        form={form}
        hint="We forward the body, headers and query string of each event to this URL, without its credentials."
      />
      <TextField form={form} name="description" label="Description" optional />
      <AuthFields form={form} stored={destination?.auth ?? null} />
      {destination === undefined ? (
        <SwitchField
          form={form}
          name="signing"
          label="Sign deliveries"
          hint="Adds a Standard Webhooks signature, so the receiver can verify that requests come from us."
        />
      ) : null}
      <RetryField form={form} />
      <SwitchField form={form} name="enabled" label="Enabled" hint="A disabled destination receives no events." />
    </DialogForm>
  );
}

type DestinationAuth = NonNullable<CreateDestinationBody['auth']>;

/** How deliveries authenticate. `KEEP` leaves what is stored: the API never returns it. */
type AuthChoice = 'NONE' | 'KEEP' | DestinationAuth['type'];

interface AuthValues {
  auth: AuthChoice;
  token: string;
  username: string;
  password: string;
  headerName: string;
  headerValue: string;
}

const CHOICES: { value: AuthChoice; label: string }[] = [
  { value: 'NONE', label: 'None' },
  { value: 'BEARER', label: 'Bearer token' },
  { value: 'BASIC', label: 'Basic: username and password' },
  { value: 'HEADER', label: 'Custom header' },
];

const SECRET = { type: 'password', autoComplete: 'new-password' } as const;

const FIELDS: Partial<
  Record<AuthChoice, { name: Exclude<keyof AuthValues, 'auth'>; label: string; type?: 'password' }[]>
> = {
  BEARER: [{ name: 'token', label: 'Token', ...SECRET }],
  BASIC: [
    { name: 'username', label: 'Username' },
    { name: 'password', label: 'Password', ...SECRET },
  ],
  HEADER: [
    { name: 'headerName', label: 'Header name' },
    { name: 'headerValue', label: 'Header value', ...SECRET },
  ],
};

/** How deliveries authenticate with the receiver. Stored credentials are never shown again, only kept or replaced. */
function AuthFields<Values extends AuthValues>({
  form,
  stored,
}: {
  form: ApiForm<Values>;
  stored: Destination['auth'];
}) {
  const kept = stored === null ? [] : [{ value: 'KEEP' as const, label: `Keep current: ${describeAuth(stored)}` }];
  const fields = FIELDS[form.watch('auth')] ?? [];
  return (
    <div className="grid gap-3">
      <SelectField
        form={form}
        name="auth"
        label="Authentication"
        hint="Sent with each request. Stored encrypted and never shown again."
        options={[...kept, ...CHOICES]}
      />
      {fields.length === 0 ? null : (
        <div className="grid gap-4 rounded-lg border bg-sunken/50 p-3.5 sm:grid-cols-2 sm:[&>:only-child]:col-span-2">
          {fields.map((field) => (
            <TextField key={field.name} form={form} {...CODE} {...field} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Returns the values with which the form starts. */
export function authValuesOf(destination?: Destination): AuthValues {
  const auth = destination?.auth ? 'KEEP' : 'NONE';
  return { auth, token: '', username: '', password: '', headerName: '', headerValue: '' };
}

const bodyOf = (values: AuthValues & TargetValues) => ({ ...targetBodyOf(values), auth: authBodyOf(values) });

/** Returns the `auth` to send: null removes it, undefined keeps it. */
export function authBodyOf(values: AuthValues): DestinationAuth | null | undefined {
  const { auth, token, username, password, headerName, headerValue } = values;
  if (auth === 'KEEP') return undefined;
  if (auth === 'BEARER') return { type: 'BEARER', token: token.trim() };
  if (auth === 'BASIC') return { type: 'BASIC', username, password };
  if (auth === 'HEADER') return { type: 'HEADER', name: headerName.trim(), value: headerValue.trim() };
  return null;
}
