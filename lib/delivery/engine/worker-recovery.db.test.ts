import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { database, inSqlTransaction, type SqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { count } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker, stopWorker } from '@/tests/delivery/worker';
import { insertEndpoint, insertEvents, readAttempts, readDeliveries } from '@/tests/fixtures/deliveries';
import { claimAndStore, claimFirstJobs } from '@/tests/fixtures/outbox';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { storeDeliveries } from './record/store-deliveries';

useDatabase({ DELIVERY_RETRY_SECONDS: '0,0' });

beforeEach(() => database().query('TRUNCATE deliveries, outbox'));

describe('a worker', () => {
  it('finds work without a notification', async () => {
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: receiver.url });
    await startWorker();
    await cutListener();
    await insertEvents(endpoint.projectId, 3);
    await waitFor('the deliveries', isSettled(endpoint.id, 3), 4_000);
  });

  it('that stops keeps what it sends from others for as long as an attempt may take, and sends it once', async () => {
    let answer: () => void = () => undefined;
    const receiver = await startReceiver((response) => {
      answer = () => response.end();
    });
    const endpoint = await insertEndpoint({ url: receiver.url });
    const worker = await startWorker();
    await insertEvents(endpoint.projectId, 1);
    await waitFor('the attempt', () => receiver.received.length === 1);
    const stopped = stopWorker(worker, 20_000);
    const leased = `SELECT FROM deliveries WHERE endpoint_id = $1 AND next_attempt_at > now() + interval '15 seconds'`;
    await waitFor('the lease', async () => (await count(leased, endpoint.id)) === 1, 5_000);
    expect(await count('SELECT FROM outbox')).toBe(0);
    await startWorker();
    answer();
    await stopped;
    await waitFor('the result', isSettled(endpoint.id, 1), 5_000);
    expect(await readAttempts(endpoint.id)).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  });

  it('listens again after its connection has broken', async () => {
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: receiver.url });
    await startWorker();
    const timeDelivery = async (count: number) => {
      await waitFor('the listener', async () => (await countListeners()) === 1);
      const startedAt = performance.now();
      await insertEvents(endpoint.projectId, 1);
      await waitFor('the delivery', isSettled(endpoint.id, count));
      return performance.now() - startedAt;
    };
    await timeDelivery(1);
    await cutListener();
    await timeDelivery(2);
    // Without the listener only the next poll would find each, a second after the last one.
    const times: number[] = [];
    for (const count of [3, 4, 5, 6]) times.push(await timeDelivery(count));
    expect(Math.min(...times)).toBeLessThan(500);
  });

  it('sends what a dead worker has claimed after the lease has ended', async () => {
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: receiver.url });
    await insertEvents(endpoint.projectId, 1);
    await claimAndStore(endpoint.projectId, 30);
    await startWorker();
    await sleep(1_500);
    expect(receiver.received).toHaveLength(0);
    await database().query('UPDATE deliveries SET next_attempt_at = now()');
    await waitFor('the delivery', isSettled(endpoint.id, 1));
    expect(await readDeliveries(endpoint.id)).toMatchObject([{ status: 'SUCCEEDED', attempt_count: 1 }]);
  });

  it('sends within seconds what a dead worker has taken from the outbox, except what is stored already', async () => {
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: receiver.url });
    const other = await insertEndpoint({ url: receiver.url, projectId: endpoint.projectId });
    const [eventId] = await insertEvents(endpoint.projectId, 1);
    const jobs = await claimFirstJobs(endpoint.projectId);
    const done = jobs.find(({ targetId }) => targetId === other.id);
    await storeDeliveries(database(), done === undefined ? [] : [done], 0);
    await database().query(`UPDATE deliveries SET status = 'SUCCEEDED', next_attempt_at = NULL`);
    const startedAt = performance.now();
    await startWorker();
    await waitFor('the delivery', isSettled(endpoint.id, 1));
    expect(performance.now() - startedAt).toBeGreaterThan(5_000);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId]);
    expect((await database().query('SELECT FROM outbox')).rowCount).toBe(0);
  });

  it('claims deliveries that other transactions lock most of the time', async () => {
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: receiver.url });
    await insertEvents(endpoint.projectId, 5);
    await claimAndStore(endpoint.projectId);
    let isOver = false;
    // In phase with the polls: each poll finds due deliveries, and its claim finds them locked.
    const hold = async () => {
      while (!isOver) {
        await inSqlTransaction(async (tx) => {
          await tx.query('SELECT FROM deliveries FOR UPDATE');
          await database().query(`SELECT pg_notify('eds_delivery', '')`);
          await sleep(850);
        });
        await sleep(150);
      }
    };
    const holding = hold();
    await sleep(100);
    await startWorker();
    await waitFor('the deliveries', isSettled(endpoint.id, 5)).finally(() => {
      isOver = true;
    });
    await holding;
  });

  it('continues after the database has closed all of its connections', async () => {
    const receiver = await startReceiver();
    const endpoint = await insertEndpoint({ url: receiver.url });
    await startWorker();
    for (let round = 0; round < 5; round += 1) {
      await insertEvents(endpoint.projectId, 100);
      await database()
        .query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        )
        .catch(() => undefined);
    }
    // A batch whose response was lost may be committed. Its deliveries are due again when their leases end.
    await waitFor('every delivery', isSettled(endpoint.id, 500), 60_000);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(500);
  });
});

const LISTENERS = `FROM pg_stat_activity WHERE application_name LIKE '%listener' AND datname = current_database()`;

async function countListeners(): Promise<number> {
  return (await database().query(`SELECT ${LISTENERS} AND query LIKE 'LISTEN%'`)).rowCount ?? 0;
}

/** Closes the connection on which the worker listens. It connects again after a second. */
async function cutListener(): Promise<void> {
  await waitFor('the listener', async () => (await countListeners()) === 1);
  const { rows } = await database().query(`SELECT pid, pg_terminate_backend(pid) ${LISTENERS}`);
  // By pid: on a busy machine the next connection may be open before this one is seen to be closed.
  const isThere = async () =>
    (await database().query('SELECT FROM pg_stat_activity WHERE pid = $1', [rows[0]?.pid])).rowCount === 1;
  await waitFor('its end', async () => !(await isThere()));
}

describe('the clock of the database', () => {
  async function isDue(tx: SqlTransaction, sql: string, id: string): Promise<boolean> {
    return (await tx.query<{ is_due: boolean }>(sql, [id])).rows[0]?.is_due ?? false;
  }

  it('a row that is stored as due now is due in the same transaction, not half a millisecond later', async () => {
    const endpoint = await insertEndpoint({ url: 'http://receiver.test/' });
    const [eventId] = await insertEvents(endpoint.projectId, 1);
    const outcomes: boolean[] = [];
    for (let n = 0; n < 40; n++) {
      await inSqlTransaction(async (tx) => {
        const id = newId();
        await tx.query(`INSERT INTO outbox (id, kind) VALUES ($1, 'EVENT')`, [id]);
        outcomes.push(await isDue(tx, 'SELECT available_at <= now() AS is_due FROM outbox WHERE id = $1', id));
        await tx.query(
          `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, next_attempt_at) VALUES ($1, $2, $3, $4, now())`,
          [id, endpoint.projectId, eventId, endpoint.id],
        );
        outcomes.push(await isDue(tx, 'SELECT next_attempt_at <= now() AS is_due FROM deliveries WHERE id = $1', id));
      });
    }
    expect(outcomes.filter((due) => !due)).toEqual([]);
  });
});
