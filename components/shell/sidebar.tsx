'use client';

import { BookOpen, Building2, ChevronsUpDown, Plus } from 'lucide-react';
import { ROLE_LABELS } from '@/components/orgs/role-labels';
import { useSwitchOrganization } from '@/components/orgs/use-organization';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import type { OrganizationProjects } from '@/components/projects/use-projects';
import { Spinner } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/dropdown-menu';
import { Link } from '@/components/ui/link';
import { Skeleton } from '@/components/ui/skeleton';
import { Brand } from './logo';
import {
  DOCS_PATH,
  NAV_GROUPS,
  type NavItem,
  organizationItems,
  organizationPath,
  projectPath,
  sidebarSegment,
} from './nav-items';
import type { CurrentRoute, NavigationScope } from './use-navigation-scope';

interface SidebarProps {
  route: CurrentRoute;
  scope: NavigationScope;
  onNewProject: () => void;
  onNewOrganization: () => void;
  /** Runs when a link is followed, so that the drawer can close. */
  onNavigate?: (() => void) | undefined;
}

/** The navigation in the left column, or in a drawer on narrow screens. */
export function Sidebar({ route, scope, onNewProject, onNewOrganization, onNavigate }: SidebarProps) {
  const { projectId, organization, organizations } = scope;
  const organizationId = organization?.id ?? route.organizationId;
  const isOfOrganization = route.organizationId !== undefined || route.segment === 'retention';
  return (
    <div className="flex h-full flex-col gap-4 p-3">
      <Link href="/" onClick={onNavigate} className="rounded-md">
        <Brand className="h-8 px-1" />
      </Link>
      <div className="divide-y rounded-lg border bg-surface shadow-raised">
        <OrganizationSwitcher
          organization={organization}
          organizations={organizations}
          onNewOrganization={onNewOrganization}
        />
        <ProjectSwitcher
          organization={organization}
          projectId={projectId}
          segment={isOfOrganization ? undefined : route.segment}
          onNewProject={onNewProject}
        />
      </div>
      {projectId === undefined && organizations === undefined ? (
        // Keeps the space of a project's links while they load, so that what is below does not move.
        <div aria-hidden="true" className="invisible shrink-0">
          {NAV_GROUPS.map((group) => (
            <NavList key={group.label} {...group} pathOf={() => '/'} current={undefined} onNavigate={undefined} />
          ))}
        </div>
      ) : null}
      {projectId === undefined ? null : (
        <nav aria-label="Project">
          {NAV_GROUPS.map((group) => (
            <NavList
              key={group.label}
              {...group}
              pathOf={(segment) => projectPath(projectId, segment)}
              current={isOfOrganization ? undefined : sidebarSegment(route.segment)}
              onNavigate={onNavigate}
            />
          ))}
        </nav>
      )}
      {organizationId === undefined ? null : (
        <nav
          aria-label="Organization"
          className={projectId === undefined && organizations !== undefined ? '' : 'border-t pt-1'}
        >
          <NavList
            label="Organization"
            items={organizationItems(organization?.role)}
            pathOf={(segment) => organizationPath(organizationId, segment)}
            current={isOfOrganization ? route.segment : undefined}
            onNavigate={onNavigate}
          />
        </nav>
      )}
      <Link
        href={DOCS_PATH}
        onClick={onNavigate}
        className="mt-auto flex h-8 shrink-0 items-center gap-2.5 rounded-md px-2 text-muted text-sm hover:bg-sunken hover:text-text"
      >
        <BookOpen aria-hidden="true" className="size-4" />
        Documentation
      </Link>
    </div>
  );
}

/** A group of links to the pages of a project or an organization. */
function NavList({
  label,
  items,
  pathOf,
  current,
  onNavigate,
}: {
  /** Heads the group. */
  label: string | null;
  items: readonly NavItem[];
  pathOf: (segment: string) => string;
  /** The segment of the current page, if it is one of these. */
  current: string | undefined;
  onNavigate: (() => void) | undefined;
}) {
  return (
    <div>
      {label === null ? null : (
        <p aria-hidden="true" className="px-2 pt-2.5 pb-1 font-medium text-muted text-xs">
          {label}
        </p>
      )}
      <ul aria-label={label ?? undefined} className="grid gap-0.5">
        {items.map((item) => {
          const isCurrent = item.segment === current;
          return (
            <li key={item.segment}>
              <Link
                href={pathOf(item.segment)}
                aria-current={isCurrent ? 'page' : undefined}
                onClick={onNavigate}
                className={cn(
                  'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm hover:bg-sunken hover:text-text',
                  isCurrent ? 'bg-sunken font-medium text-text' : 'text-muted',
                )}
              >
                <item.icon aria-hidden="true" className={cn('size-4', isCurrent && 'text-accent-text')} />
                {item.label}
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Shows the current project and switches to another of the organization. */
function ProjectSwitcher({
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

/** Shows the current organization and switches to another. */
function OrganizationSwitcher({
  organization,
  organizations,
  onNewOrganization,
}: {
  organization: OrganizationProjects | undefined;
  /** Undefined while loading. */
  organizations: OrganizationProjects[] | undefined;
  onNewOrganization: () => void;
}) {
  const { switchTo, switching } = useSwitchOrganization();
  return (
    <Menu>
      <MenuTrigger
        aria-busy={switching || undefined}
        className="flex h-9 w-full items-center gap-2 rounded-t-lg px-2.5 text-left text-muted hover:bg-sunken hover:text-text"
      >
        <Building2 aria-hidden="true" className="size-4 shrink-0" />
        <span className="sr-only">Switch organization, current: </span>
        <span className="min-w-0 flex-1">
          {organizations === undefined ? (
            <Skeleton className="w-24" />
          ) : (
            <span className="block truncate text-xs">{organization?.name ?? 'No organization'}</span>
          )}
        </span>
        {switching ? <Spinner /> : <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0" />}
      </MenuTrigger>
      <MenuContent align="start" className="w-64">
        <MenuLabel>Your organizations</MenuLabel>
        <MenuRadioGroup
          value={organization?.id ?? ''}
          onValueChange={(id) => {
            if (id !== organization?.id) void switchTo(id);
          }}
        >
          {organizations?.map(({ id, name, role }) => (
            <MenuRadioItem key={id} value={id}>
              <span className="min-w-0">
                <span className="block truncate">{name}</span>
                <span className="block text-muted text-xs">{ROLE_LABELS[role].label}</span>
              </span>
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
        {organizations?.length === 0 ? <MenuLabel>No organizations yet</MenuLabel> : null}
        <MenuSeparator />
        <MenuItem onSelect={onNewOrganization}>
          <Plus aria-hidden="true" />
          New organization
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
