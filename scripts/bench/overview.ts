import { systemClock } from '@/lib/platform/clock';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { getStats, listEndpointHealth } from '@/lib/stats/get-stats';
import { KEPT_HOURS } from '@/lib/stats/kept-policy';
import { RANGES, type RangeName } from '@/lib/stats/range-policy';
import { rollUpStats } from '@/lib/stats/roll-up';
import { ATTEMPTS_AS_BATCH } from '@/scripts/demo/seed-sql';
import { readShare } from './support/bench-arguments';
import { checkFigure, reportFigure, say } from './support/figures';
import { fillRetentionData, prepareRetentionData, type RetentionData } from './support/retention-data';
import { withStack } from './support/stack';

const ROUNDS = 15;
const ENDPOINTS = 10_000;
const TARGET_MS = 50;
const BATCHES = 250;
const RESULTS = 400;

/**
 * The overview of a project with 5 million attempts, and with statistics of 10,000 endpoints: each range, and the health of a page
 * of endpoints. Also how fast the worker counts. `--rows 0.1` uses a tenth of the attempts.
 */
export async function main(args: string[]): Promise<void> {
  const share = readShare(args);
  await withStack(async () => {
    const data = await prepareRetentionData();
    await fillRetentionData(data, share);
    await countAttempts();
    const endpointIds = await fillEndpointStats(data, ENDPOINTS);
    await measureRollUp(data.projectId, endpointIds);
    await sqlWithTimeout(LONG_STATEMENT_MS).query('VACUUM ANALYZE stats, endpoints');
    const queries = await explainSlowest(async () => {
      for (const range of Object.keys(RANGES) as RangeName[]) {
        const times = await measure(() => getStats(data.projectId, { range }, systemClock));
        checkFigure(`overview, ${range}`, times, { atMost: TARGET_MS }, ' ms');
      }
      // One with all deliveries beside some with none: the planner must not mistake one for the other.
      const page = [data.endpointId, ...endpointIds.slice(0, 99)];
      const times = await measure(() => listEndpointHealth(data.projectId, page, systemClock));
      checkFigure('health of 100 endpoints', times, { atMost: TARGET_MS }, ' ms');
    });
    say(`\nSlowest of each statement by EXPLAIN ANALYZE:\n${queries.join('\n')}`);
  });
}

async function measure(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS + 3; round += 1) {
    const startedAt = performance.now();
    await work();
    if (round >= 3) times.push(performance.now() - startedAt);
  }
  return times;
}

/** Queues the attempts as a worker does, some hundred at a time, and counts them. */
async function countAttempts(): Promise<void> {
  const sql = sqlWithTimeout(LONG_STATEMENT_MS);
  await sql.query('TRUNCATE stat_batches');
  await sql.query(
    `INSERT INTO stat_batches (project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms, created_at)
     SELECT ${ATTEMPTS_AS_BATCH}, date_trunc('second', a.created_at)
     FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id GROUP BY date_trunc('second', a.created_at)`,
  );
  const steps: number[] = [];
  for (let isMore = true; isMore; ) {
    const began = performance.now();
    isMore = await rollUpStats();
    steps.push(performance.now() - began);
  }
  reportFigure('counting all attempts, seconds', [steps.reduce((sum, ms) => sum + ms, 0) / 1000]);
  reportFigure('one step of it', steps, ' ms');
}

/** Full batches of results to many endpoints: what one run of a busy worker counts. */
async function measureRollUp(projectId: string, endpointIds: readonly string[]): Promise<void> {
  await database().query(
    `INSERT INTO stat_batches (project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms)
     SELECT array_agg($1::uuid), array_agg(t.id), array_agg('SUCCEEDED'::"StatKind"), array_agg(false),
            array_agg((random() * 300)::int), array_agg((random() * 900)::int)
     FROM generate_series(1, ${BATCHES - 1}) batch
     CROSS JOIN LATERAL (SELECT ($2::uuid[])[1 + (random() * 999)::int + batch * 0] AS id FROM generate_series(1, ${RESULTS})) t
     GROUP BY batch`,
    [projectId, endpointIds],
  );
  const startedAt = performance.now();
  while (await rollUpStats());
  const ms = performance.now() - startedAt;
  reportFigure('counting a result of 1,000 endpoints, µs each', [(ms * 1000) / ((BATCHES - 1) * RESULTS)]);
}

const HISTOGRAM = `array_fill(0, ARRAY[20]) || ARRAY[5, 9, 4, 2, 1, 0, 1, 0, 0, 1]`;

/** Adds endpoints with every hour and day that is kept, a tenth of them with failures, and each minute of the project. */
async function fillEndpointStats({ projectId }: RetentionData, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  const run = (sql: string, values: unknown[]) => sqlWithTimeout(LONG_STATEMENT_MS).query(sql, values);
  await run(
    `INSERT INTO endpoints (id, project_id, url) SELECT id, $2, 'https://receiver.example/' || id FROM unnest($1::uuid[]) AS e(id)`,
    [ids, projectId],
  );
  const periods = [
    ['HOUR', 'hour', KEPT_HOURS.targetHours],
    ['DAY', 'day', KEPT_HOURS.targetDays / 24],
  ] as const;
  for (const [period, unit, kept] of periods) {
    await run(
      `INSERT INTO stats (project_id, period, subject_id, starts_at, succeeded, server_errors, durations, latencies)
       SELECT $2, $3::"StatPeriod", e.id, date_trunc($4, now()) - n * ('1 ' || $4)::interval, 22, (e.nth % 10 = 0)::int,
              ${HISTOGRAM}, ${HISTOGRAM}
       FROM unnest($1::uuid[]) WITH ORDINALITY AS e(id, nth), generate_series(0, $5::int - 1) n`,
      [ids, projectId, period, unit, kept],
    );
  }
  await run(
    `INSERT INTO stats (project_id, period, subject_id, starts_at, succeeded, server_errors, durations, latencies)
     SELECT $1, 'MINUTE', $1, date_trunc('minute', now()) - n * interval '1 minute', 22, 1, ${HISTOGRAM}, ${HISTOGRAM}
     FROM generate_series(0, ${KEPT_HOURS.minutes * 60}) n ON CONFLICT DO NOTHING`,
    [projectId],
  );
  return ids;
}

/** Runs `work`, then explains every statement that it sent. @returns a line for each text, with its slowest execution */
async function explainSlowest(work: () => Promise<void>): Promise<string[]> {
  const sent: { text: string; values: unknown[] }[] = [];
  const pool = database();
  const query = pool.query.bind(pool);
  Object.assign(pool, {
    query: (...args: unknown[]) => {
      const [config] = args as [{ text: string; values: unknown[] }];
      if (typeof config === 'object') sent.push(config);
      return (query as (...given: unknown[]) => unknown)(...args);
    },
  });
  await work();
  Object.assign(pool, { query });
  const slowest = new Map<string, number>();
  for (const { text, values } of sent) {
    const { rows } = await query<{ 'QUERY PLAN': { 'Execution Time': number }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    const ms = rows[0]?.['QUERY PLAN'][0]?.['Execution Time'] ?? 0;
    slowest.set(text, Math.max(ms, slowest.get(text) ?? 0));
  }
  return [...slowest].map(([text, ms]) => `${ms.toFixed(1).padStart(8)} ms  ${text.replace(/\s+/g, ' ').slice(0, 90)}`);
}
