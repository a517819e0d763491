import { beforeAll, beforeEach } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { capAttempts } from '@/lib/retention/cleanup/cap-attempts';
import { createPartitionsAhead } from '@/lib/retention/partitions/make-partitions';
import { insertEndpoint, insertEvents, type TestEndpoint } from '@/tests/fixtures/deliveries';
import { readCounters, runStep } from '@/tests/retention/test-run';

/** Days 0 to 8 from here have partitions. Older and newer rows are in the default ones. */
export const NOW = new Date('2026-03-10T12:00:00.000Z');

/** Attempts are inserted with their number, as failures of day 0 unless stated otherwise. */
export interface Attempt {
  number: number;
  succeeded?: boolean;
  day?: number;
}

/** Returns the attempts 1 to `count`. */
export const upTo = (count: number): Attempt[] => Array.from({ length: count }, (_, index) => ({ number: index + 1 }));

/** Prepares the partitions and an endpoint before the tests of a file, and removes deliveries and counters before each test. */
export function useCappedDeliveries() {
  const endpoint = {} as TestEndpoint;
  beforeAll(async () => {
    await createPartitionsAhead(NOW);
    Object.assign(endpoint, await insertEndpoint({ url: 'https://receiver.example/hook' }));
  });
  beforeEach(clear);
  return {
    /** Inserts a delivery under way, with attempts that were not recorded by the worker. */
    insertDelivery: (attempts: readonly Attempt[], status?: string, createdAt?: Date) =>
      insertDelivery(endpoint, attempts, status, createdAt),
    insertAttempts: (deliveryId: string, attempts: readonly Attempt[]) =>
      insertAttempts(endpoint, deliveryId, attempts),
  };
}

/** Removes all events, deliveries, attempts and counters. */
export async function clear(): Promise<void> {
  await database().query('DELETE FROM events; DELETE FROM delivery_attempts; DELETE FROM metric_counters');
}

async function insertDelivery(
  endpoint: TestEndpoint,
  attempts: readonly Attempt[],
  status = 'PENDING',
  createdAt = addMs(NOW, -50 * DAY_MS),
): Promise<string> {
  const [eventId] = await insertEvents(endpoint.projectId, 1);
  const id = newId();
  await database().query(
    `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, schedule_step, next_attempt_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, 3, '2026-03-20T00:00:00Z', $7)`,
    [id, endpoint.projectId, eventId, endpoint.id, status, attempts.length, createdAt],
  );
  await insertAttempts(endpoint, id, attempts);
  return id;
}

async function insertAttempts(endpoint: TestEndpoint, deliveryId: string, attempts: readonly Attempt[]): Promise<void> {
  const days = attempts.map(({ day = 0 }) => addMs(NOW, day * DAY_MS).toISOString());
  await sqlWithTimeout(LONG_STATEMENT_MS).query(
    `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
     SELECT gen_random_uuid(), $1, $2, number, at, 5, succeeded, at
     FROM unnest($3::int[], $4::boolean[], $5::timestamptz[]) AS a(number, succeeded, at)`,
    [
      endpoint.projectId,
      deliveryId,
      attempts.map(({ number }) => number),
      attempts.map(({ succeeded = false }) => succeeded),
      days,
    ],
  );
}

/** Returns the numbers of a delivery's stored attempts. */
export async function readNumbers(deliveryId: string): Promise<number[]> {
  const { rows } = await database().query<{ attempt_number: number }>(
    'SELECT attempt_number FROM delivery_attempts WHERE delivery_id = $1 ORDER BY attempt_number',
    [deliveryId],
  );
  return rows.map(({ attempt_number }) => attempt_number);
}

/** Returns how many stored attempts a delivery counts. */
export async function readStored(deliveryId: string): Promise<number> {
  const sql = 'SELECT stored_attempts FROM deliveries WHERE id = $1';
  return (await database().query(sql, [deliveryId])).rows[0].stored_attempts;
}

/** Returns what all runs together have counted. */
export async function countRemoved(): Promise<number> {
  return (await readCounters())['retention_rows_removed_total delivery_attempts'] ?? 0;
}

/** Runs the cap. @returns how many attempts it removed */
export async function cap(maxAttemptsPerDelivery: number, batchSize = 1000, signal?: AbortSignal): Promise<number> {
  const policy = { maxAttemptsPerDelivery, batchSize };
  const removed = await runStep(capAttempts, { job: 'cap', now: NOW, policy, ...(signal && { signal }) });
  return removed.delivery_attempts ?? 0;
}
