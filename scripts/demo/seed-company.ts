import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/clock';
import type { SqlTransaction } from '@/lib/platform/db';
import { newIdAt } from '@/lib/platform/ids';
import { hex, pick, type Random, skewed } from './random';
import * as sql from './seed-sql';

/** The organization and project that the history belongs to. */
export interface Company {
  organizationId: string;
  projectId: string;
  /** The owner, who signs in. */
  userId: string;
  /** A tunnel to a machine. */
  tunnelId: string;
  /** The endpoint that was disabled. */
  disabledEndpointId: string;
}

const COLLEAGUES = [
  { name: 'Grace Hopper', role: 'ADMIN', daysAgo: 29 },
  { name: 'Linus Torvalds', role: 'DEVELOPER', daysAgo: 21 },
  { name: 'Margaret Hamilton', role: 'DEVELOPER', daysAgo: 13 },
  { name: 'Alan Kay', role: 'VIEWER', daysAgo: 6 },
] as const;

const TUNNEL_REQUESTS = 90;
/** The log of tunnels is kept for seven days. */
const TUNNEL_DAYS = 6;

/** Adds colleagues, the requests of a tunnel and 30 days of audit entries. */
export async function insertCompany(tx: SqlTransaction, company: Company, random: Random, now: Date): Promise<void> {
  const people = [company.userId];
  const { organizationId } = company;
  for (const { name, role, daysAgo } of COLLEAGUES) {
    const at = addMs(now, -daysAgo * DAY_MS);
    const id = newIdAt(at);
    const email = `${name.toLowerCase().replace(' ', '.')}.${organizationId.slice(-6)}@example.com`;
    await sql.insertColleague.run(tx, organizationId, id, email, name, role, at);
    people.push(id);
  }
  await insertTunnelRequests(tx, company, random, now);
  await insertAudit(tx, company, makeAudit(company, people, random, now));
}

async function insertTunnelRequests(tx: SqlTransaction, { projectId, tunnelId }: Company, random: Random, now: Date) {
  const rows = Array.from({ length: TUNNEL_REQUESTS }, () => {
    const at = addMs(now, -skewed(random, 2 * HOUR_MS, TUNNEL_DAYS * DAY_MS));
    const isMissed = random() < 0.08;
    return { at, isMissed, body: Buffer.from(JSON.stringify({ id: `evt_${hex(random, 16)}`, type: 'invoice.paid' })) };
  });
  const column = <T>(read: (row: (typeof rows)[number]) => T) => rows.map(read);
  await sql.insertTunnelRequests.run(
    ...[tx, projectId, tunnelId, column(({ at }) => newIdAt(at))],
    column(() => pick(random, ['/webhooks/stripe', '/webhooks/github', '/webhooks/stripe?retry=1'])),
    column(({ isMissed }) => (isMissed ? null : random() < 0.1 ? 500 : 200)),
    ...[column(({ isMissed }) => (isMissed ? 'tunnel_offline' : null)), column(({ body }) => body)],
    ...[column(() => skewed(random, 6, 220)), column(({ at }) => at)],
  );
}

interface Entry {
  at: Date;
  action: string;
  actor: string | null;
  type: string;
  target: string | null;
}

function makeAudit({ disabledEndpointId, projectId }: Company, people: string[], random: Random, now: Date): Entry[] {
  const entries: Entry[] = COLLEAGUES.map(({ daysAgo }, n) => ({
    ...{ at: addMs(now, -daysAgo * DAY_MS), action: 'invitation.accepted', actor: people[n + 1] ?? null },
    ...{ type: 'user', target: people[n + 1] ?? null },
  }));
  entries.push({
    ...{ at: addMs(now, -9 * DAY_MS), action: 'endpoint.disabled', actor: null },
    ...{ type: 'endpoint', target: disabledEndpointId },
  });
  for (let day = 30; day > 0; day--) {
    for (const actor of people.filter((_, n) => n === 0 || (COLLEAGUES[n - 1]?.daysAgo ?? 0) > day)) {
      if (random() < 0.4) continue;
      const at = addMs(now, -day * DAY_MS + skewed(random, 0, 8 * HOUR_MS));
      entries.push({ at, action: 'session.created', actor, type: 'session', target: newIdAt(at) });
      if (random() < 0.2) {
        const action = pick(random, ['project.updated', 'organization.exported', 'audit_log.viewed']);
        entries.push({ at: addMs(at, 400_000), action, actor, type: 'project', target: projectId });
      }
    }
  }
  return entries.sort((a, b) => a.at.getTime() - b.at.getTime());
}

async function insertAudit(tx: SqlTransaction, { organizationId, projectId }: Company, entries: readonly Entry[]) {
  const column = <T>(read: (entry: Entry) => T) => entries.map(read);
  await sql.insertAudit.run(
    ...[tx, organizationId, column(({ at }) => newIdAt(at)), column(({ action }) => action)],
    ...[column(({ actor }) => actor), column(({ type }) => type), column(({ target }) => target)],
    ...[column(({ at }) => at), projectId],
  );
}
