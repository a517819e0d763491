import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';

const RETRY_AFTER_SECONDS = 10;

/** Work of which few run at once in a process. */
export interface SlotKind {
  name: string;
  atOnce: number;
  /** How many one organization has at most, so that some are left for others. Below `atOnce`. */
  perOrganization: number;
  /** What it is called: "export". */
  noun: string;
}

/** Who takes a slot. */
export interface SlotHolder {
  /** The person or the API key. */
  id: string;
  organizationId: string;
}

/**
 * Takes a slot for some work. A holder has at most one, and an organization a few: stalled downloads of one tenant must not block
 * everybody else.
 *
 * @returns a function that releases the slot; calling it again does nothing
 * @throws AppError rate_limited when the holder has a slot already, or the organization all of its slots; overloaded when
 *   every slot is taken
 */
export function takeSlot(kind: SlotKind, holder: SlotHolder): () => void {
  const underWay = once(kind.name, () => new Map<symbol, SlotHolder>());
  const holders = [...underWay.values()];
  const article = /^[aeiou]/.test(kind.noun) ? 'an' : 'a';
  if (holders.some(({ id }) => id === holder.id)) {
    throw busy('rate_limited', `You already have ${article} ${kind.noun} in progress.`);
  }
  const own = holders.filter(({ organizationId }) => organizationId === holder.organizationId).length;
  if (own >= kind.perOrganization) {
    const what = own === 1 ? `${article} ${kind.noun}` : `${own} ${kind.noun}s`;
    throw busy('rate_limited', `Your organization already has ${what} in progress.`);
  }
  if (holders.length >= kind.atOnce) throw busy('overloaded', `Too many ${kind.noun}s are in progress.`);
  const slot = Symbol(kind.name);
  underWay.set(slot, holder);
  return () => void underWay.delete(slot);
}

function busy(code: 'rate_limited' | 'overloaded', what: string): AppError {
  return new AppError(code, `${what} Try again in a few seconds.`, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
