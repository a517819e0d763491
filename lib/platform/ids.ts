import { v7 } from 'uuid';
import * as z from 'zod';
import { addMs, SECOND_MS } from './clock';

const RANDOM_BYTES = 16;
/** Random bytes for many ids: a call of the generator per id would cost ten times as much as the rest of `newId`. */
const pool = new Uint8Array(256 * RANDOM_BYTES);
/** A clock that was ahead by more, and was set back, no longer decides the times of ids. */
const MOST_AHEAD_MS = 60 * SECOND_MS;
let used = pool.length;
let lastMs = Number.NEGATIVE_INFINITY;
let sequence = 0;

/**
 * Returns a new UUIDv7. Ids sort by creation time, so lists page by id and retention cuts off by id. Within a millisecond
 * a counter with a random start keeps the order (RFC 9562 section 6.2, method 1).
 */
export function newId(): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + RANDOM_BYTES);
  used += RANDOM_BYTES;
  const now = Date.now();
  if (now > lastMs || lastMs - now > MOST_AHEAD_MS) {
    lastMs = now;
    sequence = new DataView(random.buffer, random.byteOffset).getUint32(6) >>> 1;
  } else {
    sequence = (sequence + 1) | 0;
    if (sequence === 0) lastMs++;
  }
  return v7({ random, msecs: lastMs, seq: sequence });
}

/** Returns a new UUIDv7 of a given time, for rows that sort by a clock other than this process's. */
export function newIdAt(at: Date): string {
  return v7({ msecs: at.getTime() });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID in canonical form. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** An id in a request or response, lower-cased as it is stored and compared. A reference to another resource describes itself. */
export const Id = z
  .string()
  .regex(UUID, 'must be a UUID')
  .toLowerCase()
  .meta({ format: 'uuid', description: 'Unique id, a UUIDv7: ids sort by creation time' });

/** Returns the lowest UUIDv7 of a time: the bound for finding rows by age. */
export function lowestIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
}

/** Returns the time of a UUIDv7 in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/**
 * Returns the lowest id of a period and the one after its highest; null where it has no bound. Ids start with their time, and only
 * ids are indexed. Some slack allows for the time between an id and its created_at, which decides.
 */
export function idRange(
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
  slackMs = SECOND_MS,
): { lowest: string | null; below: string | null } {
  return {
    lowest: from === undefined ? null : lowestIdAt(addMs(from, -slackMs)),
    below: to === undefined ? null : lowestIdAt(addMs(to, slackMs)),
  };
}
