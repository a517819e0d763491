import { addMs, DAY_MS, HOUR_MS, SECOND_MS } from '@/lib/platform/clock';
import type { SqlTransaction } from '@/lib/platform/db';
import { newIdAt } from '@/lib/platform/ids';
import { makeStory, type StoryEntry } from './audit-story';
import type { HistoryTarget } from './history';
import { type HistorySource, REQUEST_MAKERS, SIGNATURE_HEADER } from './incoming';
import { COLLEAGUES, DEMO_DOMAIN } from './people';
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
  targets: readonly HistoryTarget[];
  sources: readonly HistorySource[];
}

const TUNNEL_REQUESTS = 90;
/** The log of tunnels is kept for seven days. */
const TUNNEL_DAYS = 6;

/** Adds colleagues, the requests of a tunnel and 30 days of audit entries. */
export async function insertCompany(tx: SqlTransaction, company: Company, random: Random, now: Date): Promise<void> {
  const { organizationId, projectId, targets, sources } = company;
  const people = new Map([['ada', company.userId]]);
  for (const { name, mailbox, role, joinedDaysAgo } of COLLEAGUES) {
    const at = addMs(now, -joinedDaysAgo * DAY_MS);
    const id = newIdAt(at);
    const [email, otherwise] = ['', `.${organizationId.slice(-4)}`].map(
      (suffix) => `${mailbox}${suffix}@${DEMO_DOMAIN}`,
    );
    await sql.insertColleague.run(tx, organizationId, id, email, otherwise, name, role, at);
    people.set(mailbox, id);
  }
  await insertTunnelRequests(tx, company, random, now);
  const subjects = {
    ...{ organizationId, projectId, people },
    endpoints: new Map(targets.map(({ id, receiver }) => [receiver.path, id])),
    sources: new Map(sources.map((source) => [source.provider, source])),
  };
  await insertAudit(tx, organizationId, makeStory(subjects, random, now));
}

async function insertTunnelRequests(tx: SqlTransaction, { projectId, tunnelId }: Company, random: Random, now: Date) {
  const rows = Array.from({ length: TUNNEL_REQUESTS }, () => {
    const at = addMs(now, -skewed(random, 2 * HOUR_MS, TUNNEL_DAYS * DAY_MS));
    const isMissed = random() < 0.08;
    const { headers, body } = REQUEST_MAKERS.STRIPE(random);
    const signature = SIGNATURE_HEADER.STRIPE(hex(random, 64), Math.floor(at.getTime() / SECOND_MS));
    return { at, isMissed, headers: JSON.stringify([...headers, signature]), body };
  });
  const column = <T>(read: (row: (typeof rows)[number]) => T) => rows.map(read);
  await sql.insertTunnelRequests.run(
    ...[tx, projectId, tunnelId, column(({ at }) => newIdAt(at))],
    column(() => pick(random, ['/webhooks/stripe', '/webhooks/stripe', '/webhooks/stripe/connect'])),
    column(({ isMissed }) => (isMissed ? null : random() < 0.1 ? 500 : 200)),
    ...[column(({ isMissed }) => (isMissed ? 'tunnel_offline' : null)), column(({ body }) => body)],
    ...[column(() => skewed(random, 6, 220)), column(({ at }) => at), column(({ headers }) => headers)],
  );
}

async function insertAudit(tx: SqlTransaction, organizationId: string, entries: readonly StoryEntry[]): Promise<void> {
  const column = <T>(read: (entry: StoryEntry) => T) => entries.map(read);
  await sql.insertAudit.run(
    ...[tx, organizationId, column(({ at }) => newIdAt(at)), column(({ action }) => action)],
    ...[column(({ actor }) => actor), column(({ actorId }) => actorId), column(({ address }) => address)],
    ...[column(({ targetType }) => targetType), column(({ targetId }) => targetId)],
    ...[column(({ details }) => JSON.stringify(details)), column(({ at }) => at)],
  );
}
