'use client';

import { ChevronsUpDown, Plus } from 'lucide-react';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import type { OrganizationProjects } from '@/components/projects/use-projects';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '@/components/ui/dropdown-menu';
import { Link } from '@/components/ui/link';
import { Skeleton } from '@/components/ui/skeleton';
import { projectPath } from './nav-items';

/** Shows the current project and switches to another of the organization. */
export function ProjectSwitcher({
  organization,
  projectId,
  segment,
  onNewProject,
}: {
  /** Undefined while loading. */
  organization: OrganizationProjects | undefined;
  projectId: string | undefined;
  /** The page to keep when switching. */
  segment: string | undefined;
  onNewProject: () => void;
}) {
  const projects = organization?.projects ?? [];
  const project = projects.find(({ id }) => id === projectId);
  return (
    <Menu>
      <MenuTrigger className="flex h-10 w-full items-center gap-2 rounded-b-lg px-2.5 text-left hover:bg-sunken">
        <span className="sr-only">Switch project, current: </span>
        <span className="min-w-0 flex-1">
          {organization === undefined ? (
            <Skeleton className="w-28" />
          ) : (
            <span className="block truncate font-medium text-sm">{project?.name ?? 'Choose a project'}</span>
          )}
        </span>
        <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
      </MenuTrigger>
      <MenuContent align="start" className="w-60">
        <MenuLabel>Projects of {organization?.name}</MenuLabel>
        {projects.map(({ id, name }) => (
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
        {projects.length === 0 ? <MenuLabel>No projects yet</MenuLabel> : null}
        <MenuSeparator />
        <MenuItem disabledReason={roleDisabledReason(organization?.role, 'project.manage')} onSelect={onNewProject}>
          <Plus aria-hidden="true" />
          New project
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
