'use client';

import { apiFetch } from '@/components/auth-session/api-fetch';
import { useApiForm } from '@/components/form/use-api-form';
import { useOrganization } from '@/components/orgs/use-organization';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { Button } from '@/components/ui/button';
import { CopyableId } from '@/components/ui/copyable-id';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import { toast } from '@/components/ui/toast';
import type { Organization, OrganizationSummary } from '@/lib/orgs/schema';

/** The name and id of the organization. Admins can change the name. */
export function RenameForm({ organization }: { organization: OrganizationSummary }) {
  const { reload } = useOrganization(organization.id);
  const disabledReason = roleDisabledReason(organization.role, 'organization.update');
  const form = useApiForm({
    defaultValues: { name: organization.name },
    send: async (body) => {
      const renamed = await apiFetch<Organization>(`/orgs/${organization.id}`, { method: 'PATCH', body });
      await reload();
      form.reset({ name: renamed.name });
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
                {...form.register('name', { required: 'Give the organization a name.' })}
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
        <p className="font-medium text-sm">Organization ID</p>
        <CopyableId id={organization.id} label="Copy organization ID" className="mt-0.5 text-muted" />
      </div>
    </div>
  );
}
