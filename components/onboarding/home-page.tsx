'use client';

import dynamic from 'next/dynamic';
import { useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useSession } from '@/components/auth-session/use-session';
import {
  busiestProject,
  type OrganizationProjects,
  ProjectIdContext,
  useProjects,
} from '@/components/projects/use-projects';
import { projectPath } from '@/components/shell/nav-items';
import { LAST_PROJECT } from '@/components/shell/use-navigation-scope';
import { ErrorPanel } from '@/components/ui/error-panel';
import { readStored } from '@/components/ui/stored';
import { FirstStepsSkeleton } from './step';
import { useFirstSteps } from './use-first-steps';

/** Most people are redirected, and need no setup guide. */
const FirstSteps = dynamic(() => import('./first-steps').then((part) => part.FirstSteps), {
  loading: FirstStepsSkeleton,
});

/** Redirects to the last opened project, or shows the setup guide until the first event. */
export function HomePage() {
  const { organizations, error, reload } = useProjects();
  const { organization } = useSession();
  if (error && organizations === undefined) {
    return <ErrorPanel what="We couldn’t load your projects" error={error} onRetry={() => void reload()} />;
  }
  if (organizations === undefined) return <FirstStepsSkeleton />;
  const home = organizations.find(({ id }) => id === organization?.id) ?? organizations[0];
  // Keyed by organization: the choice for the previous one does not apply.
  return <Home key={home?.id} organizations={organizations} home={home} />;
}

function Home({
  organizations,
  home,
}: {
  organizations: OrganizationProjects[];
  home: OrganizationProjects | undefined;
}) {
  const asked = useSearchParams().get('project');
  const [last] = useState(() => readStored(LAST_PROJECT));
  const projects = organizations.flatMap((organization) => organization.projects);
  const { project, stay } = chooseHome(projects, { asked, last, organizationId: home?.id });
  if (project === null || stay) {
    return (
      <ProjectIdContext key={project?.id} value={project?.id ?? ''}>
        <FirstSteps project={project} organization={home} />
      </ProjectIdContext>
    );
  }
  return <RedirectToProject key={project.id} project={project} />;
}

/** Redirects to the overview of a project, or to its setup guide while it has none. */
function RedirectToProject({ project }: { project: { id: string } }) {
  const router = useRouter();
  const { loading, error, progress, reload } = useFirstSteps(project.id);
  useEffect(() => {
    if (!loading) router.replace(progress.hasEvent ? projectPath(project.id, 'overview') : `/?project=${project.id}`);
  }, [loading, progress.hasEvent, project.id, router]);
  if (error) return <ErrorPanel what="We couldn’t load your project" error={error} onRetry={() => void reload()} />;
  return <FirstStepsSkeleton />;
}

interface HomeChoice<P> {
  /** Null when there is no project. */
  project: P | null;
  /** Whether the URL asks for the setup guide, which then stays although there are events. */
  stay: boolean;
}

/**
 * Chooses the project of the home page: the one in the URL, else the last opened one, else the busiest one of the session's
 * organization. Never one of another organization: that would lead away from a new, empty organization.
 */
export function chooseHome<P extends { id: string; organizationId: string; lastEventAt: string | null }>(
  projects: readonly P[],
  wish: { asked: string | null; last: string | null; organizationId: string | undefined },
): HomeChoice<P> {
  const byId = (id: string | null) => projects.find((project) => project.id === id);
  const asked = byId(wish.asked);
  const busiest = busiestProject(projects.filter(({ organizationId }) => organizationId === wish.organizationId));
  return { project: asked ?? byId(wish.last) ?? busiest ?? null, stay: asked !== undefined };
}
