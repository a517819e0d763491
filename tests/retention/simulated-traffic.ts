import { DAY_MS, HOUR_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { createPartitionsAhead } from '@/lib/retention/partitions/make-partitions';
import { DAYS_AHEAD } from '@/lib/retention/partitions/partitions';
import { makeRandom } from '@/scripts/demo/random';
import { insertEndpoint } from '@/tests/fixtures/deliveries';

export interface SimulatedAttempt {
  id: string;
  atMs: number;
  number: number;
  succeeded: boolean;
}

export interface SimulatedDelivery {
  id: string;
  atMs: number;
  attempts: SimulatedAttempt[];
  attemptCount: number;
  /** Until then it is pending; null once it has ended. */
  pendingUntilMs: number | null;
}

/** An event or incoming event, with what leaves with it. */
export interface SimulatedSource {
  id: string;
  table: 'events' | 'incoming_events';
  atMs: number;
  deliveries: SimulatedDelivery[];
  /** Its row in the outbox: waiting until then, or given up. */
  queued: { id: string; untilMs: number } | null;
  dead: { id: string; atMs: number } | null;
}

/** A row that nothing else leaves with. */
interface SimulatedRow {
  id: string;
  atMs: number;
}

/** What a deployment has stored: the model that the database is held against. */
export interface SimulatedStore {
  sources: SimulatedSource[];
  deadMails: SimulatedRow[];
  tunnelLog: SimulatedRow[];
}

export interface SimulatedProject {
  projectId: string;
  endpointId: string;
  sourceId: string;
  destinationId: string;
  tunnelId: string;
}

interface TrafficOptions {
  /** Number of days, up to yesterday. */
  days: number;
  /** Multiple of the daily traffic of a small shop. */
  times?: number;
  seed: number;
}

/**
 * Inserts past traffic into every table that retention cleans. Each day has its partitions, except every seventh, whose rows
 * are in the default partitions.
 */
export async function insertTraffic({ days, times = 1, seed }: TrafficOptions): Promise<SimulatedStore> {
  const store: SimulatedStore = { sources: [], deadMails: [], tunnelLog: [] };
  const random = makeRandom(seed);
  const project = await insertSimulatedProject();
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  for (let ago = days; ago >= 1; ago -= DAYS_AHEAD + 2) await createPartitionsAhead(new Date(today - ago * DAY_MS));
  await createPartitionsAhead(new Date(today));
  for (let ago = days; ago >= 1; ago -= 1) {
    for (let time = 0; time < times; time += 1) await insertDay(store, project, today - ago * DAY_MS, random);
  }
  return store;
}

// A test in lib/ may not import it from scripts/.
export { makeRandom };

/** One day of a small shop: most succeeds at once, some is retried for days, a little is given up or waits for a worker. */
export async function insertDay(
  store: SimulatedStore,
  project: SimulatedProject,
  dayMs: number,
  random: () => number,
): Promise<void> {
  const within = () => dayMs + Math.floor(random() * DAY_MS);
  const sources = Array.from({ length: 4 }, (_, n) =>
    makeSource(n === 3 ? 'incoming_events' : 'events', within(), random),
  );
  // The boundaries: the first and the last instant of a day.
  if (sources[0] !== undefined) sources[0].atMs = dayMs;
  if (sources[1] !== undefined) sources[1].atMs = dayMs + DAY_MS - 1;
  store.sources.push(...sources);
  await insertSources(project, sources);
  await insertDeliveries(project, sources);
  const tunnelLog = [{ id: newId(), atMs: within() }];
  store.tunnelLog.push(...tunnelLog);
  await insertAll(
    'tunnel_request_log',
    tunnelLog.map(({ id, atMs }) => ({
      id,
      project_id: project.projectId,
      tunnel_id: project.tunnelId,
      method: 'GET',
      path: '/',
      request_size: 0,
      created_at: iso(atMs),
    })),
  );
  const deadMails = random() < 0.6 ? [{ id: newId(), atMs: within() }] : [];
  store.deadMails.push(...deadMails);
  await insertAll(
    'mails',
    deadMails.map(({ id, atMs }) => ({
      id,
      payload_encrypted: '\\x00',
      status: 'DEAD',
      dead_at: iso(atMs),
      created_at: iso(atMs),
    })),
  );
  await insertAll(
    'outbox',
    sources.flatMap((source) => outboxRows(project, source)),
  );
}

function makeSource(table: SimulatedSource['table'], atMs: number, random: () => number): SimulatedSource {
  const source: SimulatedSource = { id: newId(), table, atMs, deliveries: [], queued: null, dead: null };
  const luck = random();
  if (luck < 0.02) source.queued = { id: newId(), untilMs: atMs + Math.floor(random() * 120 * DAY_MS) };
  else if (luck < 0.1) source.dead = { id: newId(), atMs: atMs + 4 * HOUR_MS };
  else source.deliveries.push(makeDelivery(atMs, random), ...(random() < 0.3 ? [makeDelivery(atMs, random)] : []));
  return source;
}

function makeDelivery(atMs: number, random: () => number): SimulatedDelivery {
  const failures = random() < 0.7 ? 0 : Math.floor(random() * 14);
  const attempts: SimulatedAttempt[] = [];
  let at = atMs;
  for (let number = 1; number <= failures + 1; number += 1) {
    attempts.push({ id: newId(), atMs: at, number, succeeded: number > failures && random() < 0.9 });
    at += Math.floor(random() * 8 * HOUR_MS);
  }
  const isStuck = random() < 0.03;
  return {
    id: newId(),
    atMs,
    attempts,
    attemptCount: attempts.length,
    pendingUntilMs: isStuck ? atMs + Math.floor(random() * 150 * DAY_MS) : null,
  };
}

/** What has ended by `nowMs`: deliveries that were pending, with a last attempt, and events that waited for a worker. */
export async function settleUntil(
  store: SimulatedStore,
  project: SimulatedProject,
  nowMs: number,
  random: () => number,
): Promise<void> {
  for (const source of store.sources) {
    if (source.queued !== null && source.queued.untilMs <= nowMs) {
      await database().query('DELETE FROM outbox WHERE id = $1', [source.queued.id]);
      source.queued = null;
      source.deliveries.push(makeDelivery(nowMs - 20 * HOUR_MS * random(), () => 0.5));
      await insertDeliveries(project, [source]);
    }
    for (const delivery of source.deliveries) {
      if (delivery.pendingUntilMs === null || delivery.pendingUntilMs > nowMs) continue;
      await endDelivery(project, delivery, delivery.pendingUntilMs);
    }
  }
}

async function endDelivery(project: SimulatedProject, delivery: SimulatedDelivery, atMs: number): Promise<void> {
  delivery.pendingUntilMs = null;
  delivery.attemptCount += 1;
  const attempt = { id: newId(), atMs, number: delivery.attemptCount, succeeded: true };
  await database().query(
    `UPDATE deliveries SET status = 'SUCCEEDED', next_attempt_at = NULL, attempt_count = $2, completed_at = $3 WHERE id = $1`,
    [delivery.id, delivery.attemptCount, iso(atMs)],
  );
  await insertAttempts(project, [{ ...delivery, attempts: [attempt] }]);
  delivery.attempts.push(attempt);
}

/** A project with one of everything that traffic runs through. */
export async function insertSimulatedProject(): Promise<SimulatedProject> {
  const endpoint = await insertEndpoint({ url: 'https://receiver.example/hook' });
  const { projectId } = endpoint;
  const sourceId = newId();
  const destinationId = newId();
  const source = { id: sourceId, project_id: projectId, name: 'shop', token_hash: '\\x00', token_encrypted: '\\x00' };
  await insertAll('sources', [source]);
  const url = 'https://destination.example';
  await insertAll('destinations', [{ id: destinationId, project_id: projectId, source_id: sourceId, url }]);
  return { projectId, endpointId: endpoint.id, sourceId, destinationId, tunnelId: newId() };
}

/** Inserts rows. A column that a row does not have is null, or has its default if no row has it. */
async function insertAll(table: string, rows: object[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = [...new Set(rows.flatMap(Object.keys))].join();
  await database().query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
    [JSON.stringify(rows)],
  );
}

/** A time as PostgreSQL reads it. */
const iso = (ms: number) => new Date(ms).toISOString();

const sourceColumn = (source: SimulatedSource) => (source.table === 'events' ? 'event_id' : 'incoming_event_id');

/** Returns what the outbox holds of an event: what waits, and what was given up. */
function outboxRows(project: SimulatedProject, source: SimulatedSource): object[] {
  const row = { kind: source.table === 'events' ? 'EVENT' : 'INCOMING_EVENT', project_id: project.projectId };
  const of = { ...row, [sourceColumn(source)]: source.id, created_at: iso(source.atMs) };
  return [
    ...(source.queued === null ? [] : [{ ...of, id: source.queued.id, status: 'PENDING' }]),
    ...(source.dead === null ? [] : [{ ...of, id: source.dead.id, status: 'DEAD', dead_at: iso(source.dead.atMs) }]),
  ];
}

/** Inserts events and incoming events, without their deliveries. */
async function insertSources({ projectId, sourceId }: SimulatedProject, sources: SimulatedSource[]): Promise<void> {
  const sent = { type: 'order.paid', payload: '{}' };
  const received = { source_id: sourceId, method: 'POST', headers: '[]', body: '\\x', size: 0 };
  for (const [table, content] of [
    ['events', sent],
    ['incoming_events', received],
  ] as const) {
    const ofTable = sources.filter((source) => source.table === table);
    await insertAll(
      table,
      ofTable.map(({ id, atMs }) => ({ id, project_id: projectId, created_at: iso(atMs), ...content })),
    );
  }
}

/** Stores the deliveries of sources that have none stored yet, with their attempts. */
async function insertDeliveries(project: SimulatedProject, sources: SimulatedSource[]): Promise<void> {
  const deliveries = sources.flatMap((source) => source.deliveries.map((delivery) => ({ source, delivery })));
  await insertAll(
    'deliveries',
    deliveries.map(({ source, delivery }) => ({
      id: delivery.id,
      project_id: project.projectId,
      [sourceColumn(source)]: source.id,
      ...(source.table === 'events' ? { endpoint_id: project.endpointId } : { destination_id: project.destinationId }),
      attempt_count: delivery.attemptCount,
      created_at: iso(delivery.atMs),
      ...(delivery.pendingUntilMs === null
        ? { status: 'FAILED', completed_at: iso(Math.max(delivery.atMs, ...delivery.attempts.map(({ atMs }) => atMs))) }
        : { status: 'PENDING', next_attempt_at: iso(delivery.pendingUntilMs) }),
    })),
  );
  await insertAttempts(
    project,
    deliveries.map(({ delivery }) => delivery),
  );
}

async function insertAttempts(project: SimulatedProject, deliveries: SimulatedDelivery[]): Promise<void> {
  await insertAll(
    'delivery_attempts',
    deliveries.flatMap((delivery) =>
      delivery.attempts.map((attempt) => ({
        id: attempt.id,
        project_id: project.projectId,
        delivery_id: delivery.id,
        attempt_number: attempt.number,
        started_at: iso(attempt.atMs),
        duration_ms: 5,
        succeeded: attempt.succeeded,
        created_at: iso(attempt.atMs),
      })),
    ),
  );
}
