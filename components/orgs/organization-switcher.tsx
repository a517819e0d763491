'use client';

import { Building2, ChevronsUpDown, Plus } from 'lucide-react';
import type { OrganizationProjects } from '@/components/projects/use-projects';
import { Spinner } from '@/components/ui/button';
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
import { Skeleton } from '@/components/ui/skeleton';
import { ROLE_LABELS } from './role-labels';
import { useSwitchOrganization } from './use-switch-organization';

/** Shows the current organization and switches to another. */
export function OrganizationSwitcher({
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
