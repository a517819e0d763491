'use client';

import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Input, PasswordInput, Textarea } from '@/components/ui/input';
import { Switch } from '@/components/ui/switch';
import type { CreateTunnelBody, Tunnel } from '@/lib/tunnel/schema';
import { accessBodyOf, accessValuesOf, keepsPassword } from './access-values';

/** Creates or edits a tunnel: its name, and who may use it. */
export function TunnelForm({
  tunnel,
  submitLabel,
  send,
}: {
  tunnel?: Tunnel;
  submitLabel: string;
  send: (body: CreateTunnelBody) => Promise<unknown>;
}) {
  const form = useApiForm({
    defaultValues: { name: tunnel?.name ?? '', ...accessValuesOf(tunnel) },
    send: ({ name, ...access }) =>
      send({ ...(name.trim() === '' ? {} : { name: name.trim() }), ...accessBodyOf(access, tunnel) }),
  });
  const isProtected = form.watch('isProtected');
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <Field
        label="Name"
        optional={tunnel === undefined}
        error={form.fieldError('name')}
        hint={tunnel === undefined ? 'Leave blank to generate a name.' : undefined}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register('name', tunnel === undefined ? {} : { required: 'Enter a name.' })}
            autoComplete="off"
            placeholder="amber-otter"
          />
        )}
      </Field>
      <Field label="Require a password" hint="Visitors sign in with basic authentication.">
        {(control) => (
          <Switch
            {...control}
            checked={isProtected}
            onCheckedChange={(checked) => form.setValue('isProtected', checked)}
          />
        )}
      </Field>
      {isProtected ? <Credentials form={form} tunnel={tunnel} /> : null}
      <Field
        label="Allowed IP addresses"
        optional
        error={form.fieldError('allowedCidrs')}
        hint="One address or CIDR range per line. Leave blank to allow any address."
      >
        {(control) => (
          <Textarea
            {...control}
            {...form.register('allowedCidrs')}
            rows={3}
            spellCheck={false}
            placeholder={'192.0.2.7\n198.51.100.0/24'}
            className="font-mono"
          />
        )}
      </Field>
      <DialogSubmit
        label={submitLabel}
        failure="We couldn’t save the tunnel"
        error={form.error}
        pending={form.pending}
      />
    </form>
  );
}

type Form = ReturnType<typeof useApiForm<ReturnType<typeof accessValuesOf> & { name: string }>>;

function Credentials({ form, tunnel }: { form: Form; tunnel: Tunnel | undefined }) {
  const present = tunnel?.basicAuth?.username;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Username" error={form.fieldError('username')}>
        {(control) => (
          <Input
            {...control}
            {...form.register('username', {
              required: 'Enter a username.',
              validate: (text) => !text.includes(':') || 'A username can’t contain a colon.',
            })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label="Password"
        error={form.fieldError('password')}
        hint={present === undefined ? 'At least 8 characters.' : 'Leave blank to keep the current one.'}
      >
        {(control) => (
          <PasswordInput
            {...control}
            {...form.register('password', {
              validate: (text, values) =>
                keepsPassword(values, tunnel) || text.length >= 8 || 'Enter at least 8 characters.',
            })}
            autoComplete="new-password"
          />
        )}
      </Field>
    </div>
  );
}
