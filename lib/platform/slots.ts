import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';

const RETRY_AFTER_SECONDS = 10;

/** Work of which few run at once in a process. */
export interface SlotKind {
  name: string;
  atOnce: number;
  /** What it is called: "export". */
  noun: string;
}

/**
 * Takes a slot for some work. A holder has one at most: two stalled downloads of one person must not block everybody else.
 *
 * @returns a function that releases the slot; calling it again does nothing
 * @throws AppError rate_limited when the holder has a slot already; overloaded when every slot is taken
 */
export function takeSlot({ name, atOnce, noun }: SlotKind, holderId: string): () => void {
  const underWay = once(name, () => new Map<symbol, string>());
  const article = /^[aeiou]/.test(noun) ? 'an' : 'a';
  if ([...underWay.values()].includes(holderId)) {
    throw busy('rate_limited', `You already have ${article} ${noun} in progress.`);
  }
  if (underWay.size >= atOnce) throw busy('overloaded', `Too many ${noun}s are in progress.`);
  const slot = Symbol(name);
  underWay.set(slot, holderId);
  return () => void underWay.delete(slot);
}

function busy(code: 'rate_limited' | 'overloaded', what: string): AppError {
  return new AppError(code, `${what} Try again in a few seconds.`, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
