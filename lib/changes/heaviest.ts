import type { Tenant } from '@/lib/orgs/find-tenant';
import { groupBy } from '@/lib/platform/group-by';

/**
 * Returns what the heaviest tenant holds, of its heaviest organization, oldest first; null if that tenant would keep fewer than
 * the newcomer gets. So two tenants cannot displace each other in turns. Organizations of one owner count together.
 */
export function heaviestOf<Held extends Tenant>(held: readonly Held[], newcomer: Tenant): Held[] | null {
  const byOwner = groupBy(held, ({ ownerId }) => ownerId);
  const heaviest = longest([...byOwner.values()]);
  const own = byOwner.get(newcomer.ownerId)?.length ?? 0;
  if (heaviest.length <= own + 1) return null;
  return longest([...groupBy(heaviest, ({ organizationId }) => organizationId).values()]);
}

function longest<Item>(groups: Item[][]): Item[] {
  return groups.reduce((found, group) => (group.length > found.length ? group : found), []);
}
