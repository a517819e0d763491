import { LRUCache } from 'lru-cache';
import { equalShare } from '@/lib/delivery/engine/dispatch/slot-policy';
import { FEW_ROWS, TAKE_LIMITS, type TakenRows, type Turn } from './take-entries';

/**
 * Projects in the queue. Owners have equal shares, so nobody is kept out, however many projects others have; those who come between two
 * polls get theirs in addition. A later poll finds further projects.
 */
const MAX_PROJECTS = 10_000;
/** Projects and outbox rows of one take at most. */
const PROJECTS_OF_A_TAKE = 50;
/** Projects without room that one search passes at most: an owner with room may have thousands of them. The next search begins after them. */
const PASSED_PROJECTS = 500;
const ROWS_OF_A_TAKE = 200;
/** Takes that return nothing for a project whose due rows a poll found. Usually another worker has locked them for a moment. */
const MAX_MISSES = 6;
const FIRST_MISS_MS = 10;

interface WaitingProject {
  ownerId: string;
  /** Whether a poll found due rows, so that a take that returns nothing is repeated. */
  isPolled: boolean;
  misses: number;
  /** By performance.now(). */
  notBefore: number;
  /** Whether a take is in flight, and whether the project was added again meanwhile. */
  isTaken: boolean;
  hasNews: boolean;
  /** Whether the last take left due rows, so that the next take asks for many. */
  isDeep: boolean;
}

/** Projects of an owner that wait at most, for a take of few rows to get them all. */
const FEW_PROJECTS = FEW_ROWS;

/**
 * `light`: owners whose rows a short take gets, because few of their projects wait and none had more rows than its last take.
 * `heavy`: the others. A take that works through a backlog lasts up to some 100 ms, so light owners have takes of their own.
 */
export type OwnerLoad = 'light' | 'heavy';

/** How many more first attempts there may be. An owner without room may have thousands of projects, and none of them is looked at. */
export interface Room {
  ofOwner(ownerId: string): number;
  ofProject(projectId: string): number;
}

/** The projects with due outbox rows that this worker knows of. Owners take turns, and so do the projects of an owner. */
export class ProjectTurns {
  private readonly waiting = new Map<string, WaitingProject>();
  /** The waiting projects of each owner. Both are in the order of turns. */
  private readonly byOwner = new Map<string, Set<string>>();
  /** Projects whose pause may last. */
  private readonly paused = new Set<string>();
  /** Whether a search ended before it had looked at all projects. */
  private isSearchCut = false;
  /** Deliveries per row in a project's last take, if more than a few. */
  private readonly deliveriesPerRow = new LRUCache<string, number>({ max: MAX_PROJECTS });

  /** @param ownerOf returns the owner of a project, as far as it is known */
  constructor(private readonly ownerOf: (projectId: string) => string) {}

  /** @param isPolled true after a poll found due rows; false after a notification, which another worker may have handled */
  add(projectId: string, isPolled = false): void {
    const present = this.waiting.get(projectId);
    if (present !== undefined) {
      present.isPolled ||= isPolled;
      // A notification ends a pause: there is a new row.
      if (!isPolled) this.endPause(projectId, present);
      present.hasNews = true;
      return;
    }
    const ownerId = this.ownerOf(projectId);
    if ((this.byOwner.get(ownerId)?.size ?? 0) >= this.share) return;
    this.set(projectId, { ownerId, isPolled, misses: 0, notBefore: 0, isTaken: false, hasNews: false, isDeep: false });
  }

  /** Drops what owners have beyond their shares, which shrink as others come. A later poll finds it again. */
  evict(): void {
    const share = this.share;
    for (const [ownerId, projects] of this.byOwner) {
      let surplus = projects.size - share;
      for (const projectId of projects) {
        if (surplus <= 0) break;
        if (this.waiting.get(projectId)?.isTaken !== false) continue;
        this.delete(projectId, ownerId);
        surplus -= 1;
      }
    }
  }

  /** How many projects an owner may have in the queue. */
  private get share(): number {
    return equalShare(MAX_PROJECTS, this.byOwner.size);
  }

  /**
   * Selects the projects of the next take that have room, of owners with this load. A take asks for many rows if the last take of a
   * project left some.
   */
  next(load: OwnerLoad, room: Room): Turn[] {
    const now = performance.now();
    const ready: (Turn & { ownerId: string })[] = [];
    const projectsOf = new Map<string, number>();
    const passed: string[] = [];
    let isDeep = false;
    for (const projectId of this.inTurn(load, room)) {
      if (ready.length === PROJECTS_OF_A_TAKE || passed.length === PASSED_PROJECTS) break;
      const waiting = this.waiting.get(projectId);
      const mayTake = waiting !== undefined && !waiting.isTaken && waiting.notBefore <= now;
      const most = mayTake ? room.ofProject(projectId) : 0;
      if (most === 0) {
        passed.push(projectId);
        continue;
      }
      const ownerId = waiting?.ownerId ?? projectId;
      ready.push({ projectId, ownerId, most: Math.min(most, this.rowsWithinLimits(projectId)) });
      projectsOf.set(ownerId, (projectsOf.get(ownerId) ?? 0) + 1);
      isDeep ||= waiting?.isDeep === true;
    }
    if (passed.length === PASSED_PROJECTS) {
      for (const projectId of passed) this.moveToEnd(projectId);
      this.isSearchCut = true;
    }
    const shareOfOwner = (isDeep ? ROWS_OF_A_TAKE : FEW_ROWS) / projectsOf.size;
    return ready.map(({ projectId, ownerId, most }) => {
      const share = Math.max(1, Math.floor(shareOfOwner / (projectsOf.get(ownerId) ?? 1)));
      return { projectId, most: Math.min(most, share) };
    });
  }

  /** Notes that a take of these turns starts. Their projects get no other turn until it is finished. */
  begin(turns: readonly Turn[]): void {
    for (const { projectId } of turns) {
      const present = this.waiting.get(projectId);
      if (present === undefined) continue;
      Object.assign(present, { isTaken: true, hasNews: false });
      this.moveOwnerToEnd(present.ownerId);
    }
  }

  /** Notes that a take failed. Its projects get another turn. */
  cancel(turns: readonly Turn[]): void {
    for (const { projectId } of turns) {
      const present = this.waiting.get(projectId);
      if (present !== undefined) present.isTaken = false;
    }
  }

  /** Notes what a take returned for a project, and whether rows stay due. A project without rows in it keeps its position. */
  finish(projectId: string, { count, deliveries }: TakenRows, hasMore: boolean): void {
    const present = this.waiting.get(projectId);
    if (present === undefined) return;
    this.learnDeliveries(projectId, count, deliveries);
    const free = { ...present, isTaken: false, hasNews: false, isDeep: hasMore };
    if (count === 0 && hasMore) {
      this.waiting.set(projectId, free);
      return;
    }
    this.delete(projectId, present.ownerId);
    if (hasMore || present.hasNews) {
      this.set(projectId, { ...free, ownerId: this.ownerOf(projectId), misses: 0 });
    } else if (count === 0 && present.isPolled && present.misses < MAX_MISSES) {
      const pauseMs = FIRST_MISS_MS * 2 ** present.misses * (0.5 + Math.random());
      this.set(projectId, { ...free, misses: present.misses + 1, notBefore: performance.now() + pauseMs });
    }
  }

  /** In how many milliseconds to search again: when the next pause of a project ends, or soon after a search that ended early; null for neither. */
  nextTakeInMs(): number | null {
    if (this.isSearchCut) {
      this.isSearchCut = false;
      return 0;
    }
    const now = performance.now();
    let soonest = Number.POSITIVE_INFINITY;
    for (const projectId of this.paused) {
      const notBefore = this.waiting.get(projectId)?.notBefore ?? 0;
      if (notBefore <= now) this.paused.delete(projectId);
      else soonest = Math.min(soonest, notBefore - now);
    }
    return Number.isFinite(soonest) ? soonest : null;
  }

  /** Lists the next project of each owner with this load and room, then the second one of each, and so on. */
  private *inTurn(load: OwnerLoad, room: Room): Generator<string> {
    let cursors: Iterator<string>[] = [];
    for (const [ownerId, projects] of this.byOwner) {
      if (this.loadOf(projects) === load && room.ofOwner(ownerId) > 0) cursors.push(projects.values());
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

  private loadOf(projects: ReadonlySet<string>): OwnerLoad {
    if (projects.size > FEW_PROJECTS) return 'heavy';
    for (const projectId of projects) if (this.waiting.get(projectId)?.isDeep) return 'heavy';
    return 'light';
  }

  private set(projectId: string, waiting: WaitingProject): void {
    this.waiting.set(projectId, waiting);
    const ofOwner = this.byOwner.get(waiting.ownerId) ?? new Set();
    ofOwner.add(projectId);
    this.byOwner.set(waiting.ownerId, ofOwner);
    if (waiting.notBefore > 0) this.paused.add(projectId);
  }

  private endPause(projectId: string, waiting: WaitingProject): void {
    waiting.notBefore = 0;
    this.paused.delete(projectId);
  }

  private moveToEnd(projectId: string): void {
    const ownerId = this.waiting.get(projectId)?.ownerId;
    if (ownerId === undefined) return;
    const ofOwner = this.byOwner.get(ownerId);
    if (ofOwner?.delete(projectId)) ofOwner.add(projectId);
    this.moveOwnerToEnd(ownerId);
  }

  private moveOwnerToEnd(ownerId: string): void {
    const ofOwner = this.byOwner.get(ownerId);
    if (ofOwner === undefined || this.byOwner.size === 1) return;
    this.byOwner.delete(ownerId);
    this.byOwner.set(ownerId, ofOwner);
  }

  private delete(projectId: string, ownerId: string): void {
    this.waiting.delete(projectId);
    this.paused.delete(projectId);
    const ofOwner = this.byOwner.get(ownerId);
    ofOwner?.delete(projectId);
    if (ofOwner?.size === 0) this.byOwner.delete(ownerId);
  }

  /** How many rows fit into a take: matching the types of further rows would be wasted. */
  private rowsWithinLimits(projectId: string): number {
    const perRow = this.deliveriesPerRow.get(projectId) ?? 1;
    return Math.max(1, Math.ceil(TAKE_LIMITS.deliveries / perRow));
  }

  private learnDeliveries(projectId: string, rows: number, deliveries: number): void {
    if (rows === 0) return;
    const perRow = deliveries / rows;
    if (perRow <= TAKE_LIMITS.deliveries / ROWS_OF_A_TAKE) this.deliveriesPerRow.delete(projectId);
    else this.deliveriesPerRow.set(projectId, perRow);
  }
}
