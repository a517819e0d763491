import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '@/lib/platform/clock';
import { newIdAt } from '@/lib/platform/ids';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { listOutages } from './outages';
import { selectSamples } from './stats-sql';

useDatabase();

const NOW = new Date('2026-11-23T10:59:30.400Z');
const HOUR = Date.parse('2026-11-23T10:00:00Z');
let endpointId: string;
let projectId: string;

/** An endpoint that fails now and then in all hours and days that are kept. */
beforeAll(async () => {
  const endpoint = await insertEndpoint({ url: 'http://a.example' });
  [endpointId, projectId] = [endpoint.id, endpoint.projectId];
  await run(
    `INSERT INTO stats (project_id, period, subject_id, starts_at, succeeded, server_errors)
     SELECT $1::uuid, 'HOUR'::"StatPeriod", $2::uuid, $3::timestamptz - n * interval '1 hour', 50, 50 FROM generate_series(0, 48) n UNION ALL
     SELECT $1, 'DAY', $2, date_trunc('day', $3, 'UTC') - n * interval '24 hours', 50, 50 FROM generate_series(0, 34) n`,
    projectId,
    endpointId,
    new Date(HOUR),
  );
});
beforeEach(() => {
  vi.restoreAllMocks();
});

/** Inserts deliveries to the endpoint. Those that failed have not succeeded since. */
const insert = (times: readonly number[], failed: boolean) =>
  run(
    `WITH given AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[]) AS g(id, completed_at)),
       event AS (INSERT INTO events (id, project_id, type, payload) SELECT id, $3, 'a', '{}' FROM given)
     INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, completed_at)
     SELECT id, $3, id, $4, $5::"DeliveryStatus", 1, completed_at FROM given`,
    times.map((time) => newIdAt(new Date(time))),
    times.map((time) => new Date(time + 100)),
    projectId,
    endpointId,
    failed ? 'FAILED' : 'SUCCEEDED',
  );

const list = () => listOutages('endpointId', { id: endpointId, failingSince: null }, projectId, () => NOW);

it('reads all slots of 35 days, and at most 900 deliveries of them at once', async () => {
  const read = vi.spyOn(selectSamples.endpointId, 'all');
  expect((await list()).data).toEqual([]);
  const given = read.mock.calls.map(([, values]) => values);
  const most = Math.max(...given.map(({ lowest, limit }) => lowest.length * Number(limit)));
  expect(most).toBeLessThanOrEqual(900);
  const lowest = given.flatMap((values) => values.lowest);
  expect(lowest.length).toBeGreaterThan(6_000);
  expect(lowest).toEqual(lowest.toSorted());
});

it('finds outages that begin and end in slots of different statements', async () => {
  const minutes = (fromMs: number, toMs: number, stepMs: number) =>
    Array.from({ length: (toMs - fromMs) / stepMs }, (_, n) => fromMs + n * stepMs);
  const longAgo = { from: HOUR - 30 * DAY_MS, to: HOUR - 20 * DAY_MS };
  const lately = { from: HOUR - 40 * HOUR_MS, to: HOUR - 30 * HOUR_MS };
  await insert(minutes(HOUR - 33 * DAY_MS, longAgo.from, HOUR_MS), false);
  await insert(minutes(longAgo.from, longAgo.to, HOUR_MS), true);
  await insert(minutes(longAgo.to, lately.from, HOUR_MS), false);
  await insert(minutes(lately.from, lately.to, 30 * SECOND_MS), true);
  await insert(minutes(lately.to, HOUR, 30 * SECOND_MS), false);
  const iso = (ms: number) => new Date(ms).toISOString();
  expect((await list()).data).toMatchObject([
    { from: iso(lately.from), to: iso(lately.to + 60 * SECOND_MS), undelivered: 1_200 },
    { from: iso(longAgo.from), to: iso(longAgo.to + 60 * SECOND_MS), undelivered: 240 },
  ]);
});
