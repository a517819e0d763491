import type { PersonCaller } from '@/lib/audit/caller';
import { database } from '@/lib/platform/db';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import type { SessionMethod } from '@/lib/platform/prisma/generated/enums';
import type { RowOf } from '@/lib/platform/sql/statement';
import { readUserAgent } from '@/lib/platform/user-agent';
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

interface SessionClient {
  method: SessionMethod;
  clientName: string | null;
  userAgent: string | null;
}

/** The name before the first version or space, as programs send it: `curl/8.5`, `python-requests/2.31`, `node`. */
const PROGRAM = /^(?!Mozilla\b)[A-Za-z][\w.+-]{0,39}(?=[/ ]|$)/;

/**
 * Names the device of a session in words its person recognizes: "Chrome on macOS", "CLI on build-box", "curl". A
 * client that signed in with a device code is called what it called itself.
 */
export function describeDevice({ method, clientName, userAgent }: SessionClient): string {
  if (method === 'DEVICE' && clientName !== null) {
    return /\bcli\b/i.test(clientName) ? clientName : `CLI on ${clientName}`;
  }
  const { browser, system } = readUserAgent(userAgent ?? '');
  if (browser !== null && system !== null) return `${browser.replace(/ for Android$/, '')} on ${system}`;
  const program = PROGRAM.exec(userAgent ?? '')?.[0];
  return browser ?? program ?? (method === 'DEVICE' ? 'CLI' : 'Unknown device');
}
