import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database, inTransaction, type Sql } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database';
import { countRows, type DeliveryProject, insertDeliveryProject, insertDeliverySource } from '@/tests/delivery-sources';
import { untilLockWait } from '@/tests/lock-waits';
import { EVENT, removeSql } from './origin-sql';

useDatabase();

const at = addMs(new Date(), -100 * DAY_MS);
let project: DeliveryProject;

beforeAll(async () => {
  project = await insertDeliveryProject();
});

beforeEach(() => database().query('TRUNCATE outbox, delivery_attempts, deliveries, events'));

async function remove(ids: string[], limit = 10, sql: Sql = database()) {
  const { rows } = await sql.query(removeSql(EVENT), [`{${ids}}`, limit]);
  return rows[0];
}

describe('removing events together', () => {
  it('takes them with their deliveries, up to as many as it may, and otherwise nothing', async () => {
    const ids = [
      await insertDeliverySource({ project, at, deliveries: 2, attempts: 3 }),
      await insertDeliverySource({ project, at, deliveries: 1 }),
    ];
    expect(await remove(ids, 2)).toMatchObject({ is_whole: false, origins: 0, deliveries: 0 });
    expect(await countRows('events', 'deliveries')).toEqual({ events: 2, deliveries: 3 });
    const counted = { origins: 2, deliveries: 3, attempts: 6, most_attempts: 3 };
    expect(await remove(ids, 3)).toMatchObject({ is_whole: true, ...counted });
    expect(await countRows('events', 'deliveries')).toEqual({ events: 0, deliveries: 0 });
  });

  it.each([
    ['a pending delivery', { deliveries: 1, deliveryStatus: 'PENDING' }],
    ['a pending row of the outbox', { outbox: 'PENDING' }],
    ['a dead row of the outbox', { outbox: 'DEAD' }],
  ] as const)('takes none when one has %s', async (_, what) => {
    const ids = [await insertDeliverySource({ project, at }), await insertDeliverySource({ project, at, ...what })];
    expect(await remove(ids)).toMatchObject({ is_whole: false, origins: 0, deliveries: 0 });
    expect(await countRows('events')).toEqual({ events: 2 });
  });

  it('tells when one delivery was put back into the queue while it was at it, so that all is rolled back', async () => {
    const id = await insertDeliverySource({ project, at, deliveries: 2 });
    const retry = await database().connect();
    await retry.query('BEGIN');
    await retry.query(
      `UPDATE deliveries SET status = 'PENDING', next_attempt_at = now()
       WHERE id = (SELECT id FROM deliveries ORDER BY id DESC LIMIT 1)`,
    );
    const removing = inTransaction(async (removal) => {
      const removed = await remove([id], 10, removal);
      await removal.query('ROLLBACK');
      return removed;
    });
    await untilLockWait(removing);
    await retry.query('COMMIT');
    retry.release();
    expect(await removing).toMatchObject({ is_whole: false, origins: 1, deliveries: 1 });
    expect(await countRows('events', 'deliveries')).toEqual({ events: 1, deliveries: 2 });
  });
});
