import type { Sql } from '@/lib/platform/db';
import { FAN_OUT_ONE_SQL, FAN_OUT_SQL, type FannedOutRow } from './fan-out-sql';
import { leaseFromNow } from './lease';
import { type MessageRow, toMessage } from './messages';
import type { Job, Message } from './types';

/** How many deliveries a worker can take on at once: for targets that it knows, and for any other. */
export interface Room {
  known: ReadonlyMap<string, number>;
  other: number;
}

/** What became of a batch of outbox rows. */
export interface FannedOut {
  /** Outbox rows that are done. */
  entries: number;
  /** Deliveries made with the lease already taken, for this worker to send now. */
  handedOver: { targetId: string; job: Job }[];
  /** Targets that got deliveries for later: they are due now, for any worker to claim. */
  overflowed: Set<string>;
}

/**
 * Turns a batch of outbox rows into deliveries, one for each endpoint with a matching subscription or destination of
 * the source, and removes the rows.
 *
 * First attempts are handed to the caller as far as there is room: that spares a claim, which would write each delivery
 * a third time.
 */
export async function fanOutBatch(sql: Sql, room: Room): Promise<FannedOut> {
  return fanOut(sql, { name: 'fan-out', text: FAN_OUT_SQL }, room, []);
}

/** The same for one row, so that a bad one does not hold up its batch. */
export async function fanOutEntry(sql: Sql, outboxId: string, room: Room): Promise<FannedOut> {
  return fanOut(sql, { text: FAN_OUT_ONE_SQL }, room, [outboxId]);
}

type ResultRow = { entries: number } & (FannedOutRow | (MessageRow & { delivery_id: null }));

async function fanOut(
  sql: Sql,
  statement: { name?: string; text: string },
  { known, other }: Room,
  which: string[],
): Promise<FannedOut> {
  const lease = leaseFromNow();
  const values = [[...known.keys()], [...known.values()], other, lease.seconds, ...which];
  const { rows } = await sql.query<ResultRow>({ ...statement, values });
  const done: FannedOut = { entries: rows[0]?.entries ?? 0, handedOver: [], overflowed: new Set() };
  const messages = new Map<string, Message | null>();
  for (const row of rows) {
    if (row.delivery_id === null) continue;
    if (!row.is_handed_over) {
      done.overflowed.add(row.target_id);
      continue;
    }
    const message = messageOf(row, messages);
    if (message === null) continue;
    done.handedOver.push({
      targetId: row.target_id,
      job: {
        deliveryId: row.delivery_id,
        message,
        attemptNumber: 1,
        scheduleStep: 0,
        leaseEndsAt: lease.endsAt,
      },
    });
  }
  return done;
}

/** The bytes of an event are made once, however many targets it goes to. */
function messageOf(row: MessageRow, made: Map<string, Message | null>): Message | null {
  const id = row.event_id ?? row.incoming_event_id ?? '';
  const present = made.get(id);
  if (present !== undefined) return present;
  const message = toMessage(row);
  made.set(id, message);
  return message;
}
