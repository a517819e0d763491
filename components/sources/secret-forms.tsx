'use client';

import { ChoicePills } from '@/components/form/choice-pills';
import { CODE, DialogForm, TextField } from '@/components/form/form-fields';
import { useApiForm } from '@/components/form/use-api-form';
import { useDisabledReason } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { useNow } from '@/components/ui/clock';
import { Field } from '@/components/ui/field';
import { formatAbsolute } from '@/components/ui/format-time';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import type { SourceProvider } from '@/lib/incoming/schema';
import { PROVIDERS } from './providers';
import { useSourceScope } from './use-sources';

/** How long the old URL of a source can keep working, in hours. */
export const URL_GRACE_CHOICES = [
  { value: '0', label: 'None' },
  { value: '1', label: '1 h' },
  { value: '24', label: '24 h' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
] as const;

/** Gives a source a new URL. */
export function RotateUrlForm({ send }: { send: (gracePeriodHours: number) => Promise<unknown> }) {
  const now = useNow(1000);
  const form = useApiForm({ defaultValues: { grace: '24' }, send: ({ grace }) => send(Number(grace)) });
  return (
    <DialogForm form={form} label="Rotate URL" failure="We couldn’t rotate the URL">
      <p className="text-sm">
        Update the provider with the new URL afterward. Any older URL that still works stops working now.
      </p>
      <ChoicePills
        legend="Grace period for the old URL"
        choices={URL_GRACE_CHOICES}
        control={form.register('grace')}
        hint={describeUrlEnd(Number(form.watch('grace')), now)}
      />
    </DialogForm>
  );
}

const HOUR_MS = 60 * 60_000;

/** Says when the old URL ends: "The old URL works until 21 Nov 2026, 13:05:09 UTC." */
export function describeUrlEnd(hours: number, now: Date): string {
  if (hours === 0) return 'The old URL stops working immediately.';
  return `The old URL works until ${formatAbsolute(new Date(now.getTime() + hours * HOUR_MS))}.`;
}

/** Replaces the secret of a source: with the provider's new one, or with a generated one. */
export function RotateSecretForm({
  provider,
  send,
}: {
  provider: SourceProvider;
  /** Undefined generates a secret. */
  send: (secret: string | undefined) => Promise<unknown>;
}) {
  const { name, secretMaker } = PROVIDERS[provider];
  const isTheirs = secretMaker === 'provider';
  const form = useApiForm({
    defaultValues: { secret: '' },
    send: ({ secret }) => send(secret.trim() === '' ? undefined : secret.trim()),
  });
  return (
    <DialogForm
      form={form}
      label={isTheirs ? 'Replace secret' : 'Rotate secret'}
      failure="We couldn’t replace the secret"
    >
      <p className="text-sm">Both secrets work for 24 hours, so you won’t lose any events.</p>
      <TextField
        form={form}
        name="secret"
        rules={isTheirs ? { required: 'Paste the new secret.' } : {}}
        label="New secret"
        optional={!isTheirs}
        hint={isTheirs ? `Rotate the secret in ${name}, then paste the new one here.` : 'Leave blank to generate one.'}
        {...CODE}
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
