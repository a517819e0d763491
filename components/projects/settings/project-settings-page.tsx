'use client';

import useSWR from 'swr';
import { AccountSection } from '@/components/account/account-section';
import { useProjects } from '@/components/projects/use-projects';
import { ErrorPanel } from '@/components/ui/error-panel';
import { PageHeader } from '@/components/ui/page-header';
import { PageSkeleton } from '@/components/ui/skeleton';
import { LimitList } from '@/components/usage/limit-list';
import type { Project } from '@/lib/orgs/schema';
import { DeleteProject } from './delete-project';
import { RenameProject } from './rename-project';

const PROJECT_LIMITS = 6;

/** The settings of a project: name, id, limits and deletion. */
export function ProjectSettingsPage({ projectId }: { projectId: string }) {
  const { data: project, error, mutate } = useSWR<Project>(`/projects/${projectId}`);
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
          <AccountSection
            title="Limits"
            description="How much this project uses. Ask the operator of this deployment for more."
          >
            <LimitList path={`/projects/${projectId}/limits`} count={PROJECT_LIMITS} />
          </AccountSection>
          <AccountSection tone="danger" title="Delete project" description="This can’t be undone.">
            <DeleteProject project={project} role={organization.role} />
          </AccountSection>
        </>
      )}
    </>
  );
}
