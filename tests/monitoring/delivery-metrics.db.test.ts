import { beforeEach, describe, expect, it } from 'vitest';
import { recordOutcomes } from '@/lib/delivery/engine/record/record-outcomes';
import { measureQueue } from '@/lib/delivery/workers/workers-sql';
import { database, madePools } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { flushMetrics, observeShared } from '@/lib/platform/metrics-counters';
import { startProcessFigures } from '@/lib/platform/process-figures';
import { itOnOneServer } from '@/tests/database/one-server';
import { useDatabase } from '@/tests/database/use-database';
import { FAILURE, makeJobs, SUCCESS, targetOf } from '@/tests/delivery/outcomes';
import { insertEndpoint, insertEvents, insertProject } from '@/tests/fixtures/deliveries';
import { PASSWORD, registerPerson } from '@/tests/fixtures/people';
import { useProjects } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';
import { scrapeNow } from './exposition';

useDatabase();
const projects = useProjects();

beforeEach(async () => {
  await database().query('TRUNCATE deliveries, outbox, mails, metric_counters, process_figures');
  setOnce('metrics-collector-delivery_queue', undefined);
});

/** Reads the samples of /metrics, by series. */
async function scrape(): Promise<Record<string, number>> {
  await flushMetrics();
  return Object.assign({}, ...[...(await scrapeNow()).values()].map(({ samples }) => samples));
}

describe('the queue', () => {
  it('is empty, and nothing has an age, when nothing is due', async () => {
    expect(await scrape()).toMatchObject({
      delivery_due: 0,
      delivery_oldest_due_age_seconds: 0,
      outbox_pending: 0,
      'outbox_oldest_due_age_seconds{kind="event"}': 0,
      'outbox_oldest_due_age_seconds{kind="mail"}': 0,
    });
  });

  it('shows how many deliveries are due, and how long the oldest has been, but not those that a worker has', async () => {
    await makeJobs(3, true);
    const due = `UPDATE deliveries SET next_attempt_at = now() - interval '90 s'
                 WHERE id IN (SELECT id FROM deliveries ORDER BY id LIMIT 2)`;
    await database().query(due);
    const found = await scrape();
    expect(found.delivery_due).toBe(2);
    expect(found.delivery_oldest_due_age_seconds).toBeGreaterThanOrEqual(90);
    expect(found.delivery_oldest_due_age_seconds).toBeLessThan(120);
  });

  it('shows the oldest event that was not fanned out, of all projects, apart from mails', async () => {
    for (const seconds of [10, 400, 50]) {
      const projectId = await insertProject();
      await insertEvents(projectId, 2);
      await database().query(
        'UPDATE outbox SET available_at = now() - make_interval(secs => $2) WHERE project_id = $1',
        [projectId, seconds],
      );
    }
    await database().query(
      `INSERT INTO mails (id, payload_encrypted, available_at)
       VALUES (gen_random_uuid(), '\\x00', now() - interval '70 s')`,
    );
    const found = await scrape();
    expect(found.outbox_pending).toBe(6);
    expect(found['outbox_oldest_due_age_seconds{kind="event"}']).toBeCloseTo(400, -1);
    expect(found['outbox_oldest_due_age_seconds{kind="mail"}']).toBeCloseTo(70, -1);
  });

  itOnOneServer('is measured from indexes: no table is scanned, however many rows it has', async () => {
    const { id, projectId } = await insertEndpoint({ url: 'http://receiver.test' });
    const [eventId] = await insertEvents(projectId, 1);
    await database().query(
      `INSERT INTO outbox (id, kind, project_id, event_id, status, dead_at)
       SELECT gen_random_uuid(), 'EVENT', $1, $2, 'DEAD', now() FROM generate_series(1, 20000)`,
      [projectId, eventId],
    );
    await database().query(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, completed_at)
       SELECT gen_random_uuid(), $1, $2, $3, 'SUCCEEDED', now() FROM generate_series(1, 20000)`,
      [projectId, eventId, id],
    );
    await database().query('ANALYZE outbox, deliveries');
    const { rows } = await database().query(`EXPLAIN ${measureQueue.text}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index');
    expect(plan).not.toMatch(/Seq Scan on (?:outbox|deliveries)/);
  });
});

describe('a histogram that all processes share', () => {
  const histogram = {
    name: 'delivery_first_attempt_seconds',
    help: '',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 43_200],
  };

  it('has cumulative buckets, a sum and a count, from the first scrape on', async () => {
    const name = 'delivery_first_attempt_seconds';
    expect(await scrape()).toMatchObject({
      [`${name}_bucket{le="+Inf"}`]: 0,
      [`${name}_count`]: 0,
      [`${name}_sum`]: 0,
    });
    for (const ms of [5, 10, 200, 90_000_000]) observeShared(histogram, ms);
    expect(await scrape()).toMatchObject({
      [`${name}_bucket{le="0.01"}`]: 2,
      [`${name}_bucket{le="0.1"}`]: 2,
      [`${name}_bucket{le="0.25"}`]: 3,
      [`${name}_bucket{le="43200"}`]: 3,
      [`${name}_bucket{le="+Inf"}`]: 4,
      [`${name}_count`]: 4,
      [`${name}_sum`]: 90_000.215,
    });
  });

  it('does not show its stored counts as a counter of their own', async () => {
    observeShared(histogram, 5);
    expect(Object.keys(await scrape()).filter((series) => series.includes('_buckets_total'))).toEqual([]);
  });
});

describe('a recorded attempt', () => {
  it('counts by its result, and its delivery by the time until its first attempt and its success', async () => {
    const { endpoint, jobs } = await makeJobs(4);
    const target = await targetOf(endpoint);
    const startedAt = new Date();
    const ok = { ...SUCCESS, startedAt };
    const dns = { ...FAILURE, startedAt, responseStatus: null, error: 'Host name not found' };
    const results = [ok, ok, dns, dns];
    await recordOutcomes(
      jobs.map((job, n) => ({ job, target, result: results[n] ?? ok, retryMs: n === 2 ? 5_000 : null })),
    );
    expect(await scrape()).toMatchObject({
      'delivery_attempt_results_total{result="succeeded"}': 2,
      'delivery_attempt_results_total{result="dns"}': 2,
      'delivery_attempt_results_total{result="tls"}': 0,
      delivery_first_attempt_seconds_count: 4,
      delivery_success_seconds_count: 2,
      'worker_attempts_total{kind="succeeded"}': 2,
      'worker_attempts_total{kind="failed"}': 2,
      'worker_deliveries_completed_total{kind="succeeded"}': 2,
      'worker_deliveries_completed_total{kind="failed"}': 1,
    });
  });

  it('counts a target that it disabled once, however many attempts said so', async () => {
    const { endpoint, jobs } = await makeJobs(2, true);
    const target = await targetOf(endpoint);
    const gone = { ...FAILURE, responseStatus: 410, error: 'Answered with status 410' };
    for (const job of jobs) await recordOutcomes([{ job, target, result: gone, retryMs: null }]);
    expect(await scrape()).toMatchObject({
      'delivery_targets_disabled_total{reason="gone"}': 1,
      'delivery_targets_disabled_total{reason="failing"}': 0,
    });
  });
});

describe('a process that listens on no port', () => {
  it('shows its pools and the delay of its event loop through the web process, until it stops', async () => {
    const stop = startProcessFigures('worker');
    await waitFor('its row', async () => (await database().query('SELECT FROM process_figures')).rowCount === 1);
    expect(await scrape()).toMatchObject({
      'part_processes{part="worker"}': 1,
      'database_pool_connections_max{part="worker",pool="general"}': 10 * madePools().general.length,
      'database_pool_waiting{part="worker",pool="hot"}': 0,
      'database_pool_connections_max{part="web",pool="hot"}': 10 * madePools().hot.length,
      'event_loop_delay_seconds{part="worker"}': expect.any(Number),
    });
    await stop();
    expect(await scrape()).not.toHaveProperty('part_processes{part="worker"}');
  });

  it('shows the worst of its kind, and nothing of one that died', async () => {
    const row = `INSERT INTO process_figures (id, part, pool_max, general_in_use, general_waiting, hot_in_use, hot_waiting,
      event_loop_delay_ms, seen_at) VALUES (gen_random_uuid(), 'retention', 10, $1, $2, 0, 0, $3, now() - $4::interval)`;
    await database().query(row, [3, 0, 20, '1 s']);
    await database().query(row, [10, 4, 5, '1 s']);
    await database().query(row, [10, 99, 9_000, '2 min']);
    expect(await scrape()).toMatchObject({
      'part_processes{part="retention"}': 2,
      'database_pool_connections_in_use{part="retention",pool="general"}': 10,
      'database_pool_waiting{part="retention",pool="general"}': 4,
      'event_loop_delay_seconds{part="retention"}': 0.02,
    });
  });
});

describe('the web process', () => {
  const signIns = (found: Record<string, number>, outcome: string) =>
    found[`sign_ins_total{method="password",outcome="${outcome}"}`] ?? 0;

  it('counts sign-ins by method and outcome', async () => {
    const { email } = await registerPerson();
    const before = await scrape();
    const tries = [PASSWORD, 'wrong', 'wrong'];
    for (const each of tries) await call('POST', '/api/v1/auth/login', { body: { email, password: each } });
    const after = await scrape();
    expect(signIns(after, 'succeeded') - signIns(before, 'succeeded')).toBe(1);
    expect(signIns(after, 'invalid_credentials') - signIns(before, 'invalid_credentials')).toBe(2);
  });

  it('shows the sizes of the batches in which events are stored', async () => {
    const count = async () => (await scrape())['ingest_batch_rows_sum{kind="events"}'] ?? 0;
    const before = await count();
    const body = { type: 'a', data: {} };
    const sent = Array.from({ length: 5 }, () => call('POST', '/api/v1/events', { apiKey: projects.mine.key, body }));
    await Promise.all(sent);
    expect((await count()) - before).toBe(5);
  });

  it('has no id, address or token of a tenant in a label', async () => {
    await call('GET', `/api/v1/projects/${projects.mine.id}/events`, { apiKey: projects.mine.key });
    await call('PURGE', `/api/v1/projects/${projects.mine.id}/events`);
    await call('POST', `/api/v1/ingress/${'t'.repeat(43)}`, { body: {} });
    const series = Object.keys(await scrape());
    expect(series.some((name) => name.includes('route="/api/v1/projects/{projectId}/events"'))).toBe(true);
    expect(series.some((name) => name.includes('method="other"'))).toBe(true);
    expect(series.filter((name) => /[0-9a-f]{8}-[0-9a-f]{4}-|ttttt|@|PURGE/.test(name))).toEqual([]);
  });
});
