import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import { outboxLease } from '@/lib/delivery/engine/lease';
import { type MessageRow, originIdOf, toMessage } from '@/lib/delivery/engine/messages';
import { type TargetRow, toTarget } from '@/lib/delivery/engine/targets';
import type { DeliveryOrigin, LeasedDelivery, Message, OutboxEntry, Target } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import { TAKE_QUARANTINED_SQL, TAKE_SQL } from './take-sql';

/** What one take hands over at most. One row may exceed it alone. */
export const MAX_BATCH_BYTES = 8 * 1024 * 1024;
export const MAX_BATCH_DELIVERIES = 2_000;

/** A project's turn, and how many outbox rows it may take in it. */
export interface Turn {
  projectId: string;
  most: number;
}

/** An outbox row that was taken, with the targets that its event goes to. */
export interface TakenEntry {
  entry: OutboxEntry;
  projectId: string;
  origin: DeliveryOrigin;
  message: Message;
  /** Targets in the order of their ids: all of them, or the first MAX_NAMED_TARGETS. */
  targetIds: string[];
  /** How many there are. */
  deliveries: number;
  /** Ids of deliveries that are stored already, by a worker that had this row before. */
  stored: ReadonlySet<string>;
}

/** What became of a batch of outbox rows. */
export interface Taken {
  /** Rows chosen, those that left at once for want of a target included; by project. */
  rows: Map<string, number>;
  /** Whether rows stay due since they would exceed the bounds. */
  isCut: boolean;
  entries: TakenEntry[];
  targets: Map<string, Target>;
}

interface EntryRow extends MessageRow {
  outbox_id: string;
  project_id: string;
  takes: number;
  deliveries: number;
  due: number;
  targets: string | null;
  stored: string[] | null;
}
type ResultRow = EntryRow | (TargetRow & { outbox_id: null });

export interface TakeLimits {
  bytes: number;
  deliveries: number;
}

const LIMITS: TakeLimits = { bytes: MAX_BATCH_BYTES, deliveries: MAX_BATCH_DELIVERIES };

/** Leases due outbox rows of some projects and reads what they are about. */
export async function takeEntries(sql: Sql, turns: readonly Turn[], limits: TakeLimits = LIMITS): Promise<Taken> {
  const chosen = [turns.map(({ projectId }) => projectId), turns.map(({ most }) => most)];
  return take(sql, { name: 'take-entries', text: TAKE_SQL }, chosen, limits);
}

/** The same for rows that were taken before and never finished. */
export async function takeQuarantined(sql: Sql, count: number): Promise<Taken> {
  return take(sql, { text: TAKE_QUARANTINED_SQL }, [count], LIMITS);
}

async function take(
  sql: Sql,
  statement: { name?: string; text: string },
  chosen: unknown[],
  limits: TakeLimits,
): Promise<Taken> {
  const lease = outboxLease();
  const values = [lease.seconds, limits.bytes, limits.deliveries, ...chosen];
  const { rows } = await sql.query<ResultRow>({ ...statement, values });
  const taken: Taken = { rows: new Map(), isCut: false, entries: [], targets: new Map() };
  let chosenRows = 0;
  let dueRows = 0;
  for (const row of rows) {
    if (row.outbox_id === null) {
      taken.targets.set(row.id, toTarget(row));
      continue;
    }
    chosenRows += 1;
    dueRows = row.due;
    taken.rows.set(row.project_id, (taken.rows.get(row.project_id) ?? 0) + 1);
    const entry = toEntry(row, lease.endsAt);
    if (entry !== null) taken.entries.push(entry);
  }
  taken.isCut = dueRows > chosenRows;
  return taken;
}

function toEntry(row: EntryRow, leaseEndsAt: number): TakenEntry | null {
  const message = row.deliveries === 0 ? null : toMessage(row);
  if (message === null) return null;
  return {
    entry: { id: row.outbox_id, takes: row.takes, unstored: 0, leaseEndsAt },
    projectId: row.project_id,
    origin: { eventId: row.event_id, incomingEventId: row.incoming_event_id },
    message,
    targetIds: row.targets?.split(',') ?? [],
    deliveries: row.deliveries,
    stored: new Set(row.stored),
  };
}

/** The delivery of a taken row to one of its targets, before its first attempt. Counts in what the row waits for. */
export function firstDelivery(taken: TakenEntry, { id: targetId, kind }: Pick<Target, 'id' | 'kind'>): LeasedDelivery {
  const { entry, projectId, origin } = taken;
  entry.unstored += 1;
  return {
    deliveryId: deliveryIdOf(originIdOf(origin), targetId),
    projectId,
    targetId,
    targetKind: kind,
    origin,
    attemptNumber: 1,
    scheduleStep: 0,
    leaseEndsAt: entry.leaseEndsAt,
    inHandSince: performance.now(),
    entry,
    storing: null,
  };
}
