'use client';

import { useState } from 'react';
import { changed } from '@/components/form/changed';
import { DialogForm, SwitchField, TextareaField, TextField } from '@/components/form/form-fields';
import { type ApiForm, useApiForm } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { PasswordInput } from '@/components/ui/input';
import type { CreateTunnelBody, Tunnel } from '@/lib/tunnel/schema';
import { withoutFullPrefix } from './use-tunnels';

/** Creates or edits a tunnel: its name, and who may use it. */
export function TunnelForm({ tunnel, send }: { tunnel?: Tunnel; send: (body: CreateTunnelBody) => Promise<unknown> }) {
  const isNew = tunnel === undefined;
  // Someone else may change the tunnel while the form is open.
  const [shown] = useState(() => tunnelValuesOf(tunnel));
  const form = useApiForm({
    defaultValues: shown,
    send: (values) => send(isNew ? tunnelBodyOf(values) : changed(tunnelBodyOf(values), tunnelBodyOf(shown))),
  });
  return (
    <DialogForm form={form} label={isNew ? 'Create tunnel' : 'Save tunnel'} failure="We couldn’t save the tunnel">
      <TextField
        form={form}
        name="name"
        rules={isNew ? {} : { required: 'Enter a name.' }}
        label="Name"
        optional={isNew}
        hint={isNew ? 'Leave blank to generate a name.' : undefined}
        placeholder="amber-otter"
      />
      <SwitchField
        form={form}
        name="isProtected"
        label="Require a password"
        hint="Visitors sign in with basic authentication."
      />
      {form.watch('isProtected') ? <Credentials form={form} shown={shown} /> : null}
      <TextareaField
        form={form}
        name="allowedCidrs"
        label="Allowed IP addresses"
        optional
        hint="One address or CIDR range per line. Leave blank to allow any address."
        rows={3}
        placeholder={'192.0.2.7\n198.51.100.0/24'}
        control="font-mono"
      />
    </DialogForm>
  );
}

const USERNAME_RULES = {
  required: 'Enter a username.',
  validate: (text: string) => !text.includes(':') || 'A username can’t contain a colon.',
};

function Credentials({ form, shown }: { form: ApiForm<TunnelValues>; shown: TunnelValues }) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField
        form={form}
        name="username"
        rules={USERNAME_RULES}
        label="Username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Field
        label="Password"
        error={form.fieldError('password')}
        hint={shown.isProtected ? 'Leave blank to keep the current one.' : 'At least 8 characters.'}
      >
        {(control) => (
          <PasswordInput
            {...control}
            {...form.register('password', {
              validate: (text, values) =>
                keepsPassword(values, shown) || text.length >= 8 || 'Enter at least 8 characters.',
            })}
            autoComplete="new-password"
          />
        )}
      </Field>
    </div>
  );
}

interface TunnelValues {
  /** Empty to have one generated. */
  name: string;
  isProtected: boolean;
  username: string;
  /** Empty to keep the current one. */
  password: string;
  /** Addresses and ranges, separated by spaces, commas or lines. */
  allowedCidrs: string;
}

/** Returns what the form shows at first. */
export function tunnelValuesOf(tunnel: Tunnel | undefined): TunnelValues {
  return {
    name: tunnel?.name ?? '',
    isProtected: tunnel !== undefined && tunnel.basicAuth !== null,
    username: tunnel?.basicAuth?.username ?? '',
    password: '',
    allowedCidrs: tunnel?.allowedCidrs.map(withoutFullPrefix).join('\n') ?? '',
  };
}

/** Whether the form keeps the current password: the username is the same and no new password is typed. */
function keepsPassword({ isProtected, username, password }: TunnelValues, shown: TunnelValues): boolean {
  return isProtected && password === '' && shown.isProtected && shown.username === username;
}

/** Returns the request body for what the form has. */
export function tunnelBodyOf({ name, isProtected, username, password, allowedCidrs }: TunnelValues): CreateTunnelBody {
  return {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    basicAuth: isProtected ? { username, password } : null,
    allowedCidrs: allowedCidrs.split(/[\s,]+/).filter((entry) => entry !== ''),
  };
}
