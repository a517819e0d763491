'use client';

import { useRouter } from 'next/navigation';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useApiForm } from '@/components/form/use-api-form';
import { NoOrganization } from '@/components/orgs/no-organization';
import { PROJECT_NAME_RULES, ProjectNameField } from '@/components/projects/project-name-field';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import { useProjects } from '@/components/projects/use-projects';
import { InlineError } from '@/components/ui/inline-error';
import type { OrganizationSummary, Project } from '@/lib/orgs/schema';
import { StepSubmit } from './step-submit';

/** Creates the first project of an organization. */
export function ProjectStep({ organization }: { organization: OrganizationSummary | undefined }) {
  const router = useRouter();
  const { reload } = useProjects();
  const form = useApiForm({
    defaultValues: { name: 'My project' },
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
      <ProjectNameField
        control={form.register('name', PROJECT_NAME_RULES)}
        error={form.fieldError('name')}
        hint={`In ${organization.name}. Each project has its own API keys, endpoints and events.`}
      />
      <InlineError what="We couldn’t create the project" error={form.error} />
      <StepSubmit
        label="Create project"
        pending={form.pending}
        disabledReason={roleDisabledReason(organization.role, 'project.manage')}
      />
    </form>
  );
}
