import { describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database, inSqlTransaction, type Sql } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import {
  countOrphans,
  countRows,
  idsOf,
  insertDeliverySource,
  useDeliveryProject,
} from '@/tests/fixtures/delivery-sources';
import { deleteEvents, EVENT, INCOMING_EVENT, preferIndexes } from './event-sql';

useDatabase();

const at = addMs(new Date(), -100 * DAY_MS);
const project = useDeliveryProject();

describe.each([EVENT, INCOMING_EVENT])('the statement that deletes $table', (source) => {
  const { table } = source;
  const insert = (options: Partial<Parameters<typeof insertDeliverySource>[0]> = {}) =>
    insertDeliverySource({ project, source, at, ...options });
  const countAll = () => countRows(table, 'deliveries', 'outbox');

  /** Deletes the first `count` of these, up to `limit` deliveries. */
  async function deleteFirst(ids: string[], { count = ids.length, limit = 10 } = {}) {
    return inSqlTransaction(async (tx) => {
      await preferIndexes(tx);
      return deleteEvents[source.table].one(tx, `{${ids}}`, count, limit);
    });
  }

  it('deletes events with their deliveries and dead outbox rows, and returns the deliveries', async () => {
    const ids = [await insert({ deliveries: 2, outbox: 'DEAD' }), await insert()];
    const kept = await insert({ deliveries: 1 });
    const deliveryIds = (await idsOf('deliveries')).slice(0, 2);
    expect(await deleteFirst(ids)).toMatchObject({
      isTooLarge: false,
      events: 2,
      outbox: 1,
      count: 2,
      ids: `{${deliveryIds}}`,
      touchedAt: at,
    });
    expect(await idsOf(table)).toEqual([kept]);
    expect(await countAll()).toEqual({ [table]: 1, deliveries: 1, outbox: 0 });
  });

  it('deletes as many deliveries as it may, and nothing when there are more', async () => {
    const ids = [await insert({ deliveries: 2, outbox: 'DEAD' }), await insert({ deliveries: 1 }), await insert()];
    const before = await countAll();
    expect(await deleteFirst(ids, { limit: 2 })).toMatchObject({ isTooLarge: true, events: 0, outbox: 0 });
    expect(await countAll()).toEqual(before);
    expect(await deleteFirst(ids, { limit: 3 })).toMatchObject({ isTooLarge: false, events: 3, outbox: 1, count: 3 });
  });

  it('deletes only the first events, and returns the cursor after these', async () => {
    const ids = [await insert({ deliveries: 1 }), await insert({ deliveries: 1 }), await insert({ deliveries: 1 })];
    const { rows } = await database().query(`SELECT created_at::text AS time FROM ${table} LIMIT 1`);
    const { events, cursor } = await deleteFirst(ids, { count: 2 });
    expect([events, cursor]).toEqual([2, { time: rows[0].time, id: ids[1] }]);
    expect(await idsOf(table)).toEqual(ids.slice(2));
  });

  const retry = (sql: Sql) =>
    sql.query(
      `UPDATE deliveries SET status = 'PENDING', next_attempt_at = now()
       WHERE id = (SELECT id FROM deliveries ORDER BY id DESC LIMIT 1)`,
    );
  const requeue = (sql: Sql) => sql.query(`UPDATE outbox SET status = 'PENDING', dead_at = NULL`);

  it.each([
    ['one of its deliveries is retried', { deliveries: 2 }, retry],
    ['its outbox row is put back into the queue', { deliveries: 2, outbox: 'DEAD' }, requeue],
  ] as const)('keeps an event when %s, from before the commit on, and deletes the others', async (_, options, work) => {
    const free = [await insert({ deliveries: 1 }), await insert()];
    const busy = await insert(options);
    await inSqlTransaction(async (tx) => {
      await work(tx);
      expect(await deleteFirst([...free, busy])).toMatchObject({ events: 2, count: 1, outbox: 0 });
    });
    expect(await deleteFirst([busy])).toMatchObject({ events: 0, count: 0, outbox: 0 });
    expect(await idsOf(table)).toEqual([busy]);
    expect((await countAll()).deliveries).toBe(2);
    expect(await countOrphans()).toBe(0);
  });
});
