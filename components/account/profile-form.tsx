'use client';

import { useApiForm } from '@/components/form/use-api-form';
import { Button } from '@/components/ui/button';
import { CopyableId } from '@/components/ui/copyable-id';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { toast } from '@/components/ui/toast';
import type { User } from '@/lib/accounts/schema';
import { EmailStatus } from './email-status';

/** Name, email address and id. Only the name can be changed. */
export function ProfileForm({ user, rename }: { user: User; rename: (name: string | null) => Promise<void> }) {
  const form = useApiForm({
    defaultValues: { name: user.name ?? '' },
    send: async (values) => {
      const name = values.name.trim();
      await rename(name === '' ? null : name);
      form.reset({ name });
      toast.success('Name saved.');
    },
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <form noValidate onSubmit={form.submit} className="grid gap-3">
        <Field label="Name" optional error={form.fieldError('name')}>
          {(control) => (
            <div className="flex flex-wrap gap-2">
              <Input {...control} {...form.register('name')} autoComplete="name" className="min-w-48 flex-1" />
              <Button
                type="submit"
                className="h-9"
                loading={form.pending}
                disabledReason={form.formState.isDirty ? undefined : 'No changes to save'}
              >
                Save name
              </Button>
            </div>
          )}
        </Field>
        <InlineError what="We couldn’t save your name" error={form.error} />
      </form>
      <EmailStatus user={user} />
      <div>
        <p className="font-medium text-sm">Account ID</p>
        <CopyableId id={user.id} label="Copy account ID" className="mt-0.5 text-muted" />
      </div>
    </div>
  );
}
