import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import { BEGINNING } from '@/lib/delivery/engine/claims/low-watermarks';
import { outboxLease } from '@/lib/delivery/engine/lease';
import { sourceIdOf, toMessage } from '@/lib/delivery/engine/messages';
import type { EventRef, LeasedDelivery, Message, OutboxEntry, Target } from '@/lib/delivery/engine/types';
import { projectOfTurn, turnIdOf, turnKeyOf } from '@/lib/events/turn-key';
import type { Sql } from '@/lib/platform/db';
import { Yielder } from '@/lib/platform/yielder';
import { MAX_TAKES } from './outbox-failures';
import { type TakenRow, takeFew, takeFromQuarantine, takeMany } from './outbox-sql';

/** Limits of one take. A single row may exceed them. */
export const TAKE_LIMITS: TakeLimits = { bytes: 8 * 1024 * 1024, deliveries: 2_000 };
/** What a message has at most, about. */
export const MAX_MESSAGE_BYTES = 512 * 1024;
/** This many rows cannot exceed the limit of bytes. */
export const FEW_ROWS = TAKE_LIMITS.bytes / MAX_MESSAGE_BYTES;

interface TakeLimits {
  bytes: number;
  deliveries: number;
}

/** A turn, and how many outbox rows are taken in it at most. */
export interface Turn {
  /** Its turn key (lib/events/turn-key.ts). */
  key: string;
  most: number;
}

/** A target of an event, with the version of its row at the time of the take. */
export interface NamedTarget {
  id: string;
  version: string;
}

/** A taken outbox row, with the targets of its event. */
export interface TakenEntry {
  entry: OutboxEntry;
  projectId: string;
  /** The key of the turn in which it was taken. */
  turn: string;
  source: EventRef;
  message: Message | null;
  /** The first MAX_NAMED_TARGETS targets, by id. */
  targets: NamedTarget[];
  /** How many targets there are. */
  deliveries: number;
  /** Ids of the deliveries that an earlier worker has stored. */
  stored: ReadonlySet<string>;
}

export interface TakenRows {
  count: number;
  /** The sum over the rows of their deliveries, or of the subscriptions looked at if those are more: disabled endpoints cost time, too. */
  deliveries: number;
}

/** A batch of outbox rows. */
export interface Taken {
  entries: TakenEntry[];
  /** Counts of rows and of their deliveries, by turn key. */
  rows: Map<string, TakenRows>;
  /** Whether the limits left rows due. */
  isTruncated: boolean;
}

/**
 * Leases due outbox rows in turn, and reads their events and targets.
 * @param since nothing is due before it
 */
export async function takeEntries(
  sql: Sql,
  turns: readonly Turn[],
  limits: TakeLimits = TAKE_LIMITS,
  since = BEGINNING,
): Promise<Taken> {
  const lease = outboxLease();
  const chosen = {
    leaseSeconds: lease.seconds,
    projects: turns.map(({ key }) => projectOfTurn(key)),
    turnIds: turns.map(({ key }) => turnIdOf(key)),
    limits: turns.map(({ most }) => most),
    since,
  };
  const isFew = turns.reduce((sum, { most }) => sum + most, 0) <= FEW_ROWS && limits === TAKE_LIMITS;
  const rows = isFew
    ? await takeFew.all(sql, chosen)
    : await takeMany.all(sql, { ...chosen, maxBytes: limits.bytes, maxDeliveries: limits.deliveries });
  return toTaken(rows, lease.endsAt);
}

/**
 * Leases due outbox rows of the quarantine, and reads their events and targets.
 * @param after the project after which it begins, by id; null for the first one
 */
export async function takeQuarantined(sql: Sql, count: number, after: string | null = null): Promise<Taken> {
  const lease = outboxLease();
  const rows = await takeFromQuarantine.all(sql, {
    leaseSeconds: lease.seconds,
    limit: count,
    maxTakes: MAX_TAKES,
    after,
  });
  return toTaken(rows, lease.endsAt);
}

/** Makes entries of rows. Megabytes of messages, and thousands of targets, take the thread for some 50 ms in total. */
async function toTaken(rows: readonly TakenRow[], leaseEndsAt: number): Promise<Taken> {
  const taken: Taken = { entries: [], rows: new Map(), isTruncated: (rows[0]?.due ?? 0) > rows.length };
  const yielder = new Yielder();
  for (const row of rows) {
    if (yielder.shouldYield()) await yielder.yield();
    const entry = toEntry(row, leaseEndsAt);
    const { count, deliveries } = taken.rows.get(entry.turn) ?? { count: 0, deliveries: 0 };
    taken.rows.set(entry.turn, { count: count + 1, deliveries: deliveries + Math.max(row.deliveries, row.looked_at) });
    taken.entries.push(entry);
  }
  return taken;
}

function toEntry(row: TakenRow, leaseEndsAt: number): TakenEntry {
  return {
    entry: { id: row.outbox_id, takes: row.takes, unstored: 0, leaseEndsAt },
    projectId: row.project_id,
    turn: turnKeyOf(row.project_id, row.turn_customer_id),
    source: { eventId: row.event_id, incomingEventId: row.incoming_event_id },
    message: toMessage(row),
    targets: row.targets === null ? [] : row.targets.split(',').map(toNamedTarget),
    deliveries: row.deliveries,
    stored: new Set(row.stored),
  };
}

function toNamedTarget(text: string): NamedTarget {
  const at = text.indexOf(':');
  return { id: text.slice(0, at), version: text.slice(at + 1) };
}

/** Makes the delivery of a taken row to one of its targets. The row then waits until the delivery is stored. */
export function firstDelivery(
  taken: TakenEntry,
  { id: targetId, kind, customerId }: Pick<Target, 'id' | 'kind' | 'customerId'>,
): LeasedDelivery {
  const { entry, projectId, turn, source } = taken;
  entry.unstored += 1;
  return {
    deliveryId: deliveryIdOf(sourceIdOf(source), targetId),
    projectId,
    targetId,
    targetKind: kind,
    customerId,
    turn,
    source,
    attemptNumber: 1,
    scheduleStep: 0,
    leaseEndsAt: entry.leaseEndsAt,
    leasedAt: performance.now(),
    entry,
    storing: null,
  };
}
