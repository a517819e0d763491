import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { CopyableId } from '@/components/ui/copyable-id';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { toast } from '@/components/ui/toast';
import { useApiForm } from './use-api-form';

/** The name and id of something, with a form that changes the name. `children` are between them. */
export function NameForm({
  kind,
  id,
  name,
  rules,
  rename,
  disabledReason,
  children,
}: {
  kind: 'organization' | 'project' | 'account';
  id: string;
  name: string;
  /** Without rules, the name is optional. */
  rules?: { required: string };
  /** Returns the name as it was stored. */
  rename: (body: { name: string }) => Promise<string>;
  disabledReason?: string | undefined;
  children?: ReactNode;
}) {
  const form = useApiForm({
    defaultValues: { name },
    send: async (body) => {
      form.reset({ name: await rename(body) });
      toast.success('Name saved.');
    },
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <form noValidate onSubmit={form.submit} className="grid gap-3">
        <Field label="Name" optional={rules === undefined} error={form.fieldError('name')}>
          {(control) => (
            <div className="flex flex-wrap gap-2">
              <Input
                {...control}
                {...form.register('name', rules)}
                readOnly={disabledReason !== undefined}
                autoComplete={kind === 'account' ? 'name' : 'off'}
                className="min-w-48 flex-1 read-only:bg-sunken read-only:text-muted"
              />
              <Button
                type="submit"
                className="h-9"
                loading={form.pending}
                disabledReason={disabledReason ?? (form.formState.isDirty ? undefined : 'No changes to save')}
              >
                Save name
              </Button>
            </div>
          )}
        </Field>
        <InlineError what={`We couldn’t save ${kind === 'account' ? 'your' : 'the'} name`} error={form.error} />
      </form>
      {children}
      <div>
        <p className="font-medium text-sm">{`${kind.charAt(0).toUpperCase()}${kind.slice(1)} ID`}</p>
        <CopyableId id={id} label={`Copy ${kind} ID`} className="mt-0.5 text-muted" />
      </div>
    </div>
  );
}
