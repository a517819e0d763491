import { JsonValue } from '@/lib/events/json/json-value';
import type { FieldFault } from '@/lib/platform/errors';
import { currentHolder } from '@/lib/platform/place-holder';
import { countThread, inThreadTurn } from '@/lib/platform/thread-turns';
import { checkJson } from './check-json';
import { inPlace } from './check-places';
import type { SchemaNode } from './json-schema';

/** A check has the thread for so long before others have a turn. */
const SLICE_MS = 1.5;
/** A single step on a larger text can take long: reading the members of an object takes 30 ms. So it waits for its turn. */
const SMALL_CHARS = 16 * 1024;
const NEVER = new AbortController().signal;

/**
 * Says where JSON differs from a schema. A long check takes turns with what else the thread does, and its owner rests between them.
 * @param name what errors call the value
 * @param budget what is left of the steps of several checks; it may become negative
 * @throws AppError rate_limited when too much of the owner waits, overloaded when that of others does
 */
export async function findMismatches(
  ownerId: string,
  schema: SchemaNode,
  json: string,
  name: string,
  budget?: { left: number },
): Promise<FieldFault[]> {
  const isSmall = json.length <= SMALL_CHARS;
  let work: ReturnType<typeof checkJson> | undefined;
  const begin = () => {
    work ??= checkJson(schema, JsonValue.of(json), name, budget);
    return work;
  };
  // Most checks end with their first slice. They hold nothing while others rest, and need no place.
  const first = () => runSlice(begin());
  const result = isSmall ? countThread(ownerId, first) : await inTurnOfOwner(ownerId, first);
  if (result !== null) return result;
  const check = () => inSlices((slice) => inTurnOfOwner(ownerId, slice), begin);
  // The place that a job holds bounds its memory, too.
  if (currentHolder() !== undefined) return check();
  // What was read is not kept while the check waits for a place.
  return inPlace(isSmall ? 'smallCheck' : 'check', ownerId, check, () => {
    work = undefined;
  });
}

/** Does work that may take long in slices. @param inTurn does a slice when it is the turn of whoever pays for it */
export async function inSlices<T>(
  inTurn: (work: () => T | null) => Promise<T | null>,
  begin: () => Generator<unknown, T>,
): Promise<T> {
  let work: Generator<unknown, T> | undefined;
  for (;;) {
    const result = await inTurn(() => {
      work ??= begin();
      return runSlice(work);
    });
    if (result !== null) return result;
  }
}

/** Does work on what an owner has defined when it is the owner's turn. @throws AppError rate_limited when too much of the owner waits */
export function inTurnOfOwner<T>(ownerId: string, work: () => T): Promise<T> {
  return inThreadTurn({ ipAddress: null, userAgent: null, ownerId }, () => NEVER, work);
}

/** Continues work, and returns its result when it is done. */
function runSlice<T>(work: Generator<unknown, T>): T | null {
  const endsAt = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (performance.now() >= endsAt) return null;
  }
}
