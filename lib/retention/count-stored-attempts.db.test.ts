import { describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { addPartition, branchOf, dropAllPartitions } from '@/tests/retention/partitions';
import { countDeliveriesWithAttempts } from './own-data';
import { nameOfDay, utcDayOf } from './partitions/partitions';

useDatabase();

const NOW = new Date('2026-03-31T12:00:00Z');
const daysAgo = (days: number) => addMs(NOW, -days * DAY_MS);

interface Ended {
  status: 'SUCCEEDED' | 'FAILED';
  ageDays: number | null;
  stored: number;
}

/** An organization with deliveries whose attempts are no longer, or still, there as `stored_attempts` says. */
async function insertOrganization(deliveries: readonly Ended[]): Promise<string> {
  const { id, projectId } = await insertEndpoint({ url: 'http://127.0.0.1:9/' });
  for (const { status, ageDays, stored } of deliveries) {
    const at = ageDays === null ? null : daysAgo(ageDays);
    const eventId = newId();
    await database().query("INSERT INTO events (id, project_id, type, payload) VALUES ($1, $2, 'a', '{}')", [
      eventId,
      projectId,
    ]);
    await database().query(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, stored_attempts, last_attempt_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6, $7)`,
      [newId(), projectId, eventId, id, status, stored, at],
    );
  }
  const { rows } = await database().query('SELECT organization_id FROM projects WHERE id = $1', [projectId]);
  return rows[0].organization_id;
}

/** Leaves each branch with partitions since so many days ago. */
async function keepPartitionsOf(days: { succeeded: number; failed: number }): Promise<void> {
  await dropAllPartitions();
  for (const name of ['succeeded', 'failed'] as const) {
    for (const age of [0, days[name]]) {
      const day = utcDayOf(daysAgo(age));
      await addPartition(branchOf(name), nameOfDay(branchOf(name), day.from), day);
    }
  }
}

describe('attempts of dropped partitions', () => {
  it.each<[string, Ended, number]>([
    ['both windows hold a recent success with its failures', { status: 'SUCCEEDED', ageDays: 3, stored: 3 }, 3],
    ['a success beyond its window has left its failures', { status: 'SUCCEEDED', ageDays: 20, stored: 3 }, 2],
    ['a success at once, beyond its window, has left nothing', { status: 'SUCCEEDED', ageDays: 20, stored: 1 }, 0],
    ['failures are kept for longer', { status: 'FAILED', ageDays: 20, stored: 3 }, 3],
    ['beyond both windows nothing is left', { status: 'FAILED', ageDays: 100, stored: 3 }, 0],
    ['nor of a success', { status: 'SUCCEEDED', ageDays: 100, stored: 3 }, 0],
    ['what was removed by itself is not taken off again', { status: 'SUCCEEDED', ageDays: 20, stored: 0 }, 0],
    ['without a time the column counts', { status: 'SUCCEEDED', ageDays: null, stored: 2 }, 2],
  ])('are not counted: %s', async (_why, delivery, attempts) => {
    await keepPartitionsOf({ succeeded: 15, failed: 91 });
    const organizationId = await insertOrganization([delivery]);
    expect(await countDeliveriesWithAttempts(organizationId, NOW)).toEqual({
      rows: 1,
      sum: attempts,
      isAtLeast: false,
    });
  });

  it('are not counted where failures are kept for a shorter time than successes', async () => {
    await keepPartitionsOf({ succeeded: 91, failed: 15 });
    const organizationId = await insertOrganization([
      { status: 'SUCCEEDED', ageDays: 20, stored: 3 },
      { status: 'FAILED', ageDays: 20, stored: 3 },
    ]);
    expect(await countDeliveriesWithAttempts(organizationId, NOW)).toMatchObject({ rows: 2, sum: 1 });
  });

  it('are counted while their partitions exist, however old they are', async () => {
    await keepPartitionsOf({ succeeded: 40, failed: 200 });
    const organizationId = await insertOrganization([{ status: 'SUCCEEDED', ageDays: 30, stored: 2 }]);
    expect(await countDeliveriesWithAttempts(organizationId, NOW)).toMatchObject({ sum: 2 });
  });

  it('are counted where a partition created manually has all old rows', async () => {
    await dropAllPartitions();
    await database().query(
      `CREATE TABLE delivery_attempts_succeeded_p20260331 PARTITION OF delivery_attempts
       FOR VALUES FROM (true, MINVALUE) TO (true, '2026-04-01')`,
    );
    const organizationId = await insertOrganization([{ status: 'SUCCEEDED', ageDays: 300, stored: 2 }]);
    expect(await countDeliveriesWithAttempts(organizationId, NOW)).toMatchObject({ sum: 2 });
  });

  it('are counted where there are no partitions', async () => {
    await dropAllPartitions();
    const organizationId = await insertOrganization([{ status: 'SUCCEEDED', ageDays: 300, stored: 2 }]);
    expect(await countDeliveriesWithAttempts(organizationId, NOW)).toMatchObject({ sum: 2 });
  });
});

it('expired attempts are not counted where batches delete them, whatever partitions exist', async () => {
  await keepPartitionsOf({ succeeded: 200, failed: 200 });
  const organizationId = await insertOrganization([
    { status: 'SUCCEEDED', ageDays: 20, stored: 3 },
    { status: 'SUCCEEDED', ageDays: 13, stored: 3 },
    { status: 'FAILED', ageDays: 91, stored: 3 },
  ]);
  const working = config();
  setOnce('config', { ...working, PARTITION_MAINTENANCE_ENABLED: false });
  expect(await countDeliveriesWithAttempts(organizationId, NOW)).toMatchObject({ rows: 3, sum: 5 });
  setOnce('config', working);
});
