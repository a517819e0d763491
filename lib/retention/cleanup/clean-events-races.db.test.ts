import { describe, expect, it } from 'vitest';
import { claimDue } from '@/lib/delivery/engine/claims/due-work-poller';
import { recordAttempts } from '@/lib/delivery/engine/record/record-attempts';
import type { Outcome } from '@/lib/delivery/engine/types';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { SUCCESS } from '@/tests/delivery/outcomes';
import {
  countOrphans,
  countRows,
  idsOf,
  insertDeliverySource,
  useDeliveryProject,
} from '@/tests/fixtures/delivery-sources';
import { claimAndStore } from '@/tests/fixtures/outbox';
import { runStep, startTestRun } from '@/tests/retention/test-run';
import { capAttempts } from './cap-attempts';
import { cleanEvents } from './clean-events';

useDatabase();

const now = new Date();
const at = addMs(now, -100 * DAY_MS);
const project = useDeliveryProject();

const clean = (batchSize = 7) => runStep(cleanEvents, { now, policy: { batchSize } });

/** Runs retention over and over until `others` have ended. */
async function cleanBeside(others: Promise<unknown>): Promise<void> {
  let isOver = false;
  const ended = others.finally(() => {
    isOver = true;
  });
  while (!isOver) await clean();
  await ended;
}

const insertMany = (count: number, options: Partial<Parameters<typeof insertDeliverySource>[0]>) =>
  Promise.all(Array.from({ length: count }, () => insertDeliverySource({ project, at, ...options })));

/** Claims deliveries. @returns what a worker would record of them */
async function claimOutcomes(room: number): Promise<Outcome[]> {
  const { jobs: claimed } = await claimDue(database(), new Map([[project.endpointId, room]]), 1_000_000);
  return claimed.map((claimedOne) => ({
    job: { ...claimedOne, message: { id: '', kind: 'event', headers: {}, body: Buffer.alloc(0), bytes: 0 } },
    target: { kind: 'endpoint', id: project.endpointId } as Outcome['target'],
    result: { ...SUCCESS, startedAt: new Date() },
    retryMs: null,
  }));
}

describe('removing events during a fan-out', () => {
  it('keeps every event that is fanned out, so no delivery loses its event', async () => {
    const ids = await insertMany(60, { outbox: 'PENDING' });
    const fanOut = async () => {
      for (let left = 1; left > 0; ) {
        // A few at a time, so that the two meet often.
        await database().query(
          `UPDATE outbox SET available_at = now(), attempts = 0
           WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT 5 FOR UPDATE SKIP LOCKED)`,
        );
        await claimAndStore(project.id);
        left = (await countRows('outbox')).outbox ?? 0;
      }
    };
    await database().query(`UPDATE outbox SET available_at = now() + interval '1 day'`);
    await cleanBeside(Promise.all([fanOut(), fanOut()]));
    expect(await idsOf('events')).toEqual(ids.toSorted());
    const { rows } = await database().query('SELECT DISTINCT event_id FROM deliveries');
    expect(rows).toHaveLength(ids.length);
    expect(await countOrphans()).toBe(0);
  });

  it('skips an event whose deliveries are not committed yet, without waiting', async () => {
    const id = await insertDeliverySource({ project, at, outbox: 'PENDING' });
    const other = await insertDeliverySource({ project, at });
    // A run that waited would fail before this transaction ends. The same is true below.
    await inSqlTransaction(async (tx) => {
      await claimAndStore(project.id, 0, tx);
      expect(await clean()).toEqual({ events: 1 });
    });
    expect(await idsOf('events')).toEqual([id]);
    expect(await idsOf('events')).not.toContain(other);
    expect(await countRows('deliveries')).toEqual({ deliveries: 1 });
  });
});

describe('removing events while a worker records attempts', () => {
  it('keeps no attempt without its delivery, and removes each event after its deliveries have ended', async () => {
    await insertMany(60, { deliveries: 1, attempts: 1, deliveryStatus: 'PENDING' });
    await database().query('UPDATE deliveries SET attempt_count = 1');
    const work = async () => {
      for (;;) {
        const outcomes = await claimOutcomes(6);
        if (outcomes.length === 0) return;
        expect(await recordAttempts(database(), outcomes)).toHaveLength(outcomes.length);
      }
    };
    await cleanBeside(Promise.all([work(), work(), work()]));
    await clean();
    expect(await countRows('events', 'deliveries', 'delivery_attempts')).toEqual({
      events: 0,
      deliveries: 0,
      delivery_attempts: 0,
    });
  });

  it('discards a late result of a removed delivery', async () => {
    await insertDeliverySource({ project, at, deliveries: 1, deliveryStatus: 'PENDING' });
    const outcomes = await claimOutcomes(1);
    await database().query(`UPDATE deliveries SET status = 'FAILED', next_attempt_at = NULL`);
    expect(await clean()).toEqual({ events: 1, deliveries: 1 });
    expect(await recordAttempts(database(), outcomes)).toEqual([]);
    expect(await countRows('delivery_attempts')).toEqual({ delivery_attempts: 0 });
  });
});

describe('removing events during other removals', () => {
  it('keeps an event with a locked attempt, and removes all others', async () => {
    const id = await insertDeliverySource({ project, at: addMs(at, 1), deliveries: 1, attempts: 1 });
    const large = await insertDeliverySource({ project, at: addMs(at, 2), deliveries: 9, attempts: 1 });
    await insertMany(2, { deliveries: 1, attempts: 1 });
    await insertMany(2, { at: addMs(at, 3), deliveries: 1, attempts: 1 });
    await inSqlTransaction(async (tx) => {
      await tx.query(
        'SELECT FROM delivery_attempts a JOIN deliveries d ON d.id = delivery_id WHERE event_id = ANY($1) FOR UPDATE OF a',
        [[id, large]],
      );
      expect(await clean(3)).toEqual({ events: 4, deliveries: 4, delivery_attempts: 4 });
    });
    expect(await idsOf('events')).toEqual([id, large].toSorted());
    expect(await clean()).toEqual({ events: 2, deliveries: 10, delivery_attempts: 10 });
  });

  it('removes and counts each row once when two runs work at once', async () => {
    await insertMany(40, { deliveries: 1, attempts: 2, outbox: 'DEAD' });
    const [first, second] = await Promise.all([clean(), clean()]);
    const sum = (table: string) => (first?.[table] ?? 0) + (second?.[table] ?? 0);
    expect(['events', 'deliveries', 'delivery_attempts', 'outbox'].map(sum)).toEqual([40, 40, 80, 40]);
  });

  it('does not block the cap of attempts, nor is blocked by it', async () => {
    await insertMany(30, { deliveries: 1, attempts: 6 });
    const kept = await insertDeliverySource({ project, at: now, deliveries: 1, attempts: 6 });
    const cap = async () =>
      capAttempts.clean(await startTestRun({ job: 'cap', policy: { maxAttemptsPerDelivery: 2, batchSize: 5 } }));
    await Promise.all([cap(), clean()]);
    await cap();
    await clean();
    expect(await idsOf('events')).toEqual([kept]);
    expect(await countRows('delivery_attempts')).toEqual({ delivery_attempts: 2 });
  });

  it('stores an event with the Idempotency-Key of a removed one', async () => {
    const old = await insertDeliverySource({ project, at });
    await database().query(`UPDATE events SET idempotency_key = 'order-1' WHERE id = $1`, [old]);
    const fresh = newId();
    const send = () =>
      database().query(
        `INSERT INTO events (id, project_id, type, payload, idempotency_key) VALUES ($1, $2, 'order.paid', '{}', 'order-1')
         ON CONFLICT (project_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING`,
        [fresh, project.id],
      );
    await Promise.all([clean(), send()]);
    await send();
    expect(await idsOf('events')).toEqual([fresh]);
  });
});
