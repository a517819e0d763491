import { storedRequestParts } from '@/lib/delivery/engine/request-headers';
import { addMs, DAY_MS, HOUR_MS, SECOND_MS, systemClock } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { inSqlTransaction, type SqlTransaction } from '@/lib/platform/db';
import { lowestIdAt, newIdAt, timeOfId } from '@/lib/platform/ids';
import { createPartitions } from '@/lib/retention/partitions/make-partitions';
import { utcDayOf } from '@/lib/retention/partitions/partitions';
import { policyOf, type RetentionPolicy } from '@/lib/retention/retention-policy';
import { rollUpStats } from '@/lib/stats/roll-up';
import { makeStory } from './audit-story';
import { backdate } from './backdate';
import {
  bodyOf,
  type DeliveryRow,
  endOf,
  errorOf,
  HISTORY_DAYS,
  type HistoryTarget,
  keptAttempts,
  makeDeliveries,
  makeEvents,
  makeSignature,
  removedUntil,
} from './history';
import { type HistorySource, makeIncoming, REQUEST_MAKERS, SIGNATURE_HEADER } from './incoming';
import { COLLEAGUES, DEMO_DOMAIN } from './people';
import { hex, makeRandom, pick, type Random, skewed } from './random';
import { PAUSE_REASON, type Receiver } from './receivers';
import { LOCK_FOR_HISTORY, QUEUE_ATTEMPT_STATS, QUEUE_EVENT_STATS } from './seed-sql';

/** What the history is about. */
export interface SeedTargets {
  organizationId: string;
  projectId: string;
  /** The owner, who signs in. */
  userId: string;
  /** A tunnel to a machine. */
  tunnelId: string;
  /** The ids of the customers by uid. */
  customers: ReadonlyMap<string, string>;
  targets: readonly HistoryTarget[];
  sources: readonly HistorySource[];
  /** `host:port` of the receiver. */
  remoteAddress: string;
}

/** A history that is being written. */
interface Writing {
  tx: SqlTransaction;
  demo: SeedTargets;
  policy: RetentionPolicy;
  random: Random;
  now: Date;
}

const CHUNK = 4_000;
const TUNNEL_REQUESTS = 90;
/** The log of tunnels is kept for seven days. */
const TUNNEL_DAYS = 6;

/**
 * Writes 30 days of history into a project, once: events, incoming events, their deliveries and attempts, requests of tunnels, audit
 * entries, and the statistics of all of that. Leaves out what retention would have removed by now; the statistics count it.
 * @returns false when the project has its history already
 */
export async function seedHistory(demo: SeedTargets): Promise<boolean> {
  const now = systemClock();
  const policy = policyOf(config());
  await makePartitions(policy, now);
  const write = (tx: SqlTransaction) => writeHistory({ tx, demo, policy, random: makeRandom(20_261_127), now });
  const isWritten = await inSqlTransaction(write, { statementMs: LONG_STATEMENT_MS });
  while (await rollUpStats());
  return isWritten;
}

async function writeHistory(writing: Writing): Promise<boolean> {
  const { tx, demo, now } = writing;
  const { projectId, targets } = demo;
  const { rows: locked } = await tx.query(LOCK_FOR_HISTORY, [projectId, lowestIdAt(addMs(now, -DAY_MS))]);
  if (locked[0].written) return false;
  // The statements below count attempts themselves.
  await tx.query(`SET LOCAL event_delivery.attempts_counted = 'on'`);
  const deliveries = [...(await insertEvents(writing)), ...(await insertIncoming(writing))];
  await insertDeliveries(writing, deliveries);
  for (const target of targets) await setTargetState(tx, projectId, target, now);
  // Near the end, since it locks the audit log.
  await backdate(tx, demo, now);
  await insertCompany(writing);
  return true;
}

/** Creates the days of the history that are kept, which retention would otherwise have to move out of the default partitions. */
async function makePartitions(policy: RetentionPolicy, now: Date): Promise<void> {
  await createPartitions((branch) => {
    const days = Math.min(HISTORY_DAYS, branch.daysKept(policy));
    return Array.from({ length: days + 1 }, (_, ago) => utcDayOf(addMs(now, (ago - days) * DAY_MS)));
  });
}

/** Inserts rows, which all have the same columns. */
async function insertRows(tx: SqlTransaction, table: string, rows: readonly object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  const text = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`;
  await inChunks(rows, (part) => tx.query(text, [JSON.stringify(part)]));
}

async function inChunks<T>(rows: readonly T[], work: (part: readonly T[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += CHUNK) await work(rows.slice(at, at + CHUNK));
}

/** Returns bytes as PostgreSQL reads them from a text. */
const bytea = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;

async function insertEvents({ tx, demo, policy, random, now }: Writing): Promise<DeliveryRow[]> {
  const { projectId, customers, targets } = demo;
  const events = makeEvents(random, now).filter(({ at }) => at > removedUntil(now, policy.eventsDays));
  const rows = events.map(({ id, type, payload, customer, at }) => ({
    id,
    project_id: projectId,
    type,
    payload,
    customer_id: customer === null ? null : customers.get(customer),
    created_at: at,
  }));
  await insertRows(tx, 'events', rows);
  return events.flatMap((event) => makeDeliveries(random, event, targets, now));
}

async function insertIncoming({ tx, demo, policy, random, now }: Writing): Promise<DeliveryRow[]> {
  const { projectId, sources } = demo;
  const made = sources.map((source) => makeIncoming(random, source, removedUntil(now, policy.incomingEventsDays), now));
  const rows = made.flatMap(({ rows }) => rows);
  await insertRows(
    tx,
    'incoming_events',
    rows.map((row) => ({
      id: row.id,
      project_id: projectId,
      source_id: row.sourceId,
      verified: row.verified,
      method: 'POST',
      content_type: row.contentType,
      headers: row.headers,
      body: bytea(row.body),
      size: row.body.length,
      created_at: row.at,
      provider_event_id: row.eventId,
    })),
  );
  return made.flatMap(({ deliveries }) => deliveries);
}

/** Inserts deliveries with those of their attempts that retention has left, and queues all of them for the statistics. */
async function insertDeliveries(
  { tx, demo, policy, random, now }: Writing,
  deliveries: readonly DeliveryRow[],
): Promise<void> {
  const { projectId, remoteAddress, targets } = demo;
  const optionsById = new Map(targets.map(({ id, receiver }) => [id, receiver.options]));
  const stored = deliveries.map((delivery) => ({ delivery, kept: keptAttempts(delivery.attempts, policy, now) }));
  const rows = stored.map(({ delivery, kept }) => {
    const { id, sourceId, targetId, customerId, isForward, status, nextAt, attempts } = delivery;
    const last = attempts.at(-1);
    const lastAt = last === undefined ? null : endOf(last);
    return {
      id,
      project_id: projectId,
      event_id: isForward ? null : sourceId,
      incoming_event_id: isForward ? sourceId : null,
      endpoint_id: isForward ? null : targetId,
      destination_id: isForward ? targetId : null,
      customer_id: customerId,
      status,
      attempt_count: attempts.length,
      schedule_step: attempts.length,
      stored_attempts: kept.length,
      next_attempt_at: nextAt,
      last_attempt_at: lastAt,
      last_response_status: last?.answer.status ?? null,
      last_error: last === undefined ? null : errorOf(last.answer),
      completed_at: status === 'PENDING' ? null : lastAt,
      created_at: new Date(timeOfId(id)),
    };
  });
  await insertRows(tx, 'deliveries', rows);
  const attemptRows = stored.flatMap(({ delivery, kept }) =>
    kept.map(({ at, number, answer }) => ({
      id: newIdAt(at),
      project_id: projectId,
      delivery_id: delivery.id,
      attempt_number: number,
      started_at: at,
      duration_ms: answer.durationMs,
      response_status: answer.status,
      response_body: bodyOf(random, answer),
      error: errorOf(answer),
      succeeded: errorOf(answer) === null,
      created_at: addMs(at, answer.durationMs),
      request_parts: requestPartsOf(optionsById.get(delivery.targetId)),
      response_headers: headersOf(answer.status, at),
      remote_address: remoteAddress,
      connect_us: random() < 0.3 ? 200 + Math.floor(random() * 900) : null,
      first_byte_us: answer.status === null ? null : Math.round(answer.durationMs * 970),
    })),
  );
  await insertRows(tx, 'delivery_attempts', attemptRows);
  await tx.query(QUEUE_EVENT_STATS, [projectId]);
  const counted = deliveries.flatMap(({ id, attempts }) =>
    attempts.map(({ number, at, answer }) => ({
      delivery_id: id,
      attempt_number: number,
      started_at: at,
      duration_ms: answer.durationMs,
      response_status: answer.status,
      error: errorOf(answer),
    })),
  );
  await inChunks(counted, (part) => tx.query(QUEUE_ATTEMPT_STATS, [projectId, JSON.stringify(part)]));
}

/** Returns what an attempt to an endpoint with these options keeps of its request. */
function requestPartsOf({ headers = {}, signature, bodyFormat }: Receiver['options'] = {}): string {
  return storedRequestParts({
    userAgent: 'EventDeliveryService/0.1.0',
    credential: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    signature: makeSignature(),
    beside: signature?.profile === 'SVIX' ? 'SVIX' : null,
    sendsData: bodyFormat === 'DATA',
    traceparent: null,
  });
}

function headersOf(status: number | null, at: Date): string | null {
  if (status === null) return null;
  const type = status < 300 || status === 410 || status === 429 ? 'application/json' : 'text/html';
  return `content-type: ${type}\ndate: ${at.toUTCString()}\nserver: nginx/1.28.0`;
}

/** Gives an endpoint the state that its history has led to. */
async function setTargetState(tx: SqlTransaction, projectId: string, { id, receiver }: HistoryTarget, now: Date) {
  const { health, changedMsAgo } = receiver;
  const since = addMs(now, -changedMsAgo);
  const isDisabled = health === 'disabled';
  const isPaused = health === 'paused';
  await tx.query(
    `UPDATE endpoints SET failing_since = $3::timestamptz, disabled_reason = $4::text,
       enabled = enabled AND $5::timestamptz IS NULL, disabled_at = $5, pause_reason = $6::text
     WHERE project_id = $1 AND id = $2`,
    [
      projectId,
      id,
      health === 'failing' ? since : null,
      isDisabled ? 'gone' : null,
      isDisabled || isPaused ? since : null,
      isPaused ? PAUSE_REASON : null,
    ],
  );
}

/** Adds colleagues, the requests of a tunnel and 30 days of audit entries. */
async function insertCompany(writing: Writing): Promise<void> {
  const { tx, demo, random, now } = writing;
  const { organizationId, projectId, userId, targets, sources } = demo;
  const ids = new Map<string, string | null>([
    ['user ada', userId],
    ['organization', organizationId],
    ...targets.map(({ id, receiver }) => [`endpoint ${receiver.path}`, id] as const),
    ...sources.map(({ id, provider }) => [`source ${provider}`, id] as const),
    ...sources.map(({ destinationId, provider }) => [`destination ${provider}`, destinationId] as const),
  ]);
  for (const { name, mailbox, role, joinedDaysAgo } of COLLEAGUES) {
    const at = addMs(now, -joinedDaysAgo * DAY_MS);
    const id = newIdAt(at);
    const [email, otherwise] = ['', `.${organizationId.slice(-4)}`].map((end) => `${mailbox}${end}@${DEMO_DOMAIN}`);
    await tx.query(
      `INSERT INTO users (id, email, name, email_verified_at, created_at)
       VALUES ($1, CASE WHEN EXISTS (SELECT FROM users WHERE email = $2) THEN $3 ELSE $2 END, $4, $5, $5)`,
      [id, email, otherwise, name, at],
    );
    await insertRows(tx, 'memberships', [{ organization_id: organizationId, user_id: id, role, created_at: at }]);
    ids.set(`user ${mailbox}`, id);
  }
  await insertTunnelRequests(writing);
  const story = makeStory({ projectId, ids }, random, now);
  await insertRows(
    tx,
    'audit_log',
    story.map((entry) => ({ organization_id: organizationId, ...entry })),
  );
}

async function insertTunnelRequests({ tx, demo, random, now }: Writing): Promise<void> {
  const { projectId, tunnelId } = demo;
  const rows = Array.from({ length: TUNNEL_REQUESTS }, () => {
    const at = addMs(now, -skewed(random, 2 * HOUR_MS, TUNNEL_DAYS * DAY_MS));
    const isMissed = random() < 0.08;
    const { headers, body } = REQUEST_MAKERS.STRIPE(random);
    const signature = SIGNATURE_HEADER.STRIPE(hex(random, 64), Math.floor(at.getTime() / SECOND_MS));
    return {
      id: newIdAt(at),
      project_id: projectId,
      tunnel_id: tunnelId,
      method: 'POST',
      path: pick(random, ['/webhooks/stripe', '/webhooks/stripe', '/webhooks/stripe/connect']),
      response_status: isMissed ? null : random() < 0.1 ? 500 : 200,
      duration_ms: skewed(random, 6, 220),
      request_size: body.length,
      response_size: isMissed ? null : 2,
      error: isMissed ? 'tunnel_offline' : null,
      request_headers: JSON.stringify([...headers, signature]),
      request_body: bytea(body),
      response_headers: isMissed ? null : '[["content-type","text/plain"],["x-powered-by","Express"]]',
      response_body: isMissed ? null : bytea(Buffer.from('ok')),
      created_at: at,
    };
  });
  await insertRows(tx, 'tunnel_request_log', rows);
}
