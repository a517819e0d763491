'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import useSWR from 'swr';
import { AccountSection } from '@/components/account/account-section';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { PolicySection } from '@/components/event-types/policy-section';
import { NameForm } from '@/components/form/name-form';
import { LAST_PROJECT } from '@/components/shell/use-navigation-scope';
import { DeleteButton, ExplainedAction } from '@/components/ui/action-buttons';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { ErrorPanel } from '@/components/ui/error-panel';
import { PageHeader } from '@/components/ui/page-header';
import { PageSkeleton } from '@/components/ui/skeleton';
import { writeStored } from '@/components/ui/stored';
import { toast } from '@/components/ui/toast';
import { LimitList } from '@/components/usage/limit-list';
import type { Project } from '@/lib/orgs/schema';
import { type Role, roleDisabledReason } from './role-disabled-reason';
import { PROJECT_NAME_RULES, useProjectId, useProjects } from './use-projects';

const PROJECT_LIMITS = 8;

/** The settings of a project: name, id, limits and deletion. */
export function ProjectSettingsPage() {
  const path = `/projects/${useProjectId()}`;
  const { data: project, error, mutate } = useSWR<Project>(path);
  const { organizations } = useProjects();
  const organization = organizations?.find(({ id }) => id === project?.organizationId);
  if (error && project === undefined) {
    return <ErrorPanel what="We couldn’t load the project" error={error} onRetry={() => void mutate()} />;
  }
  return (
    <>
      <PageHeader
        title="Project settings"
        description={project ? <span className="wrap-anywhere">{project.name}</span> : <span>Loading…</span>}
      />
      {project === undefined || organization === undefined ? (
        <PageSkeleton parts={['h-36 w-full', 'h-80 w-full', 'h-24 w-full']} />
      ) : (
        <>
          <AccountSection title="General" description="The name appears in the project switcher and in search.">
            <RenameProject
              key={project.id}
              project={project}
              role={organization.role}
              onRenamed={(renamed) => mutate(renamed, { revalidate: false })}
            />
          </AccountSection>
          <PolicySection
            project={project}
            role={organization.role}
            onChanged={(changed) => mutate(changed, { revalidate: false })}
          />
          <AccountSection
            title="Limits"
            description="How many of each this project has. At a limit you can’t create another one; what exists keeps working. The operator of this deployment can raise it."
          >
            <LimitList path={`${path}/limits`} count={PROJECT_LIMITS} />
          </AccountSection>
          <AccountSection tone="danger" title="Delete project" description="This can’t be undone.">
            <DeleteProject project={project} role={organization.role} />
          </AccountSection>
        </>
      )}
    </>
  );
}

function RenameProject({
  project: { id, name },
  role,
  onRenamed,
}: {
  project: Project;
  role: Role;
  onRenamed: (project: Project) => Promise<unknown>;
}) {
  const { reload } = useProjects();
  const rename = async (body: { name: string }) => {
    const renamed = await apiFetch<Project>(`/projects/${id}`, { method: 'PATCH', body });
    await onRenamed(renamed);
    await reload();
    return renamed.name;
  };
  return (
    <NameForm
      kind="project"
      id={id}
      name={name}
      rename={rename}
      rules={PROJECT_NAME_RULES}
      disabledReason={roleDisabledReason(role, 'project.manage')}
    />
  );
}

/** Deletes the project after its exact name is typed. */
function DeleteProject({ project: { id, name }, role }: { project: Project; role: Role }) {
  const router = useRouter();
  const { reload } = useProjects();
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    await apiFetch(`/projects/${id}`, { method: 'DELETE' });
    writeStored(LAST_PROJECT, null);
    toast.success(`${name} is deleted.`);
    router.replace('/');
    await reload();
  };
  return (
    <ExplainedAction text="Deletes the project with its API keys, customers, endpoints, subscriptions, sources, destinations, tunnels, events and deliveries.">
      <DeleteButton
        label="Delete project"
        disabledReason={roleDisabledReason(role, 'project.manage')}
        onClick={() => setAsking(true)}
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete this project?"
        description="Its API keys stop working and deliveries stop immediately. All its data is deleted. This can’t be undone."
        typeToConfirm={name}
        confirmLabel="Delete project"
        onConfirm={remove}
      />
    </ExplainedAction>
  );
}
