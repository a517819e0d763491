import type { PersonCaller } from '@/lib/audit/caller';
import { database } from '@/lib/platform/db';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import type { SessionMethod } from '@/lib/platform/prisma/generated/enums';
import { describeDevice } from './describe-device';
import type { Session } from './schema';

interface SessionRow {
  id: string;
  method: SessionMethod;
  created_at: Date;
  last_used_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  client_name: string | null;
}

/** Lists the caller's open sessions, newest first. */
export async function listSessions(caller: PersonCaller, page: Page): Promise<Listing<Session>> {
  const { rows } = await database().query<SessionRow>(
    `SELECT id, method, created_at, last_used_at, ip_address, user_agent, client_name FROM sessions
     WHERE user_id = $1 AND closed_at IS NULL AND expires_at > clock_timestamp() AND ($2::uuid IS NULL OR id < $2)
     ORDER BY id DESC LIMIT $3`,
    [caller.userId, page.cursor ?? null, page.limit + 1],
  );
  return toListing(rows, page.limit, (row) => presentSession(row, caller.sessionId));
}

function presentSession(row: SessionRow, currentId: string): Session {
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
