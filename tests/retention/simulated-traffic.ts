import { DAY_MS, HOUR_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import {
  insertAll,
  insertAttempts,
  insertDeliveries,
  insertDeliverySources,
  insertOutbox,
  iso,
  outboxRows,
} from './simulated-rows';
import type {
  SimulatedAttempt,
  SimulatedDelivery,
  SimulatedProject,
  SimulatedSource,
  SimulatedStore,
} from './simulated-store';

/** A repeatable source of chance: the same seed, the same year. */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One day of a small shop: most succeeds at once, some is retried for days, a little is given up or waits for a worker. */
export async function insertDay(
  store: SimulatedStore,
  project: SimulatedProject,
  dayMs: number,
  random: () => number,
): Promise<void> {
  const within = () => dayMs + Math.floor(random() * DAY_MS);
  const sources = Array.from({ length: 4 }, (_, n) =>
    makeSource(n === 3 ? 'incoming_events' : 'events', within(), random),
  );
  // The boundaries: the first and the last instant of a day.
  if (sources[0] !== undefined) sources[0].atMs = dayMs;
  if (sources[1] !== undefined) sources[1].atMs = dayMs + DAY_MS - 1;
  store.sources.push(...sources);
  await insertDeliverySources(project, sources);
  await insertDeliveries(project, sources);
  const tunnelLog = [{ id: newId(), atMs: within() }];
  store.tunnelLog.push(...tunnelLog);
  await insertAll(
    'tunnel_request_log',
    'id, project_id, tunnel_id, method, path, request_size, created_at',
    'id uuid, project_id uuid, tunnel_id uuid, method text, path text, request_size int, created_at timestamptz',
    tunnelLog.map(({ id, atMs }) => ({
      id,
      project_id: project.projectId,
      tunnel_id: project.tunnelId,
      method: 'GET',
      path: '/',
      request_size: 0,
      created_at: iso(atMs),
    })),
  );
  const deadMails = random() < 0.3 ? [{ id: newId(), atMs: within() }] : [];
  store.deadMails.push(...deadMails);
  await insertOutbox([
    ...deadMails.map(({ id, atMs }) => ({
      id,
      kind: 'MAIL',
      status: 'DEAD',
      dead_at: iso(atMs),
      created_at: iso(atMs),
    })),
    ...sources.flatMap((source) => outboxRows(project, source)),
  ]);
}

function makeSource(table: SimulatedSource['table'], atMs: number, random: () => number): SimulatedSource {
  const source: SimulatedSource = { id: newId(), table, atMs, deliveries: [], queued: null, dead: null };
  const luck = random();
  if (luck < 0.02) source.queued = { id: newId(), untilMs: atMs + Math.floor(random() * 120 * DAY_MS) };
  else if (luck < 0.05) source.dead = { id: newId(), atMs: atMs + 4 * HOUR_MS };
  else source.deliveries.push(makeDelivery(atMs, random), ...(random() < 0.3 ? [makeDelivery(atMs, random)] : []));
  return source;
}

function makeDelivery(atMs: number, random: () => number): SimulatedDelivery {
  const failures = random() < 0.7 ? 0 : Math.floor(random() * 14);
  const attempts: SimulatedAttempt[] = [];
  let at = atMs;
  for (let number = 1; number <= failures + 1; number += 1) {
    attempts.push({ id: newId(), atMs: at, number, succeeded: number > failures && random() < 0.9 });
    at += Math.floor(random() * 8 * HOUR_MS);
  }
  const isStuck = random() < 0.03;
  return {
    id: newId(),
    atMs,
    attempts,
    attemptCount: attempts.length,
    pendingUntilMs: isStuck ? atMs + Math.floor(random() * 150 * DAY_MS) : null,
  };
}

/** What has ended by `nowMs`: deliveries that were pending, with a last attempt, and events that waited for a worker. */
export async function settleUntil(
  store: SimulatedStore,
  project: SimulatedProject,
  nowMs: number,
  random: () => number,
): Promise<void> {
  for (const source of store.sources) {
    if (source.queued !== null && source.queued.untilMs <= nowMs) {
      await database().query('DELETE FROM outbox WHERE id = $1', [source.queued.id]);
      source.queued = null;
      source.deliveries.push(makeDelivery(nowMs - 20 * HOUR_MS * random(), () => 0.5));
      await insertDeliveries(project, [source]);
    }
    for (const delivery of source.deliveries) {
      if (delivery.pendingUntilMs === null || delivery.pendingUntilMs > nowMs) continue;
      await endDelivery(project, delivery, delivery.pendingUntilMs);
    }
  }
}

async function endDelivery(project: SimulatedProject, delivery: SimulatedDelivery, atMs: number): Promise<void> {
  delivery.pendingUntilMs = null;
  delivery.attemptCount += 1;
  const attempt = { id: newId(), atMs, number: delivery.attemptCount, succeeded: true };
  await database().query(
    `UPDATE deliveries SET status = 'SUCCEEDED', next_attempt_at = NULL, attempt_count = $2, completed_at = $3 WHERE id = $1`,
    [delivery.id, delivery.attemptCount, iso(atMs)],
  );
  await insertAttempts(project, [{ ...delivery, attempts: [attempt] }]);
  delivery.attempts.push(attempt);
}
