'use client';

import { useRouter } from 'next/navigation';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { DialogForm, TextField } from '@/components/form/form-fields';
import { SelectField } from '@/components/form/select-field';
import { useApiForm } from '@/components/form/use-api-form';
import { Dialog } from '@/components/ui/dialog';
import type { Project } from '@/lib/orgs/schema';
import { roleDisabledReason } from './role-disabled-reason';
import { type OrganizationProjects, PROJECT_NAME_RULES, useProjects } from './use-projects';

/** Creates a project and opens its setup guide. */
export function CreateProjectDialog({
  open,
  onOpenChange,
  organizationId,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The preselected organization; by default the person's first. */
  organizationId?: string | undefined;
}) {
  const { organizations } = useProjects();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New project"
      description="Each project has its own API keys, endpoints and events."
    >
      {organizations === undefined ? null : (
        <CreateProjectForm
          organizations={organizations}
          organizationId={organizationId ?? organizations[0]?.id}
          onDone={() => onOpenChange(false)}
        />
      )}
    </Dialog>
  );
}

function CreateProjectForm({
  organizations,
  organizationId: initialId = '',
  onDone,
}: {
  organizations: OrganizationProjects[];
  organizationId: string | undefined;
  onDone: () => void;
}) {
  const router = useRouter();
  const { reload } = useProjects();
  const form = useApiForm({
    defaultValues: { name: '', organizationId: initialId },
    send: async ({ name, organizationId }) => {
      const project = await apiFetch<Project>(`/orgs/${organizationId}/projects`, { method: 'POST', body: { name } });
      await reload();
      onDone();
      router.push(`/?project=${project.id}`);
    },
  });
  const chosen = form.watch('organizationId');
  const role = organizations.find(({ id }) => id === chosen)?.role;
  return (
    <DialogForm
      form={form}
      label="Create project"
      failure="We couldn’t create the project"
      disabledReason={roleDisabledReason(role, 'project.manage')}
    >
      <TextField form={form} name="name" rules={PROJECT_NAME_RULES} label="Name" placeholder="Web shop" />
      {organizations.length > 1 ? (
        <SelectField
          form={form}
          name="organizationId"
          label="Organization"
          options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : null}
    </DialogForm>
  );
}
