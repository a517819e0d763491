import type { PersonCaller } from '@/lib/audit/caller';
import { database } from '@/lib/platform/db';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import type { RowOf } from '@/lib/platform/sql/statement';
import { describeDevice } from './describe-device';
import type { Session } from './schema';
import { listOpenSessions } from './sessions-sql';

/** Lists the caller's open sessions, newest first. */
export async function listSessions(caller: PersonCaller, page: Page): Promise<Listing<Session>> {
  const rows = await listOpenSessions.all(database(), caller.userId, page.cursor ?? null, page.limit + 1);
  return toListing(rows, page.limit, (row) => presentSession(row, caller.sessionId));
}

function presentSession(row: RowOf<typeof listOpenSessions.columns>, currentId: string): Session {
  const { method, client_name: clientName, user_agent: userAgent } = row;
  return {
    id: row.id,
    method,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    ipAddress: row.ip_address,
    userAgent,
    device: describeDevice({ method, clientName, userAgent }),
    current: row.id === currentId,
  };
}
