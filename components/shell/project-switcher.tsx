'use client';

import { ChevronsUpDown, Plus } from 'lucide-react';
import Link from 'next/link';
import { useProject, useProjects } from '@/components/projects/use-projects';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '@/components/ui/dropdown-menu';
import { Skeleton } from '@/components/ui/skeleton';
import { projectPath } from './nav-items';

/** Which project this is, and the way to the others, by organization. */
export function ProjectSwitcher({
  projectId,
  segment,
  onNewProject,
}: {
  projectId: string | undefined;
  /** The page to keep when switching. */
  segment: string | undefined;
  onNewProject: () => void;
}) {
  const { organizations } = useProjects();
  const { project } = useProject(projectId);
  return (
    <Menu>
      <MenuTrigger className="flex w-full items-center gap-2 rounded-md border bg-surface px-2.5 py-1.5 text-left shadow-raised hover:bg-sunken">
        <span className="sr-only">Switch project, now: </span>
        <span className="min-w-0 flex-1">
          {organizations === undefined ? (
            <Skeleton className="my-2.5 w-28" />
          ) : (
            <>
              <span className="block truncate font-medium text-sm">{project?.name ?? 'Choose a project'}</span>
              <span className="block truncate text-muted text-xs">
                {project?.organization.name ?? organizations[0]?.name ?? 'No organization'}
              </span>
            </>
          )}
        </span>
        <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
      </MenuTrigger>
      <MenuContent align="start" className="w-60">
        {organizations?.map((organization) => (
          <div key={organization.id}>
            <MenuLabel>{organization.name}</MenuLabel>
            {organization.projects.map(({ id, name }) => (
              <MenuItem key={id} asChild>
                <Link
                  href={projectPath(id, segment ?? 'events')}
                  prefetch={false}
                  aria-current={id === projectId ? 'page' : undefined}
                >
                  <span className="truncate">{name}</span>
                </Link>
              </MenuItem>
            ))}
            {organization.projects.length === 0 ? <p className="px-2 py-1 text-muted text-xs">No project yet</p> : null}
          </div>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={onNewProject}>
          <Plus aria-hidden="true" />
          New project
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
