import { beforeAll, describe, expect, it } from 'vitest';
import { addMs, HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { getStats, listEndpointHealth } from './get-stats';
import { customRange, RANGES, type Range } from './range-policy';
import { selectEndpointHours, selectStats } from './stats-sql';
import { addHistograms, BUCKET_BOUNDS_MS, quantileMs } from './sum-stats';

useDatabase();

const NOW = new Date('2026-11-23T10:20:30.400Z');
const HOUR = new Date('2026-11-23T10:00:00Z');
let projectId: string;
let endpointIds: string[];

/** A row for each period, now and then one without histograms; the first one counts almost as much as a column can hold. */
async function insertStats(period: Range['period'], subjects: readonly string[], periods: number, stepMs: number) {
  await run(
    `INSERT INTO stats (project_id, period, subject_id, starts_at, events, succeeded, timeouts, durations, latencies)
     SELECT $1, $2::"StatPeriod", s.id, $4::timestamptz - n * $5::float8 * interval '1 millisecond', 2000000000 - n, n * s.place, 7,
            CASE WHEN n % 5 = 0 THEN '{}' ELSE ARRAY(SELECT n * b % 997 FROM generate_series(1, 1 + n % 58) b) END,
            CASE WHEN n % 3 = 0 THEN NULL ELSE ARRAY(SELECT n * b % 991 FROM generate_series(1, $7::int - n % 50) b) END
     FROM unnest($3::uuid[]) WITH ORDINALITY s(id, place), generate_series(0, $6::int) n`,
    projectId,
    period,
    subjects,
    period === 'MINUTE' ? addMs(HOUR, 20 * MINUTE_MS) : HOUR,
    stepMs,
    periods,
    BUCKET_BOUNDS_MS.length + 1,
  );
}

beforeAll(async () => {
  const first = await insertEndpoint({ url: 'http://a.example' });
  projectId = first.projectId;
  endpointIds = [first.id, (await insertEndpoint({ url: 'http://b.example', projectId })).id];
  await insertStats('MINUTE', [projectId], 48 * 60, MINUTE_MS);
  await insertStats('HOUR', [projectId], 34 * 24, HOUR_MS);
  await insertStats('HOUR', endpointIds, 48, HOUR_MS);
});

interface StoredRow {
  starts_at: Date;
  events: number;
  succeeded: number;
  timeouts: number;
  durations: number[];
  latencies: number[] | null;
}

const readStored = (subject: string, { period, from, to }: Pick<Range, 'period' | 'from' | 'to'>) =>
  select<StoredRow>(
    `SELECT * FROM stats WHERE subject_id = $1 AND period = $2::text::"StatPeriod" AND starts_at >= $3 AND starts_at < $4`,
    subject,
    period,
    from,
    to,
  );

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function quantilesOf(histograms: readonly number[][], longestMs?: number) {
  const added = addHistograms(histograms);
  const [p50Ms, p95Ms] = [0.5, 0.95].map((share) => quantileMs(added, share, longestMs));
  return p50Ms === null ? null : { p50Ms, p95Ms };
}

/** Adds stored rows one by one. */
const added = (rows: readonly StoredRow[]) => ({
  events: sum(rows.map(({ events }) => events)),
  attempts: {
    succeeded: sum(rows.map(({ succeeded }) => succeeded)),
    failed: sum(rows.map(({ timeouts }) => timeouts)),
  },
  attemptDuration: quantilesOf(
    rows.map(({ durations }) => durations),
    15_000,
  ),
  deliveryLatency: quantilesOf(rows.map(({ latencies }) => latencies ?? [])),
});

describe('the statistics of a project', () => {
  const queries = [
    ...(['1h', '6h', '24h', '7d', '30d'] as const).map((range) => ({ range })),
    ...[18, 40, 34 * 24].map((hours) => ({ from: addMs(NOW, -hours * HOUR_MS), to: NOW })),
  ];

  it.each(queries)('are the sums of the rows of each bucket and range: %j', async (query) => {
    const stats = await getStats(projectId, query, () => NOW);
    const [from, to] = [new Date(stats.from), new Date(stats.to)];
    const period = stats.bucketSeconds < 3600 ? 'MINUTE' : 'HOUR';
    const rows = await readStored(projectId, { period, from, to });
    expect(stats.totals).toMatchObject(added(rows));
    for (const { startsAt, ...bucket } of stats.buckets) {
      const start = new Date(startsAt);
      const end = addMs(start, stats.bucketSeconds * 1000);
      expect(bucket).toMatchObject(added(rows.filter((row) => row.starts_at >= start && row.starts_at < end)));
    }
    if (stats.previousTotals !== null) {
      const before = addMs(from, from.getTime() - to.getTime());
      expect(stats.previousTotals).toMatchObject(
        added(await readStored(projectId, { period, from: before, to: from })),
      );
    }
  });

  it('are read as at most one row for each of 74 buckets, and as one for the range before', async () => {
    for (const hours of [18, 30 * 24, 35 * 24]) {
      const range = customRange(addMs(NOW, -hours * HOUR_MS + MINUTE_MS), NOW, NOW);
      const rows = await selectStats.all(database(), { project: projectId, ...range });
      expect(rows.length).toBeGreaterThan(60);
      expect(rows.length).toBeLessThanOrEqual(74);
      const bucketMs = range.to.getTime() - range.from.getTime();
      expect(await selectStats.all(database(), { project: projectId, ...range, bucketMs })).toHaveLength(1);
    }
  });
});

describe('the health of endpoints', () => {
  it('is the sum of their hours, also of one without any', async () => {
    const silent = (await insertEndpoint({ url: 'http://c.example', projectId })).id;
    const health = await listEndpointHealth(projectId, [...endpointIds, silent], () => NOW);
    expect(health.map(({ endpointId }) => endpointId).sort()).toEqual([...endpointIds, silent].sort());
    const range = { period: 'HOUR' as const, from: addMs(HOUR, -23 * HOUR_MS), to: addMs(HOUR, HOUR_MS) };
    for (const { endpointId, attempts, attemptDuration, hours } of health) {
      const rows = await readStored(endpointId, range);
      expect(rows).toHaveLength(endpointId === silent ? 0 : 24);
      expect({ attempts, attemptDuration }).toEqual({
        attempts: added(rows).attempts,
        attemptDuration: added(rows).attemptDuration,
      });
      expect(hours).toEqual(
        Array.from({ length: RANGES['24h'].spanMs / HOUR_MS }, (_, hour) => {
          const start = addMs(range.from, hour * HOUR_MS);
          const own = rows.filter((row) => row.starts_at.getTime() === start.getTime());
          return { startsAt: start.toISOString(), attempts: added(own).attempts };
        }),
      );
    }
  });

  it('is read as one row for each endpoint', async () => {
    const from = addMs(HOUR, -23 * HOUR_MS);
    const rows = await selectEndpointHours.all(database(), { project: projectId, endpoints: endpointIds, from });
    expect(rows.map((row) => row.subject_id).sort()).toEqual(endpointIds.toSorted());
  });
});
