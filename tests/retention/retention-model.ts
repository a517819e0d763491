import { DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import type { RetentionPolicy } from '@/lib/retention/retention-policy';
import type { SimulatedAttempt, SimulatedSource, SimulatedStore } from './simulated-traffic';

/*
 * A second, plain implementation of the policy to compare the database with: docs/specification.md#retention and
 * docs/decisions/017.
 */

const endOfDayMs = (atMs: number) => (Math.floor(atMs / DAY_MS) + 1) * DAY_MS;
const hasDayExpired = (atMs: number, nowMs: number, days: number) => endOfDayMs(atMs) <= nowMs - days * DAY_MS;
const hasExpired = (atMs: number, nowMs: number, days: number) => atMs <= nowMs - days * DAY_MS;

/** Removes from the model what a complete run of `main` removes. */
export function applyMain(store: SimulatedStore, policy: RetentionPolicy, nowMs: number): void {
  for (const { deliveries } of store.sources) {
    for (const delivery of deliveries) {
      delivery.attempts = delivery.attempts.filter(
        ({ atMs, succeeded }) =>
          !hasDayExpired(atMs, nowMs, succeeded ? policy.succeededAttemptsDays : policy.failedAttemptsDays),
      );
    }
  }
  store.tunnelLog = store.tunnelLog.filter(({ atMs }) => !hasDayExpired(atMs, nowMs, policy.tunnelLogDays));
  store.sources = store.sources.filter(
    (source) => isHeld(source) || !hasExpired(source.atMs, nowMs, daysOf(source, policy)),
  );
  for (const source of store.sources) {
    if (source.dead !== null && hasExpired(source.dead.atMs, nowMs, policy.deadOutboxDays)) source.dead = null;
  }
  store.deadMails = store.deadMails.filter(({ atMs }) => !hasExpired(atMs, nowMs, policy.deadOutboxDays));
}

/** Removes from the model what a complete run of `cap` removes: all but the newest attempts of each delivery. */
export function applyCap(store: SimulatedStore, policy: RetentionPolicy): void {
  const newestFirst = (a: SimulatedAttempt, b: SimulatedAttempt) => b.number - a.number;
  for (const { deliveries } of store.sources) {
    for (const delivery of deliveries) {
      delivery.attempts = delivery.attempts.toSorted(newestFirst).slice(0, policy.maxAttemptsPerDelivery);
    }
  }
}

const daysOf = (source: SimulatedSource, policy: RetentionPolicy) =>
  source.table === 'events' ? policy.eventsDays : policy.incomingEventsDays;

function isHeld({ queued, deliveries }: SimulatedSource): boolean {
  return queued !== null || deliveries.some(({ pendingUntilMs }) => pendingUntilMs !== null);
}

/** Returns the model's ids by table, sorted. */
export function idsOfModel(store: SimulatedStore): Record<string, string[]> {
  const { sources } = store;
  const deliveries = sources.flatMap((source) => source.deliveries);
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).toSorted();
  return {
    events: ids(sources.filter(({ table }) => table === 'events')),
    incoming_events: ids(sources.filter(({ table }) => table === 'incoming_events')),
    deliveries: ids(deliveries),
    delivery_attempts: ids(deliveries.flatMap(({ attempts }) => attempts)),
    tunnel_request_log: ids(store.tunnelLog),
    outbox: ids(sources.flatMap(({ queued, dead }) => [queued ?? [], dead ?? []].flat())),
    mails: ids(store.deadMails),
  };
}

/** Returns the database's ids by table, sorted. */
export async function idsOfDatabase(tables: string[]): Promise<Record<string, string[]>> {
  const read = async (table: string) => {
    const { rows } = await database().query<{ id: string }>(`SELECT id FROM ${table}`);
    return [table, rows.map(({ id }) => id).toSorted()] as const;
  };
  return Object.fromEntries(await Promise.all(tables.map(read)));
}
