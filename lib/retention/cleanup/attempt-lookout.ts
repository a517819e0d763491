import { MINUTE_MS } from '@/lib/platform/clock';
import type { Transaction } from '@/lib/platform/db';

/** Deliveries of a batch, locked: the lowest and the highest of their ids, and when the last attempt of any was recorded. */
export interface DeliveryRange {
  first_id: string;
  last_id: string;
  touched_at: Date | null;
}

/** Times further ahead than a batch that one look covers. */
const LOOK_AHEAD = 16n;
/** Longer than any transaction that records attempts: what it writes bears the time at which it began. */
const SLACK_MS = MINUTE_MS;

const WINDOW_SQL = `
  SELECT min(created_at)::text AS "firstAt", max(created_at)::text AS "lastAt", now() AS at FROM delivery_attempts
  WHERE delivery_id >= $1::uuid AND delivery_id <= $2::uuid`;

/** The times between which attempts were made; as text, since a Date has no microseconds. */
export interface AttemptWindow {
  firstAt: string;
  lastAt: string;
}

interface Seen {
  from: string;
  to: string;
  atMs: number;
  window: AttemptWindow | null;
}

/**
 * Tells between which times the attempts of a batch's deliveries were made, if there are any: as a rule most have left long
 * before by their own age. A look touches each of some hundred partitions, and took a fifth of the time of a batch: so it
 * goes ahead, over the ids of the next batches too. What a worker records after that stands in the delivery, and has it
 * looked for again.
 */
export class AttemptLookout {
  #seen: Seen | null = null;

  /** @returns null when there are none; else times that hold all of them, and may hold others */
  async findWindow(tx: Transaction, range: DeliveryRange): Promise<AttemptWindow | null> {
    const { first_id: first, last_id: last, touched_at: touchedAt } = range;
    const seen = this.#seen;
    if (seen !== null && first >= seen.from && last <= seen.to) {
      if (touchedAt === null || touchedAt.getTime() < seen.atMs - SLACK_MS) return seen.window;
      return (await this.#look(tx, first, last)).window;
    }
    this.#seen = await this.#look(tx, first, idAhead(first, last));
    return this.#seen.window;
  }

  async #look(tx: Transaction, from: string, to: string): Promise<Seen> {
    const query = { name: 'retention-attempt-window', text: WINDOW_SQL, values: [from, to] };
    const { rows } = await tx.query<{ firstAt: string | null; lastAt: string | null; at: Date }>(query);
    const { firstAt = null, lastAt = null, at = new Date(0) } = rows[0] ?? {};
    return { from, to, atMs: at.getTime(), window: firstAt === null || lastAt === null ? null : { firstAt, lastAt } };
  }
}

const HIGHEST_ID = (1n << 128n) - 1n;

/** The id so many spans beyond a span of ids: of UUIDv7, which begin with their time, so many times the time. */
function idAhead(first: string, last: string): string {
  const [from, to] = [first, last].map((id) => BigInt(`0x${id.replaceAll('-', '')}`)) as [bigint, bigint];
  const ahead = to + (to - from) * LOOK_AHEAD;
  const hex = (ahead > HIGHEST_ID ? HIGHEST_ID : ahead).toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
