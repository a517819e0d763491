import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, type TestEndpoint } from '@/tests/fixtures/deliveries';
import { countAttemptsDirectly, insertAttempt, readStats, sumOfMinutes } from '@/tests/fixtures/stats';
import { waitFor } from '@/tests/http/receiver';
import { rollUpStats } from './roll-up';
import { rollUpBatches } from './stats-sql';
import { BUCKET_BOUNDS_MS } from './sum-stats';

useDatabase();

beforeEach(async () => {
  await database().query('TRUNCATE stats, stored_bytes, stat_batches, deliveries, delivery_attempts, events CASCADE');
});

const OUTCOMES = [
  { succeeded: true, status: 200, error: null },
  { succeeded: false, status: 302, error: 'Answered with status 302: redirects are not followed' },
  { succeeded: false, status: 404, error: 'Answered with status 404' },
  { succeeded: false, status: 503, error: 'Answered with status 503' },
  { succeeded: false, status: 200, error: 'No response within 15 s' },
  { succeeded: false, status: null, error: 'No connection within 5 s' },
  { succeeded: false, status: null, error: 'Connection refused' },
];

const attempts = fc.array(
  fc.record({
    target: fc.nat(2),
    outcome: fc.constantFrom(...OUTCOMES),
    isLast: fc.boolean(),
    ageMs: fc.oneof(fc.nat(5 * MINUTE_MS), fc.nat(40 * HOUR_MS)),
    durationMs: fc.oneof(fc.nat(20), fc.nat(20_000), fc.constantFrom(...BUCKET_BOUNDS_MS.slice(0, 60))),
  }),
  { minLength: 1, maxLength: 40 },
);

/** Rolls up and dies before the commit. */
async function rollUpAndDie(): Promise<void> {
  const client = await database().connect();
  await client.query('BEGIN');
  await rollUpBatches.run(client, { batches: 3, bounds: BUCKET_BOUNDS_MS, results: 1_000 });
  client.release(new Error('killed'));
}

const drain = async () => {
  while (await rollUpStats());
};

describe('the statistics', () => {
  it('equal a count of the attempts, whoever records them, while workers run at the same time and die', async () => {
    const endpoint = await insertEndpoint({ url: 'http://a.example' });
    const other = await insertEndpoint({ url: 'http://b.example', projectId: endpoint.projectId });
    const targets = [endpoint, other, await insertEndpoint({ url: 'http://c.example' })];
    await fc.assert(
      fc.asyncProperty(attempts, fc.array(fc.constantFrom('run', 'die'), { maxLength: 6 }), async (made, workers) => {
        await Promise.all([
          (async () => {
            for (const { target, outcome, ...attempt } of made) {
              await insertAttempt(targets[target] as TestEndpoint, { ...attempt, ...outcome });
            }
          })(),
          ...workers.map((worker) => (worker === 'run' ? rollUpStats() : rollUpAndDie())),
        ]);
        await Promise.all([drain(), drain()]);
        // The server may still hold what a dead worker had.
        await waitFor('the last batch', async () => {
          await drain();
          return (await database().query('SELECT FROM stat_batches')).rowCount === 0;
        });
        expect(await readStats()).toEqual(await countAttemptsDirectly());
      }),
      { numRuns: 10 },
    );
  });

  it('take a bounded number of results at a time, and all in the end', async () => {
    const { id, projectId } = await insertEndpoint({ url: 'http://a.example' });
    await database().query(
      `INSERT INTO stat_batches (project_ids, target_ids, kinds, are_last, durations_ms, latencies_ms)
       SELECT array_agg($1::uuid), array_agg($2::uuid), array_agg('SUCCEEDED'::"StatKind"), array_agg(false), array_agg(n), array_agg(n)
       FROM generate_series(1, 5) batch, generate_series(1, 2000) n GROUP BY batch`,
      [projectId, id],
    );
    const counted: number[] = [];
    for (let isMore = true; isMore; ) {
      isMore = await rollUpStats();
      counted.push(await sumOfMinutes('succeeded'));
    }
    // The third batch begins below 5,000 results.
    expect(counted).toEqual([6_000, 10_000]);
  });

  it('sum the bytes of events, waiting deliveries, incoming events and attempts by project and day', async () => {
    const [{ projectId }, other] = [
      await insertEndpoint({ url: 'http://a.example' }),
      await insertEndpoint({ url: 'http://b.example' }),
    ];
    const queue = (createdAt: string, ids: string[], kinds: string, bytes: (number | null)[]) =>
      database().query(
        `INSERT INTO stat_batches (project_ids, kinds, bytes, created_at) VALUES ($1, $2::"StatKind"[], $3, $4)`,
        [ids, kinds, bytes, createdAt],
      );
    await queue('2026-03-01T23:59:59Z', [projectId, projectId, other.projectId], '{EVENT,EVENT,EVENT}', [10, 20, 7]);
    await queue('2026-03-02T00:00:00Z', [projectId, projectId], '{INCOMING_UNSIGNED,INCOMING_REJECTED}', [5, 6]);
    await queue('2026-03-02T09:00:00Z', [projectId, projectId], '{SUCCEEDED,TIMED_OUT}', [null, null]);
    await drain();
    await queue('2026-03-02T09:00:00Z', [projectId, projectId, projectId], '{EVENT,NOT_SENT,DELIVERY_STORED}', [
      1,
      null,
      512,
    ]);
    await drain();
    const { rows } = await database().query(
      `SELECT project_id, day::text, events::int, incoming_events::int, succeeded_attempts::int, failed_attempts::int
       FROM stored_bytes ORDER BY day, events DESC`,
    );
    const none = { events: 0, incoming_events: 0, succeeded_attempts: 0, failed_attempts: 0 };
    expect(rows).toEqual([
      { ...none, project_id: projectId, day: '2026-03-01', events: 30 },
      { ...none, project_id: other.projectId, day: '2026-03-01', events: 7 },
      {
        project_id: projectId,
        day: '2026-03-02',
        events: 513,
        incoming_events: 11,
        succeeded_attempts: 2_048,
        failed_attempts: 2_048,
      },
    ]);
  });

  it('ignore what a deleted project left in the queue', async () => {
    const [kept, gone] = [
      await insertEndpoint({ url: 'http://a.example' }),
      await insertEndpoint({ url: 'http://b.example' }),
    ];
    for (const target of [kept, gone]) {
      await insertAttempt(target, { status: 200 });
    }
    await database().query('UPDATE projects SET deleted_at = now() WHERE id = $1', [gone.projectId]);
    await drain();
    expect(new Set((await readStats()).map((row) => row.project_id))).toEqual(new Set([kept.projectId]));
    expect((await database().query('SELECT FROM stat_batches')).rowCount).toBe(0);
  });
});
