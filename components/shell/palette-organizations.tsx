'use client';

import { ArrowLeftRight, Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useSwitchOrganization } from '@/components/orgs/use-switch-organization';
import { ORGANIZATION_ITEMS, organizationPath } from './nav-items';
import { Group, Item } from './palette-item';
import type { NavigationScope } from './use-navigation-scope';

/** The pages of the current organization, and entries that switch to others. */
export function PaletteOrganizations({
  scope: { organization, organizations },
  run,
  onNewOrganization,
}: {
  scope: NavigationScope;
  /** Closes the palette, then runs the action. */
  run: (action: () => void) => () => void;
  onNewOrganization: () => void;
}) {
  const router = useRouter();
  const { switchTo } = useSwitchOrganization();
  const others = organizations?.filter(({ id }) => id !== organization?.id) ?? [];
  return (
    <Group heading="Organization">
      {organization === undefined
        ? null
        : ORGANIZATION_ITEMS.map((item) => (
            <Item
              key={item.segment}
              value={`Organization ${item.label}`}
              onSelect={run(() => router.push(organizationPath(organization.id, item.segment)))}
            >
              <item.icon aria-hidden="true" />
              {item.label}
              <span className="ml-auto truncate text-muted text-xs">{organization.name}</span>
            </Item>
          ))}
      {others.map(({ id, name }) => (
        <Item key={id} value={`Switch to ${name} ${id}`} onSelect={run(() => void switchTo(id))}>
          <ArrowLeftRight aria-hidden="true" />
          <span className="truncate">Switch to {name}</span>
        </Item>
      ))}
      <Item onSelect={run(onNewOrganization)}>
        <Plus aria-hidden="true" />
        New organization
      </Item>
    </Group>
  );
}
