import { beforeAll, describe, expect, it } from 'vitest';
import { auditScan } from '@/lib/audit/list-audit-sql';
import { digestProjects } from '@/lib/changes/changes-sql';
import { type DeliveriesFilter, deliveryScan } from '@/lib/delivery/deliveries/delivery-scan-sql';
import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import { findDeliveries, type Position } from '@/lib/delivery/event-replays/find-deliveries';
import type { ReplayScope } from '@/lib/delivery/event-replays/replayed-events-sql';
import { type EventsFilter, eventScan } from '@/lib/events/events-sql';
import { incomingEventScan } from '@/lib/incoming/incoming-events/incoming-event-scan-sql';
import { findLastEvents } from '@/lib/orgs/orgs-sql';
import { database, type Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { countMatches, FOUND_IDS, HIGHEST_ID, LOWEST_ID, type Scan, scanPage } from '@/lib/platform/sql/bounded-scan';
import { countAttempts, countRows, findOldest } from '@/lib/retention/own-data-sql';
import { selectBacklog, selectFirstSuccess, selectSamples } from '@/lib/stats/stats-sql';
import { requestScan } from '@/lib/tunnel/request-log/request-log-sql';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { insertCustomer, insertEndpoint, insertEndpoints, insertProject } from '@/tests/fixtures/deliveries';
import { insertPastEvents } from '@/tests/fixtures/event-replays';

useDatabase();

const ROWS = 20_000;
const MAX_EXAMINED = 500;
/** The id of row `n`: its time, then a hash that tells the tables apart. */
const idOf = (table: string) =>
  `overlay(lpad(to_hex(n), 12, '0') || '7' || md5(n || '${table}') placing '8' from 17)::varchar(32)::uuid`;

const ids = { project: '', organization: '', endpoint: '', source: newId(), tunnel: newId() };
const small = { project: '', organization: '' };

const organizationOf = async (project: string): Promise<string> =>
  (await select('SELECT organization_id FROM projects WHERE id = $1', project))[0].organization_id;

/** One tenant has 20,000 rows in each table, another has none. */
beforeAll(async () => {
  const { id, projectId } = await insertEndpoint({ url: 'http://127.0.0.1:9' });
  Object.assign(ids, { project: projectId, endpoint: id, organization: await organizationOf(projectId) });
  small.project = await insertProject();
  small.organization = await organizationOf(small.project);
  const fill = (sql: string, ...values: unknown[]) => run(`${sql} FROM generate_series(1, ${ROWS}) n`, ...values);
  await run(
    `INSERT INTO sources (id, project_id, name, token_hash, token_encrypted) VALUES ($1, $2, 'a', '', '')`,
    ids.source,
    projectId,
  );
  await fill(
    `INSERT INTO events (id, project_id, type, payload) SELECT ${idOf('events')}, $1, 'order.' || n % 3, '{}'`,
    projectId,
  );
  await fill(
    `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, stored_attempts, last_response_status)
     SELECT ${idOf('deliveries')}, $1, ${idOf('events')}, $2,
            (CASE WHEN n % 2 = 0 THEN 'FAILED' ELSE 'SUCCEEDED' END)::"DeliveryStatus", 1, 1, CASE WHEN n % 2 = 0 THEN 503 ELSE 200 END`,
    projectId,
    id,
  );
  await fill(
    `INSERT INTO incoming_events (id, project_id, source_id, method, headers, body, size, verified)
     SELECT ${idOf('incoming_events')}, $1, $2, 'POST', '[]', '', 0, true`,
    projectId,
    ids.source,
  );
  await fill(
    `INSERT INTO audit_log (id, organization_id, action, actor_type, target_type)
     SELECT ${idOf('audit_log')}, $1, 'project.updated', 'SYSTEM', 'project'`,
    ids.organization,
  );
  await fill(
    `INSERT INTO tunnel_request_log (id, project_id, tunnel_id, method, path, request_size)
     SELECT ${idOf('tunnel_request_log')}, $1, $2, 'GET', '/', 0`,
    projectId,
    ids.tunnel,
  );
  await run('VACUUM ANALYZE');
});

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** Returns the rows that a plan read from the tables, those that it left out included. */
function rowsOf(node: PlanNode): number {
  const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const own = node['Relation Name'] === undefined ? 0 : (node['Actual Rows'] + dropped) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), own);
}

/** Runs statements, and counts the rows that the largest of them read. */
function countingSql() {
  const counted = { most: 0, statements: 0 };
  const query = async ({ text, values }: { text: string; values: unknown[] }) => {
    const plan = await database().query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>({
      text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    });
    const [root] = plan.rows[0]?.['QUERY PLAN'] ?? [];
    if (root === undefined) throw new Error('there is no plan');
    counted.most = Math.max(counted.most, rowsOf(root.Plan));
    counted.statements += 1;
    return database().query({ text, values });
  };
  return { counted, sql: { query } as unknown as Sql };
}

const DELIVERIES: (() => DeliveriesFilter)[] = [
  () => ({}),
  () => ({ responseStatus: '299' }),
  () => ({ responseStatus: '404' }),
  () => ({ responseStatus: 'none' }),
  () => ({ status: 'FAILED', responseStatus: '404' }) as const,
  () => ({ status: 'QUEUED' }) as const,
  () => ({ endpointId: ids.endpoint, responseStatus: '299' }),
  () => ({ destinationId: newId() }),
  () => ({ eventType: 'none' }),
  () => ({ eventType: 'none.*' }),
  () => ({ eventType: 'order.1', responseStatus: '299' }),
  () => ({ id: newId() }),
  () => ({ eventId: newId() }),
  () => ({ incomingEventId: newId() }),
];
const EVENTS: (() => EventsFilter)[] = [
  () => ({}),
  () => ({ type: 'none' }),
  () => ({ type: 'none.*' }),
  () => ({ id: newId() }),
  () => ({ clientAddress: '192.0.2.1' }),
  () => ({ q: '192.0.2.1' }),
  () => ({ status: 'QUEUED' }) as const,
  () => ({ status: 'FAILED', type: 'none' }) as const,
  () => ({ endpointId: ids.endpoint, type: 'none.*' }),
  () => ({ endpointId: newId() }),
];
const SCANS: [string, () => Scan][] = [
  ...DELIVERIES.map((of): [string, () => Scan] => [`deliveries ${of}`, () => deliveryScan(ids.project, of())]),
  ...DELIVERIES.map((of): [string, () => Scan] => [
    `from the oldest ${of}`,
    () => deliveryScan(ids.project, of(), true),
  ]),
  ...EVENTS.map((of): [string, () => Scan] => [`events ${of}`, () => eventScan(ids.project, of())]),
  ['unverified incoming events', () => incomingEventScan(ids.project, { verified: 'false' })],
  ['audit entries', () => auditScan({ organizationId: ids.organization, action: 'endpoint.created' })],
  ['audit entries of all', () => auditScan({ organizationId: null, action: 'endpoint.created' })],
  ['tunnel requests', () => requestScan(ids.project, ids.tunnel, { method: 'DELETE' })],
];

it.each(SCANS)('a page reads a bounded number of rows, whatever matches: %s', async (_, scanOf) => {
  const { counted, sql } = countingSql();
  await scanPage(sql, { ...scanOf(), maxExamined: MAX_EXAMINED }, { limit: 50 }, FOUND_IDS);
  expect(counted.statements).toBeLessThanOrEqual(3);
  // The scan, what a condition looks up for each row, and the end of the window; two indexes may be merged.
  expect(counted.most).toBeLessThanOrEqual(5 * MAX_EXAMINED);
});

it('a count reads a bounded number of rows, though nothing matches', async () => {
  const { counted, sql } = countingSql();
  const limits = { upTo: 100_000, maxExamined: 2 * ROWS };
  const scan = deliveryScan(ids.project, { responseStatus: '299' });
  expect(await countMatches(sql, scan, limits)).toEqual({ count: 0, isExact: true });
  expect(counted.most).toBeLessThanOrEqual(2 * ROWS);
});

describe('one reading of an event replay, with 400 endpoints for each event', () => {
  const [ENDPOINTS, SENT, MISSED] = [400, 50, 50];
  const READ = { firstEvents: 100, mostEvents: 100, mostPairs: 500 };
  let scope: ReplayScope;
  let customerId: string;
  const failed = { eventId: '', endpointId: '' };
  beforeAll(async () => {
    const projectId = await insertEndpoints(Array.from({ length: ENDPOINTS }, () => 'http://127.0.0.1:9'));
    customerId = await insertCustomer(projectId);
    // Endpoints of the project that also receive what customers get.
    await run('UPDATE endpoints SET receives_customer_events = true WHERE project_id = $1', projectId);
    await run('UPDATE subscriptions SET receives_customer_events = true WHERE project_id = $1', projectId);
    const insert = (count: number, customer: string | null) =>
      insertPastEvents(projectId, count, { customerId: customer });
    const events = await insert(SENT, null);
    await insert(MISSED, customerId);
    const endpoints = await select<{ id: string }>(
      'SELECT id FROM endpoints WHERE project_id = $1 ORDER BY id',
      projectId,
    );
    const pairs = events.flatMap((event) => endpoints.map(({ id }) => [event, id] as const));
    await run(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, completed_at)
       SELECT d.id, $4, d.event_id, d.endpoint_id, 'SUCCEEDED', now()
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) d (id, event_id, endpoint_id)`,
      pairs.map((pair) => deliveryIdOf(...pair)),
      pairs.map(([event]) => event),
      pairs.map(([, endpoint]) => endpoint),
      projectId,
    );
    Object.assign(failed, { eventId: events.at(-1), endpointId: endpoints.at(-1)?.id });
    await run(`UPDATE deliveries SET status = 'FAILED' WHERE id = $1`, deliveryIdOf(failed.eventId, failed.endpointId));
    await run('VACUUM ANALYZE');
    const at = new Date(Date.now() + 60_000);
    const any = { endpoint: null, customerId: null, eventType: null };
    scope = { projectId, select: 'MISSING', from: new Date(0), to: at, at, ...any };
  });
  /** Reads to the end. @returns what was found, and the rows that the largest statement has read */
  const readAll = async (chosen: ReplayScope) => {
    const { counted, sql } = countingSql();
    const found: { eventId: string; endpointId: string; isMissing: boolean }[] = [];
    for (let start: Position = { eventId: null, endpointId: null }; ; ) {
      const { deliveries, end, isLast } = await findDeliveries(sql, chosen, start, READ);
      found.push(...deliveries);
      if (isLast) return { found, most: counted.most };
      start = end;
    }
  };

  it('reads few more endpoints than it looks at, and finds each missing delivery once', async () => {
    const { found, most } = await readAll(scope);
    expect(new Set(found.map(({ eventId, endpointId }) => eventId + endpointId)).size).toBe(MISSED * ENDPOINTS);
    expect(found).toHaveLength(MISSED * ENDPOINTS);
    expect(most).toBeLessThan(15 * READ.mostPairs);
  });

  it('looks at 10,000 deliveries, and finds the failed one among more', async () => {
    const { found, most } = await readAll({ ...scope, select: 'FAILED' });
    expect(found).toEqual([expect.objectContaining({ ...failed, isMissing: false })]);
    expect(SENT * ENDPOINTS).toBeGreaterThanOrEqual(20_000);
    expect(most).toBeLessThan(10_500);
  });

  it('for one customer does not read the endpoints that receive the events of all customers', async () => {
    const { found, most } = await readAll({ ...scope, customerId });
    expect(found).toEqual([]);
    expect(most).toBeLessThan(1_000);
  });
});

type Read = [name: string, read: (sql: Sql) => Promise<unknown>];
const OF_ANOTHER: Read[] = [
  ['the newest event of a project', (sql) => findLastEvents.all(sql, { projects: [small.project] })],
  ['digests of open lists', (sql) => digestProjects.all(sql, { projects: [small.project] })],
  [
    'its attempts',
    (sql) =>
      countAttempts.all(sql, { organization: small.organization, walked: 10_000, lowestId: newId(), succeeded: true }),
  ],
  ...(['endpointId', 'destinationId'] as const).flatMap((target): Read[] => [
    [
      `samples by ${target}`,
      (sql) => selectSamples[target].all(sql, { target: newId(), lowest: [LOWEST_ID], below: [HIGHEST_ID], limit: 3 }),
    ],
    [
      `the first success by ${target}`,
      (sql) => selectFirstSuccess[target].all(sql, { target: newId(), after: new Date(0), limit: 1_000 }),
    ],
  ]),
  ['its backlog', (sql) => selectBacklog.all(sql, { project: small.project, limit: 10_001 })],
  ...Object.entries(countRows).map(
    ([table, count]): Read => [
      `its rows of ${table}`,
      (sql) => count.all(sql, { limit: 100_000, organization: small.organization }),
    ],
  ),
  ...Object.entries(findOldest).map(
    ([table, find]): Read => [
      `its oldest row of ${table}`,
      (sql) => find.all(sql, { organization: small.organization }),
    ],
  ),
];

it.each(OF_ANOTHER)('a tenant without rows does not read those of another: %s', async (_, read) => {
  const { counted, sql } = countingSql();
  await read(sql);
  expect(counted.most).toBeLessThan(100);
});

const OF_FOREIGN_IDS: [string, () => Scan][] = [
  ['deliveries', () => deliveryScan(small.project, { endpointId: ids.endpoint })],
  ['deliveries by status', () => deliveryScan(small.project, { endpointId: ids.endpoint, status: 'FAILED' })],
  ['deliveries from the oldest', () => deliveryScan(small.project, { endpointId: ids.endpoint }, true)],
  ['events', () => eventScan(small.project, { endpointId: ids.endpoint })],
  ['incoming events', () => incomingEventScan(small.project, { sourceId: ids.source })],
];

it.each(OF_FOREIGN_IDS)('a filter by the id of another tenant reads no rows of theirs: %s', async (_, scanOf) => {
  const { counted, sql } = countingSql();
  const scan = { ...scanOf(), maxExamined: MAX_EXAMINED };
  expect(await scanPage(sql, scan, { limit: 50 }, FOUND_IDS)).toEqual({ rows: [], next: null });
  expect(await countMatches(sql, scan, { upTo: 1, maxExamined: 1 })).toEqual({ count: 0, isExact: true });
  expect(counted.most).toBeLessThan(10);
});
