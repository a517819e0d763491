import { JsonValue } from '@/lib/events/json/json-value';
import type { FieldFault } from '@/lib/platform/errors';
import { currentHolder } from '@/lib/platform/place-holder';
import { countThread, inThreadTurn } from '@/lib/platform/thread-turns';
import { checkJson } from './check-json';
import { inPlace } from './check-places';
import type { SchemaNode } from './json-schema';

/** A check has the thread for so long before others have a turn. */
const SLICE_MS = 1.5;
/** A longer check starts again in one of the places for long ones. It takes 250,000 steps at most, half a second. */
const SHORT_SLICES = 16;
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
  const inTurn = <T>(slice: () => T) => inTurnOfOwner(ownerId, slice);
  // The place that a job holds bounds its memory, too.
  if (currentHolder() !== undefined) return inSlices(inTurn, begin);
  // What was read is not kept while the check waits for a place.
  const forget = () => {
    work = undefined;
  };
  const soon = await inPlace('check', ownerId, () => inFewSlices(inTurn, begin, SHORT_SLICES), forget);
  if (soon !== null) return soon;
  forget();
  return inPlace('longCheck', ownerId, () => inSlices(inTurn, begin));
}

/** Does work that may take long in slices. @param inTurn does a slice when it is the turn of whoever pays for it */
export async function inSlices<T>(
  inTurn: (work: () => T | null) => Promise<T | null>,
  begin: () => Generator<unknown, T>,
): Promise<T> {
  return (await inFewSlices(inTurn, begin, Number.POSITIVE_INFINITY)) as T;
}

/** Does work like `inSlices`. @returns null when it takes more than so many slices */
async function inFewSlices<T>(
  inTurn: (work: () => T | null) => Promise<T | null>,
  begin: () => Generator<unknown, T>,
  mostSlices: number,
): Promise<T | null> {
  let work: Generator<unknown, T> | undefined;
  for (let slices = 0; slices < mostSlices; slices += 1) {
    const result = await inTurn(() => {
      work ??= begin();
      return runSlice(work);
    });
    if (result !== null) return result;
  }
  return null;
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
