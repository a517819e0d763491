import { LRUCache } from 'lru-cache';
import { equalShare } from '@/lib/delivery/engine/dispatch/slot-policy';
import { projectOfTurn } from '@/lib/events/turn-key';
import { FEW_DELIVERIES } from './outbox-sql';
import { FEW_ROWS, TAKE_LIMITS, type TakenRows, type Turn } from './take-entries';

/**
 * Turns in the queue. Owners have equal shares, so nobody is kept out, however many projects and customers others have; those who come
 * between two polls get theirs in addition. A later poll finds further turns.
 */
const MAX_WAITING = 10_000;
/** Turns and outbox rows of one take at most. */
const TURNS_OF_A_TAKE = 100;
const ROWS_OF_A_TAKE = 200;
/** Turns of one take at most whose deliveries per row are unknown: each row may have thousands. */
const UNKNOWN_TURNS = 8;
/** Turns without room, or whose deliveries do not fit, that one search passes at most: an owner with room may have thousands of them. The next search begins after them. */
const PASSED_TURNS = 500;
/** The pause after all turns have been passed. Room that becomes free ends it. */
const NO_ROOM_MS = 100;
/** Takes that return nothing for a turn whose due rows a poll found. Usually another worker has locked them for a moment. */
const MAX_MISSES = 6;
const FIRST_MISS_MS = 10;

interface WaitingTurn {
  ownerId: string;
  /** Whether a poll found due rows, so that a take that returns nothing is repeated. */
  isPolled: boolean;
  misses: number;
  /** By performance.now(). */
  notBefore: number;
  /** Whether a take is in flight, and whether it was added again meanwhile. */
  isTaken: boolean;
  hasNews: boolean;
  /** Whether the last take left due rows, so that the next take asks for many. */
  isDeep: boolean;
}

/** Turns of an owner that wait at most, for a take of few rows to get them all. */
const FEW_TURNS = FEW_ROWS;

/**
 * `light`: owners whose rows a short take gets, because few of their turns wait and none had more rows than its last take.
 * `heavy`: the others. A take that works through a backlog lasts up to some 100 ms, so light owners have takes of their own.
 */
export type OwnerLoad = 'light' | 'heavy';

/** How many more first attempts there may be. An owner without room may have thousands of turns, and none of them is looked at. */
export interface Room {
  ofOwner(ownerId: string): number;
  ofTurn(key: string): number;
}

/** The waiting turns of an owner by project. Both are in the order of turns. */
interface OwnTurns {
  byProject: Map<string, Set<string>>;
  count: number;
}

interface ReadyTurn extends Turn {
  ownerId: string;
  /** Deliveries that each row is expected to have. */
  perRow: number;
}

/** The turns with due outbox rows that this worker knows of, by turn key: of owners, of the projects of an owner, and of their customers. */
export class OutboxTurns {
  private readonly waiting = new Map<string, WaitingTurn>();
  /** In the order of turns. */
  private readonly byOwner = new Map<string, OwnTurns>();
  /** Turns whose pause may last. */
  private readonly paused = new Set<string>();
  /** Whether a search ended before it had looked at all turns. */
  private isSearchCut = false;
  /** Turns that were passed since a search found one. */
  private passedInVain = 0;
  private readonly expected = new ExpectedDeliveries();

  /** @param ownerOf returns the owner of a project, as far as it is known */
  constructor(private readonly ownerOf: (projectId: string) => string) {}

  /** @param isPolled true after a poll found due rows; false after a notification, which another worker may have handled */
  add(key: string, isPolled = false): void {
    const present = this.waiting.get(key);
    if (present !== undefined) {
      present.isPolled ||= isPolled;
      // A notification ends a pause: there is a new row.
      if (!isPolled) this.endPause(key, present);
      present.hasNews = true;
      return;
    }
    const ownerId = this.ownerOf(projectOfTurn(key));
    if ((this.byOwner.get(ownerId)?.count ?? 0) >= this.share) return;
    this.set(key, { ownerId, isPolled, misses: 0, notBefore: 0, isTaken: false, hasNews: false, isDeep: false });
  }

  /** Drops what owners have beyond their shares, which shrink as others come. A later poll finds it again. */
  evict(): void {
    const share = this.share;
    for (const [ownerId, own] of this.byOwner) {
      let surplus = own.count - share;
      if (surplus <= 0) continue;
      for (const key of interleave(own.byProject.values())) {
        if (surplus <= 0) break;
        if (this.waiting.get(key)?.isTaken !== false) continue;
        this.delete(key, ownerId);
        surplus -= 1;
      }
    }
  }

  /** How many turns of an owner may wait. */
  private get share(): number {
    return equalShare(MAX_WAITING, this.byOwner.size);
  }

  /**
   * Selects the turns of the next take that have room, of owners with this load. A take asks for many rows if the last one left some, and
   * for no more than are expected to fit into the limit of deliveries: the targets of the others would be matched in vain. What does not fit
   * comes first in the next take.
   * @param mostPerRow turns are left out whose rows are expected to have more deliveries
   */
  next(load: OwnerLoad, room: Room, mostPerRow = Number.POSITIVE_INFINITY): Turn[] {
    const now = performance.now();
    const ready: ReadyTurn[] = [];
    const passed: string[] = [];
    const budget = new TakeBudget();
    let isDeep = false;
    for (const key of this.inTurn(load, room)) {
      if (ready.length === TURNS_OF_A_TAKE || passed.length + budget.refused >= PASSED_TURNS) break;
      const waiting = this.waiting.get(key);
      const mayTake = waiting !== undefined && !waiting.isTaken && waiting.notBefore <= now;
      const most = mayTake ? room.ofTurn(key) : 0;
      if (most === 0) {
        passed.push(key);
        continue;
      }
      const ownerId = waiting?.ownerId ?? projectOfTurn(key);
      const perRow = this.expected.perRow(key, ownerId);
      if ((perRow ?? 0) > mostPerRow) {
        passed.push(key);
        continue;
      }
      if (!budget.admit(ownerId, perRow)) continue;
      ready.push({ key, ownerId, most, perRow: perRow ?? 1 });
      isDeep ||= waiting?.isDeep === true;
    }
    if (ready.length > 0) this.passedInVain = 0;
    if (passed.length === PASSED_TURNS) {
      this.passedInVain += PASSED_TURNS;
      for (const key of passed) this.moveToEnd(key);
      this.isSearchCut = true;
    }
    return allotRows(ready, isDeep ? ROWS_OF_A_TAKE : FEW_ROWS);
  }

  /** Notes that a take of these turns starts. They come again when it is finished. */
  begin(turns: readonly Turn[]): void {
    for (const { key } of turns) {
      const present = this.waiting.get(key);
      if (present === undefined) continue;
      Object.assign(present, { isTaken: true, hasNews: false });
      this.moveOwnerToEnd(present.ownerId, projectOfTurn(key));
    }
  }

  /** Notes that a take failed. Its turns come again. */
  cancel(turns: readonly Turn[]): void {
    for (const { key } of turns) {
      const present = this.waiting.get(key);
      if (present !== undefined) present.isTaken = false;
    }
  }

  /** Notes what a take returned for a turn, and whether rows stay due. A turn without rows in it keeps its position. */
  finish(key: string, { count, deliveries }: TakenRows, hasMore: boolean): void {
    const present = this.waiting.get(key);
    if (present === undefined) return;
    if (count > 0) {
      this.expected.learn(key, present.ownerId, deliveries / count);
      // Owners for whom this take had no room come first in the next one.
      this.moveOwnerToEnd(present.ownerId, projectOfTurn(key));
    }
    const free = { ...present, isTaken: false, hasNews: false, isDeep: hasMore };
    if (count === 0 && hasMore) {
      this.waiting.set(key, free);
      return;
    }
    this.delete(key, present.ownerId);
    if (hasMore || present.hasNews) {
      this.set(key, { ...free, ownerId: this.ownerOf(projectOfTurn(key)), misses: 0 });
    } else if (count === 0 && present.isPolled && present.misses < MAX_MISSES) {
      const pauseMs = FIRST_MISS_MS * 2 ** present.misses * (0.5 + Math.random());
      this.set(key, { ...free, misses: present.misses + 1, notBefore: performance.now() + pauseMs });
    }
  }

  /** In how many milliseconds to search again: when the next pause of a turn ends, or soon after a search that ended early; null for neither. */
  nextTakeInMs(): number | null {
    if (this.isSearchCut) {
      this.isSearchCut = false;
      if (this.passedInVain < this.waiting.size) return 0;
      this.passedInVain = 0;
      return NO_ROOM_MS;
    }
    const now = performance.now();
    let soonest = Number.POSITIVE_INFINITY;
    for (const key of this.paused) {
      const notBefore = this.waiting.get(key)?.notBefore ?? 0;
      if (notBefore <= now) this.paused.delete(key);
      else soonest = Math.min(soonest, notBefore - now);
    }
    return Number.isFinite(soonest) ? soonest : null;
  }

  /** Lists the next turn of each owner with this load and room, then the second one of each, and so on; of an owner, those of its projects likewise. */
  private *inTurn(load: OwnerLoad, room: Room): Generator<string> {
    const lists: Iterable<string>[] = [];
    for (const [ownerId, own] of this.byOwner) {
      if (this.loadOf(own) === load && room.ofOwner(ownerId) > 0) lists.push(interleave(own.byProject.values()));
    }
    yield* interleave(lists);
  }

  private loadOf({ byProject, count }: OwnTurns): OwnerLoad {
    if (count > FEW_TURNS) return 'heavy';
    for (const keys of byProject.values()) for (const key of keys) if (this.waiting.get(key)?.isDeep) return 'heavy';
    return 'light';
  }

  private set(key: string, waiting: WaitingTurn): void {
    this.waiting.set(key, waiting);
    const own = this.byOwner.get(waiting.ownerId) ?? { byProject: new Map(), count: 0 };
    const projectId = projectOfTurn(key);
    const ofProject = own.byProject.get(projectId) ?? new Set();
    ofProject.add(key);
    own.byProject.set(projectId, ofProject);
    own.count += 1;
    this.byOwner.set(waiting.ownerId, own);
    if (waiting.notBefore > 0) this.paused.add(key);
  }

  private endPause(key: string, waiting: WaitingTurn): void {
    waiting.notBefore = 0;
    this.paused.delete(key);
  }

  private moveToEnd(key: string): void {
    const ownerId = this.waiting.get(key)?.ownerId;
    if (ownerId === undefined) return;
    const ofProject = this.byOwner.get(ownerId)?.byProject.get(projectOfTurn(key));
    if (ofProject?.delete(key)) ofProject.add(key);
    this.moveOwnerToEnd(ownerId, projectOfTurn(key));
  }

  /** Moves an owner to the end of the owners, and its project to the end of its projects. */
  private moveOwnerToEnd(ownerId: string, projectId: string): void {
    const own = this.byOwner.get(ownerId);
    const ofProject = own?.byProject.get(projectId);
    if (own === undefined || ofProject === undefined) return;
    if (own.byProject.size > 1) {
      own.byProject.delete(projectId);
      own.byProject.set(projectId, ofProject);
    }
    if (this.byOwner.size === 1) return;
    this.byOwner.delete(ownerId);
    this.byOwner.set(ownerId, own);
  }

  private delete(key: string, ownerId: string): void {
    this.waiting.delete(key);
    this.paused.delete(key);
    const own = this.byOwner.get(ownerId);
    const ofProject = own?.byProject.get(projectOfTurn(key));
    if (own === undefined || !ofProject?.delete(key)) return;
    own.count -= 1;
    if (ofProject.size === 0) own.byProject.delete(projectOfTurn(key));
    if (own.count === 0) this.byOwner.delete(ownerId);
  }
}

/**
 * How many deliveries the next row of a turn has, as far as is known: by its turn, by the customers of its project, and by its owner. A high
 * figure counts at once, and fades with each take.
 */
class ExpectedDeliveries {
  private readonly figures = new LRUCache<string, number>({ max: 3 * MAX_WAITING });

  /** Returns undefined for an owner whose rows have never been taken. */
  perRow(key: string, ownerId: string): number | undefined {
    for (const id of idsOf(key, ownerId)) {
      const figure = this.figures.get(id);
      if (figure !== undefined) return figure;
    }
    return undefined;
  }

  learn(key: string, ownerId: string, perRow: number): void {
    for (const id of idsOf(key, ownerId)) {
      this.figures.set(id, Math.max(1, perRow, (this.figures.get(id) ?? 0) / 2));
    }
  }
}

function idsOf(key: string, ownerId: string): string[] {
  const projectId = projectOfTurn(key);
  return key === projectId ? [key, `owner ${ownerId}`] : [key, `customers ${projectId}`, `owner ${ownerId}`];
}

/** The deliveries of a take that is being put together, counted by the first row of each turn. */
class TakeBudget {
  /** Turns that did not fit. */
  refused = 0;
  private deliveries = 0;
  private unknown = 0;
  private readonly refusedOwners = new Set<string>();

  /**
   * Counts a turn if it fits. The first one does, and one with few deliveries. After a turn that does not fit, its owner gets none: it keeps
   * its position, so that the turn comes first before long.
   * @param perRow undefined if unknown
   */
  admit(ownerId: string, perRow: number | undefined): boolean {
    if (this.refusedOwners.has(ownerId) || !this.fits(perRow)) {
      this.refusedOwners.add(ownerId);
      this.refused += 1;
      return false;
    }
    if (perRow === undefined) this.unknown += 1;
    this.deliveries += perRow ?? 1;
    return true;
  }

  private fits(perRow: number | undefined): boolean {
    if (perRow === undefined) return this.unknown < UNKNOWN_TURNS;
    return perRow <= FEW_DELIVERIES || this.deliveries === 0 || this.deliveries + perRow <= TAKE_LIMITS.deliveries;
  }
}

/** Divides the rows of a take, and its deliveries, between the owners and then between their turns. Each gets one row. */
function allotRows(ready: readonly ReadyTurn[], rows: number): Turn[] {
  const owners = new Map<string, { turns: number; deliveries: number }>();
  for (const { ownerId, perRow } of ready) {
    const { turns, deliveries } = owners.get(ownerId) ?? { turns: 0, deliveries: 0 };
    owners.set(ownerId, { turns: turns + 1, deliveries: deliveries + perRow });
  }
  return ready.map(({ key, ownerId, most, perRow }) => {
    const { turns, deliveries } = owners.get(ownerId) ?? { turns: 1, deliveries: perRow };
    const share = Math.min(rows / turns, TAKE_LIMITS.deliveries / deliveries) / owners.size;
    return { key, most: Math.max(1, Math.min(most, Math.floor(share))) };
  });
}

/** Yields the first of each list, then the second of each, and so on. */
function* interleave(lists: Iterable<Iterable<string>>): Generator<string> {
  let cursors: Iterator<string>[] = [];
  for (const list of lists) {
    const cursor = list[Symbol.iterator]();
    const first = cursor.next();
    if (first.done) continue;
    yield first.value;
    cursors.push(cursor);
  }
  while (cursors.length > 0) {
    const others: Iterator<string>[] = [];
    for (const cursor of cursors) {
      const next = cursor.next();
      if (next.done) continue;
      yield next.value;
      others.push(cursor);
    }
    cursors = others;
  }
}
