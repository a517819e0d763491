'use client';

import { DialogSubmit } from '@/components/form/dialog-submit';
import { useApiForm } from '@/components/form/use-api-form';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { SourceProvider } from '@/lib/incoming/schema';
import { PROVIDERS } from './providers';

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
    <form noValidate onSubmit={form.submit} className="grid gap-4">
      <p className="text-sm">Both secrets work for 24 hours, so you won’t lose any events.</p>
      <Field
        label="New secret"
        optional={!isTheirs}
        error={form.fieldError('secret')}
        hint={isTheirs ? `Rotate the secret in ${name}, then paste the new one here.` : 'Leave blank to generate one.'}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register('secret', isTheirs ? { required: 'Paste the new secret.' } : {})}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono"
          />
        )}
      </Field>
      <DialogSubmit
        label={isTheirs ? 'Replace secret' : 'Rotate secret'}
        failure="We couldn’t replace the secret"
        error={form.error}
        pending={form.pending}
      />
    </form>
  );
}
