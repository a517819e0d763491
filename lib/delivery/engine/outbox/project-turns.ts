import { FEW_ROWS, TAKE_LIMITS, type TakenRows, type Turn } from './take-entries';

/** Projects remembered at most; a poll finds the others. */
const MAX_PROJECTS = 10_000;
/** Projects and outbox rows of one take. */
const PROJECTS_OF_A_TAKE = 50;
const ROWS_OF_A_TAKE = 200;
/** Tries for a project whose due rows a poll saw and a take did not get: somebody else holds them, for a moment as a rule. */
const MAX_MISSES = 6;
const FIRST_MISS_MS = 10;

interface WaitingProject {
  /** Seen by a poll, so that a take that finds nothing is to be repeated. */
  isPolled: boolean;
  misses: number;
  /** By performance.now(). */
  notBefore: number;
  /** Whether a take for it is under way, and whether there was news of it meanwhile. */
  isTaken: boolean;
  hasNews: boolean;
  /** Whether the last take left rows behind: the next one takes many. */
  isDeep: boolean;
}

/** The projects that have due outbox rows, as far as this worker has heard, in the order of their turns. */
export class ProjectTurns {
  private readonly waiting = new Map<string, WaitingProject>();
  /** Deliveries of each row of a project's last take, where it is more than a few. */
  private readonly deliveriesPerRow = new Map<string, number>();

  /** @param isPolled whether a poll has seen due rows, as against a notification that another worker may have served */
  add(projectId: string, isPolled = false): void {
    const present = this.waiting.get(projectId);
    if (present !== undefined) {
      present.isPolled ||= isPolled;
      // News ends a pause: there is a row that nobody holds.
      if (!isPolled) present.notBefore = 0;
      present.hasNews = true;
    } else if (this.waiting.size < MAX_PROJECTS) {
      const rest = { misses: 0, notBefore: 0, isTaken: false, hasNews: false, isDeep: false };
      this.waiting.set(projectId, { isPolled, ...rest });
    }
  }

  /** The next turns, for projects that have room: many rows of each if any has left some behind, else few. */
  next(roomOf: (projectId: string) => number): Turn[] {
    const now = performance.now();
    const ready: Turn[] = [];
    let isDeep = false;
    for (const [projectId, waiting] of this.waiting) {
      if (ready.length === PROJECTS_OF_A_TAKE) break;
      const most = waiting.isTaken || waiting.notBefore > now ? 0 : roomOf(projectId);
      if (most === 0) continue;
      ready.push({ projectId, most: Math.min(most, this.rowsWithinLimits(projectId)) });
      isDeep ||= waiting.isDeep;
    }
    const share = Math.max(1, Math.floor((isDeep ? ROWS_OF_A_TAKE : FEW_ROWS) / Math.max(1, ready.length)));
    return ready.map(({ projectId, most }) => ({ projectId, most: Math.min(most, share) }));
  }

  /** Notes that a take for these turns begins: no other is to take for them until they are finished. */
  begin(turns: readonly Turn[]): void {
    for (const { projectId } of turns) {
      const present = this.waiting.get(projectId);
      if (present !== undefined) Object.assign(present, { isTaken: true, hasNews: false });
    }
  }

  /** Notes that a take failed: its turns come again. */
  cancel(turns: readonly Turn[]): void {
    for (const { projectId } of turns) {
      const present = this.waiting.get(projectId);
      if (present !== undefined) present.isTaken = false;
    }
  }

  /** Notes what a turn gave, and whether more stays due. A project that got nothing of what is there keeps its place. */
  finish(projectId: string, { count, deliveries }: TakenRows, hasMore: boolean): void {
    const present = this.waiting.get(projectId);
    if (present === undefined) return;
    this.learnDeliveries(projectId, count, deliveries);
    const free = { ...present, isTaken: false, hasNews: false, isDeep: hasMore };
    if (count === 0 && hasMore) {
      this.waiting.set(projectId, free);
      return;
    }
    this.waiting.delete(projectId);
    if (hasMore || present.hasNews) {
      this.waiting.set(projectId, { ...free, misses: 0 });
    } else if (count === 0 && present.isPolled && present.misses < MAX_MISSES) {
      const pauseMs = FIRST_MISS_MS * 2 ** present.misses * (0.5 + Math.random());
      this.waiting.set(projectId, { ...free, misses: present.misses + 1, notBefore: performance.now() + pauseMs });
    }
  }

  /** In how many milliseconds a project's pause ends; null when none is in one. */
  nextTakeInMs(): number | null {
    const now = performance.now();
    let soonest: number | null = null;
    for (const { notBefore } of this.waiting.values()) {
      if (notBefore > now) soonest = Math.min(soonest ?? Number.POSITIVE_INFINITY, notBefore - now);
    }
    return soonest;
  }

  /** To match the types of many rows is wasted when only the first of them fit into a take. */
  private rowsWithinLimits(projectId: string): number {
    const perRow = this.deliveriesPerRow.get(projectId) ?? 1;
    return Math.max(1, Math.ceil(TAKE_LIMITS.deliveries / perRow));
  }

  private learnDeliveries(projectId: string, rows: number, deliveries: number): void {
    if (rows === 0) return;
    this.deliveriesPerRow.delete(projectId);
    if (deliveries / rows <= TAKE_LIMITS.deliveries / ROWS_OF_A_TAKE) return;
    this.deliveriesPerRow.set(projectId, deliveries / rows);
    const [oldest] = this.deliveriesPerRow.keys();
    if (this.deliveriesPerRow.size > MAX_PROJECTS && oldest !== undefined) this.deliveriesPerRow.delete(oldest);
  }
}
