'use client';

import { useRouter } from 'next/navigation';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useApiForm } from '@/components/form/use-api-form';
import { NoOrganization } from '@/components/orgs/no-organization';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { useProjects } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { InlineError } from '@/components/ui/inline-error';
import { Input } from '@/components/ui/input';
import type { OrganizationSummary, Project } from '@/lib/orgs/schema';

/** The first project of an organization. */
export function ProjectStep({ organization }: { organization: OrganizationSummary | undefined }) {
  const router = useRouter();
  const { reload } = useProjects();
  const form = useApiForm({
    defaultValues: { name: '' },
    send: async (body) => {
      const project = await apiFetch<Project>(`/orgs/${organization?.id}/projects`, { method: 'POST', body });
      await reload();
      router.replace(`/?project=${project.id}`);
    },
  });
  if (organization === undefined) {
    return <NoOrganization />;
  }
  return (
    <form noValidate onSubmit={form.submit} className="grid max-w-md gap-3">
      <Field
        label="Name"
        error={form.fieldError('name')}
        hint={`In ${organization.name}. Keys, endpoints and events of a project stay apart from those of others.`}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register('name', { required: 'Give the project a name.' })}
            autoComplete="off"
            placeholder="Web shop"
          />
        )}
      </Field>
      <InlineError what="The project could not be created" error={form.error} />
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        loading={form.pending}
        disabledReason={roleDisabledReason(organization.role, 'project.manage')}
      >
        Create project
      </Button>
    </form>
  );
}
