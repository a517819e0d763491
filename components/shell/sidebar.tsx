'use client';

import { BookOpen, ChevronsUpDown, Plus } from 'lucide-react';
import { OrganizationSwitcher } from '@/components/orgs/organization-switcher';
import { roleDisabledReason } from '@/components/projects/role-disabled-reason';
import type { OrganizationProjects } from '@/components/projects/use-projects';
import { cn } from '@/components/ui/cn';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '@/components/ui/dropdown-menu';
import { Link } from '@/components/ui/link';
import { Skeleton } from '@/components/ui/skeleton';
import { LogoMark, PRODUCT_NAME } from './logo';
import { DOCS_PATH, NAV_ITEMS, type NavItem, ORGANIZATION_ITEMS, organizationPath, projectPath } from './nav-items';
import type { CurrentRoute } from './use-current-route';
import type { NavigationScope } from './use-navigation-scope';

interface SidebarProps {
  route: CurrentRoute;
  scope: NavigationScope;
  onNewProject: () => void;
  onNewOrganization: () => void;
  /** Runs when a link is followed, so that the drawer can close. */
  onNavigate?: () => void;
}

/** The navigation in the left column, or in a drawer on narrow screens. */
export function Sidebar({ route, scope, onNewProject, onNewOrganization, onNavigate }: SidebarProps) {
  const { projectId, organization, organizations } = scope;
  const organizationId = organization?.id ?? route.organizationId;
  const isOfOrganization = route.organizationId !== undefined || route.segment === 'retention';
  const onFollow = onNavigate ? { onNavigate } : {};
  return (
    <div className="flex h-full flex-col gap-4 p-3">
      <Link
        href="/"
        {...(onNavigate ? { onClick: onNavigate } : {})}
        className="flex h-8 items-center gap-2 rounded-md px-1 font-semibold text-base"
      >
        <LogoMark />
        {PRODUCT_NAME}
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
      {projectId === undefined && organizations === undefined ? <NavPlaceholder /> : null}
      {projectId === undefined ? null : (
        <NavLinks
          label="Project"
          items={NAV_ITEMS}
          pathOf={(segment) => projectPath(projectId, segment)}
          current={isOfOrganization ? undefined : route.segment}
          {...onFollow}
        />
      )}
      {organizationId === undefined ? null : (
        <div className={projectId === undefined && organizations !== undefined ? '' : 'border-t pt-3'}>
          <p aria-hidden="true" className="px-2 pb-1 font-medium text-muted text-xs">
            Organization
          </p>
          <NavLinks
            label="Organization"
            items={ORGANIZATION_ITEMS}
            pathOf={(segment) => organizationPath(organizationId, segment)}
            current={isOfOrganization ? route.segment : undefined}
            {...onFollow}
          />
        </div>
      )}
      <Link
        href={DOCS_PATH}
        {...(onNavigate ? { onClick: onNavigate } : {})}
        className="mt-auto flex h-8 shrink-0 items-center gap-2.5 rounded-md px-2 text-muted text-sm hover:bg-sunken hover:text-text"
      >
        <BookOpen aria-hidden="true" className="size-4" />
        Documentation
      </Link>
    </div>
  );
}

/** Keeps the space of a project's links while they load, so that what is below does not move. */
function NavPlaceholder() {
  return (
    <div aria-hidden="true" className="grid gap-0.5">
      {NAV_ITEMS.map(({ segment }) => (
        <div key={segment} className="h-8" />
      ))}
    </div>
  );
}

/** The links to the pages of a project or an organization. */
function NavLinks({
  label,
  items,
  pathOf,
  current,
  onNavigate,
}: {
  /** Names the navigation for screen readers. */
  label: string;
  items: readonly NavItem[];
  pathOf: (segment: string) => string;
  /** The segment of the current page, if it is one of these. */
  current: string | undefined;
  onNavigate?: () => void;
}) {
  return (
    <nav aria-label={label}>
      <ul className="grid gap-0.5">
        {items.map((item) => {
          const isCurrent = item.segment === current;
          return (
            <li key={item.segment}>
              <Link
                href={pathOf(item.segment)}
                aria-current={isCurrent ? 'page' : undefined}
                {...(onNavigate ? { onClick: onNavigate } : {})}
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
    </nav>
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
