import { Button } from '@/components/ui/button';
import { CopyableId } from '@/components/ui/copyable-id';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { toast } from '@/components/ui/toast';
import { useApiForm } from './use-api-form';

/** The name and id of an organization or a project, with a form that changes the name. */
export function NameForm({
  kind,
  id,
  name,
  rules,
  rename,
  disabledReason,
}: {
  kind: 'organization' | 'project';
  id: string;
  name: string;
  rules: { required: string };
  /** Returns the name as it was stored. */
  rename: (body: { name: string }) => Promise<string>;
  disabledReason: string | undefined;
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
        <Field label="Name" error={form.fieldError('name')}>
          {(control) => (
            <div className="flex flex-wrap gap-2">
              <Input
                {...control}
                {...form.register('name', rules)}
                readOnly={disabledReason !== undefined}
                autoComplete="off"
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
        <InlineError what="We couldn’t save the name" error={form.error} />
      </form>
      <div>
        <p className="font-medium text-sm">{kind === 'project' ? 'Project ID' : 'Organization ID'}</p>
        <CopyableId id={id} label={`Copy ${kind} ID`} className="mt-0.5 text-muted" />
      </div>
    </div>
  );
}
