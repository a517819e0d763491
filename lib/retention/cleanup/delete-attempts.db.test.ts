import { beforeAll, describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { createPartitionsAhead } from '@/lib/retention/partitions/create-partitions';
import { useDatabase } from '@/tests/database/use-database';
import { countRows, idsOf, insertDeliverySource, useDeliveryProject } from '@/tests/fixtures/delivery-sources';
import { startTestRun } from '@/tests/retention/test-run';
import { AttemptWindowCache } from './attempt-window-cache';
import { AttemptLockedError, deleteAttempts } from './event-batch';
import { EVENT } from './event-sql';

useDatabase();

const at = addMs(new Date(), -100 * DAY_MS);
const PLENTY = 1_000;
const project = useDeliveryProject();

beforeAll(async () => {
  await createPartitionsAhead(at);
});

const insertDelivery = (attempts: number, attemptsAt = at) =>
  insertDeliverySource({ project, at, deliveries: 1, attempts, attemptsAt });

/** Deletes the attempts of the first `count` deliveries by id. */
async function deleteOf(count: number, limit = PLENTY, of?: unknown[]): Promise<number | null> {
  const ids = `{${of ?? (await idsOf('deliveries'))}}`;
  const batch = { run: await startTestRun(), source: EVENT };
  return inSqlTransaction(async (tx) => {
    await tx.query(`SET LOCAL lock_timeout = '20ms'`);
    return deleteAttempts({ ...batch, tx, windows: new AttemptWindowCache(), limit }, { ids, count, touchedAt: null });
  });
}

const attemptsLeft = async () => (await countRows('delivery_attempts')).delivery_attempts;

describe('deleteAttempts', () => {
  it('deletes every attempt of the first deliveries and keeps those of the others', async () => {
    for (const attempts of [3, 2, 4]) await insertDelivery(attempts);
    expect(await deleteOf(2)).toBe(5);
    const { rows } = await database().query('SELECT DISTINCT delivery_id FROM delivery_attempts');
    expect(rows).toEqual([{ delivery_id: (await idsOf('deliveries')).at(2) }]);
  });

  it.each([
    ['in a partition of its day', at],
    ['on the last day that has a partition', addMs(at, 7 * DAY_MS)],
    ['in a default partition, long before its delivery', addMs(at, -400 * DAY_MS)],
    ['in a default partition, long after its delivery', addMs(at, 80 * DAY_MS)],
  ])('finds an attempt %s', async (_, attemptsAt) => {
    await insertDelivery(1, at);
    await insertDelivery(1, attemptsAt);
    expect(await deleteOf(2)).toBe(2);
    expect(await attemptsLeft()).toBe(0);
  });

  it('keeps the attempts of a delivery whose id lies between those of the batch', async () => {
    for (const attempts of [1, 1, 1]) await insertDelivery(attempts);
    const [first, between, last] = await idsOf('deliveries');
    await deleteOf(2, PLENTY, [first, last]);
    expect((await database().query('SELECT delivery_id FROM delivery_attempts')).rows).toEqual([
      { delivery_id: between },
    ]);
  });

  it('deletes up to as many as the limit, and nothing when there are more', async () => {
    for (const attempts of [3, 2]) await insertDelivery(attempts);
    expect(await deleteOf(2, 4)).toBeNull();
    expect(await attemptsLeft()).toBe(5);
    expect(await deleteOf(2, 5)).toBe(5);
  });

  it('counts stored rows, whatever the counts of the deliveries say', async () => {
    await insertDelivery(3);
    await database().query('UPDATE deliveries SET stored_attempts = 1');
    expect(await deleteOf(1, 2)).toBeNull();
    await database().query('UPDATE deliveries SET stored_attempts = 2147483647');
    expect(await deleteOf(1, 3)).toBe(3);
  });

  it('returns 0 when no delivery has an attempt, and for no deliveries', async () => {
    await insertDelivery(0);
    expect([await deleteOf(1), await deleteOf(0)]).toEqual([0, 0]);
  });

  it('reports a locked attempt without a long wait', async () => {
    for (const attempts of [3, 2]) await insertDelivery(attempts);
    await inSqlTransaction(async (holder) => {
      await holder.query('SELECT FROM delivery_attempts LIMIT 1 FOR UPDATE');
      await expect(deleteOf(2)).rejects.toBeInstanceOf(AttemptLockedError);
    });
    expect(await attemptsLeft()).toBe(5);
  });
});
