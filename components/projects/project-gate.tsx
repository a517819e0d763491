'use client';

import type { ReactNode } from 'react';
import useSWR from 'swr';
import { ApiError } from '@/components/auth-session/api-error';
import { MissingPage } from '@/components/ui/error-panel';
import { PageSkeleton } from '@/components/ui/skeleton';
import type { Project } from '@/lib/orgs/schema';
import { ProjectIdContext, useProject } from './use-projects';

/** Shows the pages of a project to the members of its organization. For others it does not exist, as in the API. */
export function ProjectGate({ projectId, children }: { projectId: string; children: ReactNode }) {
  const { project } = useProject(projectId);
  // The list has the newest 100 projects of each organization only.
  const { data, error } = useSWR<Project>(project === null ? `/projects/${projectId}` : null);
  const page = <ProjectIdContext value={projectId}>{children}</ProjectIdContext>;
  if (project !== null || data !== undefined) return page;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <MissingPage
        title="Project not found"
        sentence="It may have been deleted, or you’re no longer a member of its organization."
        back={{ href: '/', label: 'Go to the dashboard' }}
      />
    );
  }
  return error === undefined ? <PageSkeleton parts={['h-7 w-40', 'h-64 w-full']} /> : page;
}
