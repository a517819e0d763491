import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';

const RETRY_AFTER_SECONDS = 10;
/**
 * Work whose client has taken nothing for this long makes room for other work. A system may buffer a megabyte before it tells that a
 * slow client reads, so a shorter time would end the work of clients that do.
 */
const STALLED_MS = 5_000;

/** Work of which few run at once in a process. */
export interface SlotKind {
  name: string;
  atOnce: number;
  /** How many one organization has at most. */
  perOrganization: number;
  /** How many all organizations of one owner have at most, so that some are left for others. Below `atOnce`. */
  perOwner: number;
  /** What it is called: "export". */
  noun: string;
  /** The start of the sentence that refuses a holder a second slot; by default "You already have". */
  holderHas?: string;
  /** By default 10. */
  retryAfterSeconds?: number;
}

/** Who takes a slot. */
export interface SlotHolder {
  /** The person, the API key, or the project: it has at most one slot. */
  id: string;
  organizationId: string;
  ownerId: string;
}

/** The right to do some work, until it is released. */
export class Slot {
  /** When the work produced what its client has not taken, by performance.now(); null while it takes everything. */
  waitingSince: number | null = null;
  /** Ends the work before it is complete; null while that cannot be done. */
  breakOff: (() => void) | null = null;

  constructor(
    readonly holder: SlotHolder,
    private readonly taken: Set<Slot>,
  ) {
    taken.add(this);
  }

  /** Lets others have the slot. Calling it again does nothing. */
  release(): void {
    this.taken.delete(this);
  }
}

/**
 * Takes a slot for some work. A holder has at most one, and an organization and its owner a few: the work of one tenant must not
 * block everybody else. When every slot is taken, the work that has waited longest for its client is broken off.
 *
 * @throws AppError rate_limited when the holder has a slot already, or its organization or owner all of theirs; overloaded when
 *   every slot is taken and no work has waited for five seconds
 */
export function takeSlot(kind: SlotKind, holder: SlotHolder): Slot {
  const taken = once(kind.name, () => new Set<Slot>());
  refuseBeyondShare(
    kind,
    holder,
    [...taken].map((slot) => slot.holder),
  );
  if (taken.size >= kind.atOnce && !endStalled(taken)) {
    throw busy(kind, 'overloaded', `Too many ${kind.noun}s are in progress.`);
  }
  return new Slot(holder, taken);
}

/** Ends the work that has waited longest for its client. @returns false if none has waited long enough */
function endStalled(taken: ReadonlySet<Slot>): boolean {
  const since = ({ waitingSince, breakOff }: Slot) => (breakOff === null ? null : waitingSince) ?? Infinity;
  const [longest] = [...taken].sort((a, b) => since(a) - since(b));
  if (longest === undefined || performance.now() - since(longest) < STALLED_MS) return false;
  longest.release();
  longest.breakOff?.();
  return true;
}

function refuseBeyondShare(kind: SlotKind, holder: SlotHolder, holders: readonly SlotHolder[]): void {
  const refuse = (who: string, count: number) => {
    const what = count === 1 ? `${/^[aeiou]/.test(kind.noun) ? 'an' : 'a'} ${kind.noun}` : `${count} ${kind.noun}s`;
    return busy(kind, 'rate_limited', `${who} ${what} in progress.`);
  };
  if (holders.some(({ id }) => id === holder.id)) throw refuse(kind.holderHas ?? 'You already have', 1);
  const own = holders.filter(({ organizationId }) => organizationId === holder.organizationId).length;
  if (own >= kind.perOrganization) throw refuse('Your organization already has', own);
  const owned = holders.filter(({ ownerId }) => ownerId === holder.ownerId).length;
  if (owned >= kind.perOwner) throw refuse('The organizations of your owner already have', owned);
}

function busy(
  { retryAfterSeconds = RETRY_AFTER_SECONDS }: SlotKind,
  code: 'rate_limited' | 'overloaded',
  what: string,
) {
  return new AppError(code, `${what} Try again in a few seconds.`, { retryAfterSeconds });
}
