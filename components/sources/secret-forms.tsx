'use client';

import { CODE, DialogForm, TextField } from '@/components/form/form-fields';
import { GraceField } from '@/components/form/grace-field';
import { DEFAULT_GRACE, graceHoursOf } from '@/components/form/grace-hours';
import { useApiForm } from '@/components/form/use-api-form';
import { describeEnd } from '@/components/projects/rotation-form';
import { useDisabledReason } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { useNow } from '@/components/ui/clock';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import type { SourceProvider } from '@/lib/incoming/schema';
import { MAX_SECRET_GRACE_HOURS } from '@/lib/keys/grace-policy';
import { PROVIDERS } from './providers';
import { useSourceScope } from './use-sources';

/** Replaces the secret of a source: with the provider's new one, or with a generated one. */
export function RotateSecretForm({
  provider,
  send,
}: {
  provider: SourceProvider;
  /** Undefined generates a secret. */
  send: (secret: string | undefined, gracePeriodHours: number) => Promise<unknown>;
}) {
  const now = useNow(1000);
  const { name, secretMaker } = PROVIDERS[provider];
  const isTheirs = secretMaker === 'provider';
  const form = useApiForm({
    defaultValues: { ...DEFAULT_GRACE, secret: '' },
    send: ({ secret, ...grace }) => send(secret.trim() || undefined, graceHoursOf(grace, MAX_SECRET_GRACE_HOURS) ?? 0),
  });
  return (
    <DialogForm
      form={form}
      label={isTheirs ? 'Replace secret' : 'Rotate secret'}
      failure="We couldn’t replace the secret"
    >
      <TextField
        form={form}
        name="secret"
        rules={isTheirs ? { required: 'Paste the new secret.' } : {}}
        label="New secret"
        optional={!isTheirs}
        hint={isTheirs ? `Rotate the secret in ${name}, then paste the new one here.` : 'Leave blank to generate one.'}
        {...CODE}
      />
      <GraceField
        form={form}
        what="secret"
        maxHours={MAX_SECRET_GRACE_HOURS}
        describeEnd={(hours) => describeEnd('secret', hours, now)}
      />
    </DialogForm>
  );
}

/** Asks for the secret that the provider has made. */
export function TheirSecretForm({ label, placeholder }: { label: string; placeholder: string }) {
  const { actions } = useSourceScope();
  const disabledReason = useDisabledReason('source.manage');
  const form = useApiForm({
    defaultValues: { secret: '' },
    send: ({ secret }) => actions.update({ secret: secret.trim() }),
  });
  return (
    <form noValidate onSubmit={form.submit} className="grid gap-3">
      <Field label={label} error={form.fieldError('secret')}>
        {(control) => (
          <span className="flex min-w-0 flex-wrap gap-2">
            <Input
              {...control}
              {...form.register('secret', { required: 'Paste the secret.' })}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder={placeholder}
              className="flex-1 basis-56 font-mono"
            />
            <Button
              type="submit"
              variant="primary"
              className="h-9"
              loading={form.pending}
              disabledReason={disabledReason}
            >
              Save secret
            </Button>
          </span>
        )}
      </Field>
      <InlineError what="We couldn’t save the secret" error={form.error} />
    </form>
  );
}
