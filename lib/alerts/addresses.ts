import type { Sql } from '@/lib/platform/db';
import { selectAddresses } from './alerts-sql';

/** Adds to alerts of a project the address of the member that each tells: null for another kind, and for a person who has left. */
export async function withAddresses<A extends { user_id: string | null }>(
  sql: Sql,
  project: string,
  alerts: readonly A[],
): Promise<(A & { address: string | null })[]> {
  const users = [...new Set(alerts.flatMap(({ user_id: id }) => id ?? []))];
  const found = users.length === 0 ? [] : await selectAddresses.all(sql, { project, users });
  const addresses = new Map<string | null, string>(found.map((row) => [row.user_id, row.email]));
  return alerts.map((alert) => ({ ...alert, address: addresses.get(alert.user_id) ?? null }));
}
