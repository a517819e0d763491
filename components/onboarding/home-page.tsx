'use client';

import dynamic from 'next/dynamic';
import { useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useSession } from '@/components/auth-session/use-session';
import { type OrganizationProjects, useProjects } from '@/components/projects/use-projects';
import { readLastProject } from '@/components/shell/last-project';
import { projectPath } from '@/components/shell/nav-items';
import { ErrorPanel } from '@/components/ui/error-panel';
import { chooseHome } from './choose-home';
import { FirstStepsSkeleton } from './first-steps-skeleton';
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
  const [last] = useState(readLastProject);
  const projects = organizations.flatMap((organization) => organization.projects);
  const { project, stay } = chooseHome(projects, { asked, last, organizationId: home?.id });
  if (project === null || stay) return <FirstSteps key={project?.id} project={project} organization={home} />;
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
