import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database, inTransaction, type Transaction } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database';
import {
  countRows,
  type DeliveryProject,
  idsOf,
  insertDeliveryProject,
  insertDeliverySource,
} from '@/tests/delivery-sources';
import { BatchHeld, BatchTooLarge } from './batches';
import { deleteAttempts } from './delete-attempts';
import { IdList } from './id-list';

useDatabase();

const at = addMs(new Date(), -100 * DAY_MS);
const LIMIT = 4;
const window = { firstAt: '-infinity', lastAt: 'infinity' };
let project: DeliveryProject;

beforeAll(async () => {
  project = await insertDeliveryProject();
  await database().query(`CREATE TABLE removals (rows int);
    CREATE FUNCTION log_removal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO removals SELECT count(*) FROM gone; RETURN NULL; END $$;
    CREATE TRIGGER log_removal AFTER DELETE ON delivery_attempts REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION log_removal()`);
});

beforeEach(() => database().query('TRUNCATE removals, delivery_attempts, deliveries, events'));

/** Deliveries of five attempts together, by what they know of them. */
async function insertDeliveries(storedAttempts: [number, number]) {
  await insertDeliverySource({ project, at, deliveries: 1, attempts: 3 });
  await insertDeliverySource({ project, at, deliveries: 1, attempts: 2 });
  return { ids: new IdList(`{${await idsOf('deliveries')}}`), storedAttempts, window };
}

/** Rows that each statement has removed. */
async function listRemovals(tx: Transaction): Promise<number[]> {
  const { rows } = await tx.query<{ rows: number }>('SELECT rows FROM removals WHERE rows > 0');
  return rows.map((row) => row.rows);
}

describe.each([
  ['at the first try', true],
  ['at a further one', false],
])('the attempts of deleted deliveries, %s', (_, isFirstTry) => {
  it('leave in statements of no more than the limit, and no other with them', async () => {
    const deleted = await insertDeliveries([3, 2]);
    await insertDeliverySource({ project, at, deliveries: 1, attempts: 1 });
    await inTransaction(async (tx) => {
      expect(await deleteAttempts(tx, deleted, LIMIT, isFirstTry)).toBe(5);
      expect(await listRemovals(tx)).toEqual([3, 2]);
    });
    expect(await countRows('delivery_attempts')).toEqual({ delivery_attempts: 1 });
  });

  it('are not waited for when somebody holds one: the batch can be made without it', async () => {
    const deleted = await insertDeliveries([3, 2]);
    await inTransaction(async (holder) => {
      await holder.query('SELECT FROM delivery_attempts LIMIT 1 FOR UPDATE');
      const deleting = inTransaction(async (tx) => {
        await tx.query(`SET LOCAL lock_timeout = '20ms'`);
        return deleteAttempts(tx, deleted, LIMIT, isFirstTry);
      });
      await expect(deleting).rejects.toBeInstanceOf(BatchHeld);
    });
    expect(await countRows('delivery_attempts')).toEqual({ delivery_attempts: 5 });
  });
});

describe('attempts of which their deliveries know too little', () => {
  it('are not removed by one statement at the first try: it is to be rolled back', async () => {
    const deleted = await insertDeliveries([1, 2]);
    const deleting = inTransaction((tx) => deleteAttempts(tx, deleted, LIMIT, true));
    await expect(deleting).rejects.toBeInstanceOf(BatchTooLarge);
    expect(await countRows('delivery_attempts')).toEqual({ delivery_attempts: 5 });
  });

  it('leave all the same at a further one, in as many statements as it takes', async () => {
    const deleted = await insertDeliveries([1, 2]);
    await inTransaction(async (tx) => {
      expect(await deleteAttempts(tx, deleted, LIMIT)).toBe(5);
      expect(await listRemovals(tx)).toEqual([4, 1]);
    });
  });
});
