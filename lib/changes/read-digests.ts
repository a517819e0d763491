import { database } from '@/lib/platform/db';
import { digestProjects } from './changes-sql';
import type { ChangeKind } from './types';

/** One value for each kind. It changes when a row of the newest page is added, removed or changed. */
export type Digests = Record<ChangeKind, string | null>;

/** Reads the digests of projects, by project, with one statement. */
export async function readDigests(projectIds: readonly string[]): Promise<Map<string, Digests>> {
  const rows = await digestProjects.all(database(), projectIds);
  return new Map(
    rows.map((row) => [
      row.project_id,
      {
        events: row.events,
        deliveries: row.deliveries,
        incomingEvents: row.incoming_events,
        tunnelRequests: row.tunnel_requests,
      },
    ]),
  );
}
