'use client';

import { CircleCheck } from 'lucide-react';
import { useApiForm } from '@/components/form/use-api-form';
import { useSourceScope } from '@/components/sources/source-context';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';

/** Takes the signing secret that the provider shows; afterwards says that it is saved. */
export function TheirSecret({ label, placeholder }: { label: string; placeholder: string }) {
  const { source } = useSourceScope();
  if (!source.hasSecret) return <TheirSecretForm label={label} placeholder={placeholder} />;
  return (
    <p role="status" className="flex items-center gap-2 text-success-text">
      <CircleCheck aria-hidden="true" className="size-4 shrink-0" />
      Saved. We use it to verify requests.
    </p>
  );
}

function TheirSecretForm({ label, placeholder }: { label: string; placeholder: string }) {
  const { actions, disabledReason } = useSourceScope();
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
