import { setTimeout as sleep } from 'node:timers/promises';
import { sendEvent } from '@/lib/events/send-event';
import { sha256 } from '@/lib/platform/crypto';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Receiver } from './children';
import { atPace } from './pace.mjs';
import type { LoadedProject } from './seed';

/** Stores events with their outbox rows in one transaction, spread over the projects. */
export async function storeBacklog(projects: readonly LoadedProject[], count: number, data: string): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => projects[index % projects.length]?.projectId);
  await sqlWithTimeout(LONG_STATEMENT_MS).query(
    `WITH stored AS (
       INSERT INTO events (id, project_id, type, payload)
       SELECT id, project_id, 'order.paid', $4 FROM unnest($1::uuid[], $2::uuid[]) AS e(id, project_id)
       RETURNING id, project_id
     ), queued AS (
       INSERT INTO outbox (id, kind, project_id, event_id)
       SELECT o.id, 'EVENT', s.project_id, s.id FROM unnest($1::uuid[], $3::uuid[]) AS o(event_id, id)
       JOIN stored s ON s.id = o.event_id
     )
     SELECT pg_notify('eds_outbox', '')`,
    [rows.map(newId), rows, rows.map(newId), data],
  );
}

/** Waits until no outbox row and no delivery is pending. */
export async function waitUntilDelivered(): Promise<void> {
  for (;;) {
    const { rows } = await database().query<{ done: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM outbox WHERE status = 'PENDING')
          AND NOT EXISTS (SELECT FROM deliveries WHERE status = 'PENDING') AS done`,
    );
    if (rows[0]?.done) return;
    await sleep(50);
  }
}

/**
 * Stores events, waits until all are delivered, and removes them.
 *
 * @returns deliveries per second, from the commit of the events to the record of the last attempt
 * @throws Error when an event did not arrive, or arrived twice
 */
export async function deliverBacklog(
  projects: readonly LoadedProject[],
  receiver: Receiver,
  count: number,
  data: string,
): Promise<number> {
  await receiver.ask('reset');
  await storeBacklog(projects, count, data);
  const started = performance.now();
  await waitUntilDelivered();
  const seconds = (performance.now() - started) / 1000;
  const { events, requests } = await receiver.ask('count');
  if (events !== count || requests !== count)
    throw new Error(`${count} events sent, ${events} received, in ${requests} requests`);
  await emptyTables();
  return count / seconds;
}

/** Removes all events with their deliveries. Locks the tables in the order of the worker's statements: else one deadlocks. */
export async function emptyTables(): Promise<void> {
  await database().query('TRUNCATE events, deliveries, delivery_attempts');
}

/**
 * Sends events at a fixed rate through the code of POST /events.
 * @returns the commit time of each event, which is the time of its 202, in milliseconds since 1970
 */
export async function sendAtPace(
  projects: readonly LoadedProject[],
  perSecond: number,
  seconds: number,
  data: string,
): Promise<Map<string, number>> {
  const others = {
    projectId: null,
    type: 'order.paid',
    payload: data,
    customer: null,
    idempotencyKey: null,
    traceparent: null,
    clientAddress: null,
  };
  const sent = await atPace(perSecond, seconds * 1000, async (index): Promise<[string, number]> => {
    const keyHash = sha256(projects[index % projects.length]?.key ?? '');
    const { event } = await sendEvent({ keyHash, ...others }, new Date());
    return [event.id, performance.timeOrigin + performance.now()];
  });
  return new Map(sent);
}
