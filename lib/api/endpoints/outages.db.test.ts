import { beforeEach, expect, it } from 'vitest';
import type { BulkRetry } from '@/lib/delivery/schema';
import type { Destination } from '@/lib/incoming/schema';
import { HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { newIdAt } from '@/lib/platform/ids';
import type { OutageList } from '@/lib/stats/schema';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { call } from '@/tests/http/api-request';

useDatabase();
const { makeEndpoint } = useEndpoints();

let project: TestProject;
let endpointId: string;
/** Set for what is tested of a destination in place of the endpoint. */
let destination: Destination | undefined;
const { makeSource, makeDestination, manage } = sourceTools(() => project);
beforeEach(async () => {
  destination = undefined;
  project = await makeTestProject();
  endpointId = (await makeEndpoint(project)).id;
});

/** The start of this hour, so that the outages of a test are in the same hours whenever it runs. */
const THIS_HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const hoursAgo = (hours: number) => THIS_HOUR - hours * HOUR_MS;
const iso = (ms: number) => new Date(ms).toISOString();

/** Inserts deliveries of events at these times, and counts their first attempts in hours and days. */
async function insert(
  times: readonly number[],
  { failed = false, arrivedAt }: { failed?: boolean; arrivedAt?: number } = {},
) {
  const status = failed && arrivedAt === undefined ? 'FAILED' : 'SUCCEEDED';
  const [event, columns] =
    destination === undefined
      ? [`events (id, project_id, type, payload) SELECT id, $2, 'a', '{}'`, 'event_id, endpoint_id']
      : [
          `incoming_events (id, project_id, source_id, method, headers, body, size)
           SELECT id, $2, '${destination.sourceId}', 'POST', '[]', '', 0`,
          'incoming_event_id, destination_id',
        ];
  await run(
    `WITH given AS (SELECT unnest($1::uuid[]) AS id, unnest($6::timestamptz[]) AS completed_at),
       event AS (INSERT INTO ${event} FROM given)
     INSERT INTO deliveries (id, project_id, ${columns}, status, attempt_count, completed_at)
     SELECT id, $2, id, $3, $4::"DeliveryStatus", $5, completed_at FROM given`,
    times.map((time) => newIdAt(new Date(time))),
    project.id,
    destination?.id ?? endpointId,
    status,
    failed && arrivedAt !== undefined ? 2 : 1,
    times.map((time) => iso(arrivedAt ?? time + 100)),
  );
  await run(
    `INSERT INTO stats (project_id, period, subject_id, starts_at, succeeded, server_errors)
     SELECT $1::uuid, p.period::"StatPeriod", $2::uuid, p.starts_at, CASE WHEN $3 THEN 0 ELSE count(*) END, CASE WHEN $3 THEN count(*) ELSE 0 END
     FROM unnest($4::timestamptz[]) t(at)
     CROSS JOIN LATERAL (VALUES ('HOUR', date_trunc('hour', at)), ('DAY', date_trunc('day', at, 'UTC'))) p(period, starts_at)
     GROUP BY 2, 3, p.period, p.starts_at
     ON CONFLICT (project_id, period, subject_id, starts_at) DO UPDATE
     SET succeeded = stats.succeeded + excluded.succeeded, server_errors = stats.server_errors + excluded.server_errors`,
    project.id,
    destination?.id ?? endpointId,
    failed,
    times.map(iso),
  );
}

const everyMinute = (fromMs: number, toMs: number, stepMs = MINUTE_MS) =>
  Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, (_, n) => fromMs + n * stepMs);

const tail = () =>
  destination === undefined
    ? `endpoints/${endpointId}`
    : `sources/${destination.sourceId}/destinations/${destination.id}`;
const path = () => `/api/v1/projects/${project.id}/${tail()}/outages`;
async function read() {
  const { status, json, text } = await call<OutageList>('GET', path(), { apiKey: project.key });
  expect(status, text).toBe(200);
  return json;
}
const list = async () => (await read()).data;

/** Makes the deliveries of these events wait for another attempt. */
async function makeWait(times: readonly number[], nextAttemptAt: string) {
  const ids = times.map((time) => newIdAt(new Date(time)).slice(0, 13));
  await run(
    `UPDATE deliveries SET status = 'PENDING', completed_at = NULL, next_attempt_at = $1 WHERE left(id::text, 13) = ANY($2)`,
    nextAttemptAt,
    ids,
  );
}

/** An outage of 36 seconds with ten events, and a success that ends it. */
const SHORT = everyMinute(hoursAgo(1) + 2_000, hoursAgo(1) + 36_000, 3_500);
async function insertShortOutage() {
  await insert(SHORT, { failed: true });
  await makeWait(SHORT, iso(THIS_HOUR + 2 * HOUR_MS));
  await insert([hoursAgo(1) + 38_000]);
}

it('an outage of two hours is found to the minute, with what has not arrived', async () => {
  const down = hoursAgo(5) + 2 * MINUTE_MS;
  const up = down + 119 * MINUTE_MS;
  await insert(everyMinute(hoursAgo(6), down));
  await insert(everyMinute(down, up), { failed: true });
  await insert(everyMinute(up, hoursAgo(1)));
  expect(await list()).toEqual([
    { from: iso(down), to: iso(up + MINUTE_MS), undelivered: 119, undeliveredIsAtLeast: false, nextAttemptAt: null },
  ]);
});

it('an outage of half a minute ends with the next success, and is shown while its deliveries wait and after', async () => {
  await insertShortOutage();
  const minute = { from: iso(hoursAgo(1)), to: iso(hoursAgo(1) + MINUTE_MS) };
  const nextAttemptAt = iso(THIS_HOUR + 2 * HOUR_MS);
  expect(await read()).toEqual({
    data: [{ ...minute, undelivered: 10, undeliveredIsAtLeast: false, nextAttemptAt }],
    waiting: { count: 10, countIsAtLeast: false, outsideOutages: 0, nextAttemptAt },
  });
  await run(
    `UPDATE deliveries SET status = 'SUCCEEDED', attempt_count = 2, completed_at = now(), next_attempt_at = NULL
     WHERE endpoint_id = $1 AND status = 'PENDING'`,
    endpointId,
  );
  expect(await read()).toMatchObject({
    data: [{ ...minute, undelivered: 0, nextAttemptAt: null }],
    waiting: { count: 0 },
  });
});

it('an outage of half a minute is found though the minute began with successes', async () => {
  const minute = hoursAgo(1) + 7 * MINUTE_MS;
  await insert(everyMinute(minute, minute + 5_000, 500));
  await insert(everyMinute(minute + 10_000, minute + 40_000, 1_300), { failed: true });
  await insert(everyMinute(minute + 41_000, minute + 50_000, 500));
  expect(await list()).toMatchObject([{ from: iso(minute), to: iso(minute + MINUTE_MS), undelivered: 24 }]);
});

it('the success of a retry ends an outage, also when its event is older than the outage', async () => {
  const down = hoursAgo(3);
  await insert(everyMinute(down, down + 10 * MINUTE_MS, 6_000), { failed: true });
  expect(await list()).toMatchObject([{ from: iso(down), to: null }]);
  await run(
    `UPDATE deliveries SET status = 'SUCCEEDED', attempt_count = 2, completed_at = $1
     WHERE id = (SELECT id FROM deliveries WHERE endpoint_id = $2 ORDER BY id OFFSET 3 LIMIT 1)`,
    iso(down + 30 * MINUTE_MS),
    endpointId,
  );
  expect(await list()).toMatchObject([{ from: iso(down), to: iso(down + 30 * MINUTE_MS), undelivered: 99 }]);
});

it('tells what waits without an outage, with the next attempt, and not what is queued or of another endpoint', async () => {
  const times = [0, 20, 40].map((minute) => hoursAgo(2) + minute * MINUTE_MS);
  for (const time of times) {
    await insert([time - 1_000, time + 1_000]);
    await insert([time], { failed: true });
  }
  await makeWait(times, iso(THIS_HOUR + 3 * HOUR_MS));
  await makeWait([times[1] as number], iso(THIS_HOUR + 2 * HOUR_MS));
  const waiting = { countIsAtLeast: false, nextAttemptAt: iso(THIS_HOUR + 2 * HOUR_MS) };
  expect(await read()).toEqual({ data: [], waiting: { ...waiting, count: 3, outsideOutages: 3 } });
  await run(
    `UPDATE deliveries SET attempt_count = 0 WHERE endpoint_id = $2 AND status = 'PENDING' AND next_attempt_at > $1`,
    waiting.nextAttemptAt,
    endpointId,
  );
  expect(await read()).toMatchObject({ waiting: { count: 1, outsideOutages: 1 } });
  endpointId = (await makeEndpoint(project)).id;
  expect(await read()).toEqual({
    data: [],
    waiting: { count: 0, countIsAtLeast: false, outsideOutages: 0, nextAttemptAt: null },
  });
});

it('an outage whose deliveries have all arrived is still shown, with nothing left', async () => {
  const down = hoursAgo(5);
  await insert(everyMinute(hoursAgo(6), down));
  await insert(everyMinute(down, down + HOUR_MS), { failed: true, arrivedAt: down + 2 * HOUR_MS });
  expect(await list()).toMatchObject([{ from: iso(down), to: iso(down + 2 * HOUR_MS), undelivered: 0 }]);
});

it('an outage of weeks ago is found to the minute, although only days of it are counted', async () => {
  const down = hoursAgo(20 * 24) + 7 * MINUTE_MS;
  const up = down + 2 * HOUR_MS;
  await insert(everyMinute(down - 3 * HOUR_MS, down, 20_000));
  await insert(everyMinute(down, up, 20_000), { failed: true });
  await insert(everyMinute(up, up + HOUR_MS, 20_000));
  const [outage] = await list();
  expect(Math.abs(Date.parse(outage?.from ?? '') - down)).toBeLessThanOrEqual(MINUTE_MS);
  expect(Math.abs(Date.parse(outage?.to ?? '') - up)).toBeLessThanOrEqual(MINUTE_MS);
  expect(outage?.undelivered).toBe(360);
});

it('the outage that lasts has no end, and comes first', async () => {
  await insert(everyMinute(hoursAgo(9), hoursAgo(8)), { failed: true });
  await insert(everyMinute(hoursAgo(8), hoursAgo(3)));
  await insert(everyMinute(hoursAgo(3), hoursAgo(2)), { failed: true });
  await run('UPDATE endpoints SET failing_since = $1 WHERE id = $2', iso(hoursAgo(3) + 15_000), endpointId);
  expect(await list()).toMatchObject([
    { from: iso(hoursAgo(3)), to: null, undelivered: 60 },
    { from: iso(hoursAgo(9)), undelivered: 60 },
  ]);
});

it('an endpoint that fails now and then has no outage, and one without attempts has none', async () => {
  expect(await list()).toEqual([]);
  for (let minute = 0; minute < 120; minute += 1) {
    await insert([hoursAgo(4) + minute * MINUTE_MS], { failed: minute % 7 === 0 });
  }
  expect(await list()).toEqual([]);
});

it('lists the newest five', async () => {
  for (let n = 1; n <= 7; n += 1) {
    await insert(everyMinute(hoursAgo(4 * n), hoursAgo(4 * n - 1)), { failed: true });
    await insert(everyMinute(hoursAgo(4 * n - 1), hoursAgo(4 * n - 2)));
  }
  expect((await list()).map(({ from }) => from)).toEqual([1, 2, 3, 4, 5].map((n) => iso(hoursAgo(4 * n))));
});

it('shows nothing of another project, and of a deleted endpoint', async () => {
  await insert(everyMinute(hoursAgo(5), hoursAgo(4)), { failed: true });
  expect(await list()).toHaveLength(1);
  const other = await makeTestProject();
  expect((await call('GET', path(), { apiKey: other.key })).status).toBe(404);
  const inOther = path().replace(project.id, other.id);
  expect((await call('GET', inOther, { apiKey: other.key })).status).toBe(404);
  await run('UPDATE endpoints SET deleted_at = now() WHERE id = $1', endpointId);
  expect((await call('GET', path(), { apiKey: project.key })).status).toBe(404);
});

it('a destination has outages as an endpoint has, and a bulk retry takes what one kept back', async () => {
  const source = await makeSource();
  destination = await makeDestination(source, { url: 'http://127.0.0.1:9' });
  const down = hoursAgo(5) + 2 * MINUTE_MS;
  await insert(everyMinute(hoursAgo(6), down));
  await insert(everyMinute(down, down + 10 * MINUTE_MS), { failed: true });
  await insert([down + 20 * MINUTE_MS]);
  const nextAttemptAt = iso(THIS_HOUR + 2 * HOUR_MS);
  await makeWait([down, down + MINUTE_MS], nextAttemptAt);
  const [from, to] = [iso(down), iso(down + 21 * MINUTE_MS)];
  expect(await read()).toEqual({
    data: [{ from, to, undelivered: 10, undeliveredIsAtLeast: false, nextAttemptAt }],
    waiting: { count: 2, countIsAtLeast: false, outsideOutages: 0, nextAttemptAt },
  });
  const filter = { destinationId: destination.id, status: 'UNDELIVERED', from, to };
  expect(await manage<BulkRetry>('POST', '/bulk-retries', filter)).toMatchObject({ total: 10 });
  destination = await makeDestination(source, { url: 'http://127.0.0.1:9' });
  expect(await list()).toEqual([]);
  await run('UPDATE destinations SET failing_since = $1 WHERE id = $2', iso(hoursAgo(1)), destination.id);
  expect(await list()).toMatchObject([{ from: iso(hoursAgo(1)), to: null, undelivered: 0 }]);
});

it('shows nothing of a destination of another source or project, and of a deleted one', async () => {
  destination = await makeDestination(await makeSource(), { url: 'http://127.0.0.1:9' });
  expect((await call('GET', path(), { apiKey: project.key })).status).toBe(200);
  const elsewhere = path().replace(destination.sourceId, (await makeSource()).id);
  expect((await call('GET', elsewhere, { apiKey: project.key })).status).toBe(404);
  const other = await makeTestProject();
  expect((await call('GET', path(), { apiKey: other.key })).status).toBe(404);
  await run('UPDATE destinations SET deleted_at = now() WHERE id = $1', destination.id);
  expect((await call('GET', path(), { apiKey: project.key })).status).toBe(404);
});
