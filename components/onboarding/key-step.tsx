'use client';

import { apiFetch } from '@/components/auth-session/api-fetch';
import { useApiForm } from '@/components/form/use-api-form';
import { keysPath } from '@/components/keys/use-keys';
import { useDisabledReason } from '@/components/projects/use-disabled-reason';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import type { NewApiKey } from '@/lib/keys/schema';
import { StepSubmit } from './step-submit';

/** Creates a key that can send. Its plaintext stays in memory for the next step. */
export function KeyStep({ projectId, onMade }: { projectId: string; onMade: (plaintext: string) => Promise<unknown> }) {
  const disabledReason = useDisabledReason(projectId, 'api_key.manage');
  const form = useApiForm({
    defaultValues: { name: 'First key' },
    send: async ({ name }) => {
      const body = { name, scope: 'READ_WRITE' };
      await onMade((await apiFetch<NewApiKey>(keysPath(projectId), { method: 'POST', body })).key);
    },
  });
  return (
    <form noValidate onSubmit={form.submit} className="grid max-w-md gap-3">
      <Field
        label="Key name"
        error={form.fieldError('name')}
        hint="The key can read and send events. You can create more keys later."
      >
        {(control) => (
          <Input {...control} {...form.register('name', { required: 'Give the key a name.' })} autoComplete="off" />
        )}
      </Field>
      <InlineError what="The key could not be created" error={form.error} />
      <StepSubmit label="Create key" pending={form.pending} disabledReason={disabledReason} />
    </form>
  );
}
