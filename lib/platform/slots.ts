import { LRUCache } from 'lru-cache';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';

const RETRY_AFTER_SECONDS = 10;
/** A refused owner keeps its turn for this many times the time that it is told to wait. */
const TURN_WAITS = 1.5;
/**
 * Work whose client has taken nothing for this long makes room for other work. A system may buffer a megabyte before it tells that a
 * slow client reads, so a shorter time would end the work of clients that do.
 */
const STALLED_MS = 5_000;
/**
 * An owner whose work has taken this much more time than that of another owner makes room for it. Less would end the work of steady
 * clients, who begin again and end that of others in turn.
 */
const FAIR_MS = 2 * MINUTE_MS;
/** Time that was taken counts half after this time. */
const HALF_LIFE_MS = 5 * MINUTE_MS;
/** The most owners whose time is remembered, and the most that wait. */
const MAX_OWNERS = 10_000;

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
  /** What a holder is told when the others of its organization or owner have all slots, if it must not learn of them. */
  othersHave?: string;
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

/** The slots of a kind that are taken, how long owners have had slots lately, and who waits for one. */
class Slots {
  readonly taken = new Set<Slot>();
  private readonly usedMs = new LRUCache<string, { ms: number; atMs: number }>({ max: MAX_OWNERS });
  /** When refused owners asked last, by performance.now(). In the order in which they were first refused. */
  private readonly waiting = new Map<string, number>();

  /** Remembers a refused owner, who keeps its turn. Beyond MAX_OWNERS it gets none: nobody can push out those who wait. */
  wait(ownerId: string): void {
    if (this.waiting.size < MAX_OWNERS || this.waiting.has(ownerId)) this.waiting.set(ownerId, performance.now());
  }

  take(holder: SlotHolder): Slot {
    this.waiting.delete(holder.ownerId);
    return new Slot(holder, this);
  }

  /** Returns the owners whose turn is before that of this one. Forgets those who have not asked for `turnMs`. */
  waitingBefore(ownerId: string, turnMs: number): string[] {
    const oldest = performance.now() - turnMs;
    for (const [id, askedAt] of this.waiting) if (askedAt < oldest) this.waiting.delete(id);
    const ids = [...this.waiting.keys()];
    return this.waiting.has(ownerId) ? ids.slice(0, ids.indexOf(ownerId)) : ids;
  }

  noteUse(ownerId: string, ms: number): void {
    this.usedMs.set(ownerId, { ms: this.usedBefore(ownerId) + ms, atMs: performance.now() });
  }

  /** Milliseconds, with those of the slots that the owner has now. */
  usedBy(ownerId: string): number {
    let ms = this.usedBefore(ownerId);
    for (const slot of this.taken) if (slot.holder.ownerId === ownerId) ms += slot.ageMs;
    return ms;
  }

  private usedBefore(ownerId: string): number {
    const { ms, atMs } = this.usedMs.get(ownerId) ?? { ms: 0, atMs: 0 };
    return ms * 0.5 ** ((performance.now() - atMs) / HALF_LIFE_MS);
  }
}

/** The right to do some work, until it is released. */
export class Slot {
  /** When the work produced what its client has not taken, by performance.now(); null while it takes everything. */
  waitingSince: number | null = null;
  /** Ends the work before it is complete; null while that cannot be done. */
  breakOff: (() => void) | null = null;
  private readonly startedAt = performance.now();

  constructor(
    readonly holder: SlotHolder,
    private readonly slots: Slots,
  ) {
    slots.taken.add(this);
  }

  get ageMs(): number {
    return performance.now() - this.startedAt;
  }

  /** Lets others have the slot. Calling it again does nothing. */
  release(): void {
    if (this.slots.taken.delete(this)) this.slots.noteUse(this.holder.ownerId, this.ageMs);
  }
}

/**
 * Takes a slot for some work. A holder has at most one, and an organization and its owner a few: the work of one tenant must not
 * block everybody else. When every slot is taken, the work that has waited longest for its client is broken off, or else the oldest work
 * of the owner who has had slots for longest lately. Owners who were refused take turns, as long as they ask again: those who have
 * slots again and again must not keep others out.
 *
 * @throws AppError rate_limited when the holder has a slot already, or its organization or owner all of theirs; overloaded when
 *   every slot is taken or for owners who were refused earlier, no work has waited for five seconds, and no owner has had slots for
 *   two minutes more than this one
 */
export function takeSlot(kind: SlotKind, holder: SlotHolder): Slot {
  const slots = once(kind.name, () => new Slots());
  refuseBeyondShare(
    kind,
    holder,
    [...slots.taken].map((slot) => slot.holder),
  );
  if (!makeRoom(kind, slots, holder.ownerId)) {
    slots.wait(holder.ownerId);
    throw busy(kind, 'overloaded', `Too many ${kind.noun}s are in progress.`);
  }
  return slots.take(holder);
}

/** Finds a free slot for an owner, or ends some work. @returns false when that is not possible, or the turn of others */
function makeRoom(kind: SlotKind, slots: Slots, ownerId: string): boolean {
  const before = slots.waitingBefore(ownerId, TURN_WAITS * waitSeconds(kind) * SECOND_MS);
  const free = kind.atOnce - slots.taken.size;
  if (free > 0) return before.length < free;
  const stalled = findStalled(slots.taken);
  const [ending = findLongest(slots)] = stalled;
  if (ending === undefined) return false;
  const usedMs = slots.usedBy(ending.holder.ownerId);
  const mayEnd = (owner: string) => usedMs - slots.usedBy(owner) >= FAIR_MS;
  const isNext = stalled.length > 0 ? before.length < stalled.length : mayEnd(ownerId) && !before.some(mayEnd);
  if (isNext) end(ending);
  return isNext;
}

/** Finds the work that waits for its client, longest first. */
function findStalled(taken: ReadonlySet<Slot>): Slot[] {
  const since = ({ waitingSince, breakOff }: Slot) => (breakOff === null ? null : waitingSince) ?? Infinity;
  return [...taken].filter((slot) => performance.now() - since(slot) >= STALLED_MS).sort((a, b) => since(a) - since(b));
}

/** Finds the oldest work of the owner who has had slots for longest. */
function findLongest(slots: Slots): Slot | undefined {
  const used = (slot: Slot) => slots.usedBy(slot.holder.ownerId);
  const [longest] = [...slots.taken]
    .filter(({ breakOff }) => breakOff !== null)
    .sort((a, b) => used(b) - used(a) || b.ageMs - a.ageMs);
  return longest;
}

function end(slot: Slot): void {
  slot.release();
  slot.breakOff?.();
}

function refuseBeyondShare(kind: SlotKind, holder: SlotHolder, holders: readonly SlotHolder[]): void {
  const refuseForOthers = (who: string, count: number) =>
    kind.othersHave === undefined ? refuse(who, count) : busy(kind, 'rate_limited', kind.othersHave);
  const refuse = (who: string, count: number) => {
    const what = count === 1 ? `${/^[aeiou]/.test(kind.noun) ? 'an' : 'a'} ${kind.noun}` : `${count} ${kind.noun}s`;
    return busy(kind, 'rate_limited', `${who} ${what} in progress.`);
  };
  if (holders.some(({ id }) => id === holder.id)) throw refuse(kind.holderHas ?? 'You already have', 1);
  const own = holders.filter(({ organizationId }) => organizationId === holder.organizationId).length;
  if (own >= kind.perOrganization) throw refuseForOthers('Your organization already has', own);
  const owned = holders.filter(({ ownerId }) => ownerId === holder.ownerId).length;
  if (owned >= kind.perOwner) throw refuseForOthers('The organizations of your owner already have', owned);
}

const waitSeconds = ({ retryAfterSeconds = RETRY_AFTER_SECONDS }: SlotKind) => retryAfterSeconds;

function busy(kind: SlotKind, code: 'rate_limited' | 'overloaded', what: string) {
  return new AppError(code, `${what} Try again in a few seconds.`, { retryAfterSeconds: waitSeconds(kind) });
}
