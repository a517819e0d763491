import type { PathEntry, RouteTable } from '@/lib/http/table';

/** Puts every route of the table on the fast lane, so that a server without Next serves all of them. */
export function onNodeLane(table: RouteTable): RouteTable {
  const entry = (verbs: PathEntry) =>
    Object.fromEntries(Object.entries(verbs).map(([verb, route]) => [verb, { ...route, lane: 'node' as const }]));
  return Object.fromEntries(Object.entries(table).map(([path, verbs]) => [path, entry(verbs)]));
}
