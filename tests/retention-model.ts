import { DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import type { RetentionPolicy } from '@/lib/retention/retention-policy';
import type { SimulatedAttempt, SimulatedOrigin, SimulatedStore } from './simulated-traffic';

/*
 * The policy said a second time and as plainly as can be, to hold the database against: SPEC 8.1, CONTRACT 8 and 10,
 * docs/decisions/017.
 */

const endOfDayMs = (atMs: number) => (Math.floor(atMs / DAY_MS) + 1) * DAY_MS;
const hasDayExpired = (atMs: number, nowMs: number, days: number) => endOfDayMs(atMs) <= nowMs - days * DAY_MS;
const hasExpired = (atMs: number, nowMs: number, days: number) => atMs <= nowMs - days * DAY_MS;

/** What a complete run of `main` leaves. */
export function applyMain(store: SimulatedStore, policy: RetentionPolicy, nowMs: number): void {
  for (const { deliveries } of store.origins) {
    for (const delivery of deliveries) {
      delivery.attempts = delivery.attempts.filter(
        ({ atMs, succeeded }) =>
          !hasDayExpired(atMs, nowMs, succeeded ? policy.succeededAttemptsDays : policy.failedAttemptsDays),
      );
    }
  }
  store.tunnelLog = store.tunnelLog.filter(({ atMs }) => !hasDayExpired(atMs, nowMs, policy.tunnelLogDays));
  store.origins = store.origins.filter(
    (origin) => isHeld(origin) || !hasExpired(origin.atMs, nowMs, daysOf(origin, policy)),
  );
  for (const origin of store.origins) {
    if (origin.dead !== null && hasExpired(origin.dead.atMs, nowMs, policy.deadOutboxDays)) origin.dead = null;
  }
  store.deadMails = store.deadMails.filter(({ atMs }) => !hasExpired(atMs, nowMs, policy.deadOutboxDays));
}

/** What a complete run of `cap` leaves: the newest attempts of each delivery. */
export function applyCap(store: SimulatedStore, policy: RetentionPolicy): void {
  const newestFirst = (a: SimulatedAttempt, b: SimulatedAttempt) => b.number - a.number;
  for (const { deliveries } of store.origins) {
    for (const delivery of deliveries) {
      delivery.attempts = delivery.attempts.toSorted(newestFirst).slice(0, policy.maxAttemptsPerDelivery);
    }
  }
}

const daysOf = (origin: SimulatedOrigin, policy: RetentionPolicy) =>
  origin.table === 'events' ? policy.eventsDays : policy.incomingEventsDays;

function isHeld({ queued, deliveries }: SimulatedOrigin): boolean {
  return queued !== null || deliveries.some(({ pendingUntilMs }) => pendingUntilMs !== null);
}

/** Ids by table, sorted: of the model. */
export function idsOfModel(store: SimulatedStore): Record<string, string[]> {
  const { origins } = store;
  const deliveries = origins.flatMap((origin) => origin.deliveries);
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).toSorted();
  return {
    events: ids(origins.filter(({ table }) => table === 'events')),
    incoming_events: ids(origins.filter(({ table }) => table === 'incoming_events')),
    deliveries: ids(deliveries),
    delivery_attempts: ids(deliveries.flatMap(({ attempts }) => attempts)),
    tunnel_request_log: ids(store.tunnelLog),
    outbox: ids([...store.deadMails, ...origins.flatMap(({ queued, dead }) => [queued ?? [], dead ?? []].flat())]),
  };
}

/** Ids by table, sorted: of the database. */
export async function idsOfDatabase(tables: string[]): Promise<Record<string, string[]>> {
  const read = async (table: string) => {
    const { rows } = await database().query<{ id: string }>(`SELECT id FROM ${table}`);
    return [table, rows.map(({ id }) => id).toSorted()] as const;
  };
  return Object.fromEntries(await Promise.all(tables.map(read)));
}
