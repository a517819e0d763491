import type { PathEntry, RouteTable } from '@/lib/http/table';

/** Lets Node serve every route of the table, so that a server without Next serves all of them. */
export function servedByNode(table: RouteTable): RouteTable {
  const entry = (verbs: PathEntry) =>
    Object.fromEntries(Object.entries(verbs).map(([verb, route]) => [verb, { ...route, servedBy: 'node' as const }]));
  return Object.fromEntries(Object.entries(table).map(([path, verbs]) => [path, entry(verbs)]));
}
