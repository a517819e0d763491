import type { Turn } from './take-entries';

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
  isSeen: boolean;
  misses: number;
  /** By performance.now(). */
  notBefore: number;
}

/** The projects that have due outbox rows, as far as this worker has heard, and whose turn is next. */
export class ProjectTurns {
  private readonly waiting = new Map<string, WaitingProject>();

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  /** @param isSeen whether a poll has seen due rows, as against a notification that another worker may have served */
  add(projectId: string, isSeen = false): void {
    const present = this.waiting.get(projectId);
    if (present !== undefined) {
      present.isSeen ||= isSeen;
      // News ends a pause: there is a row that nobody holds.
      if (!isSeen) present.notBefore = 0;
      return;
    }
    if (this.waiting.size < MAX_PROJECTS) this.waiting.set(projectId, { isSeen, misses: 0, notBefore: 0 });
  }

  /** The next turns, for projects that have room; each is at the end of the row then, until it is finished. */
  next(roomOf: (projectId: string) => number): Turn[] {
    const now = performance.now();
    const ready: Turn[] = [];
    for (const [projectId, { notBefore }] of this.waiting) {
      if (ready.length === PROJECTS_OF_A_TAKE) break;
      const most = notBefore > now ? 0 : roomOf(projectId);
      if (most > 0) ready.push({ projectId, most });
    }
    const share = Math.max(1, Math.floor(ROWS_OF_A_TAKE / Math.max(1, ready.length)));
    return ready.map(({ projectId, most }) => ({ projectId, most: Math.min(most, share) }));
  }

  /** Notes what a turn gave: `rows` taken, and whether more stay due. */
  finish({ projectId }: Turn, rows: number, hasMore: boolean): void {
    const present = this.waiting.get(projectId);
    if (present === undefined) return;
    this.waiting.delete(projectId);
    if (hasMore) this.waiting.set(projectId, { ...present, misses: 0 });
    else if (rows === 0 && present.isSeen && present.misses < MAX_MISSES) {
      const pauseMs = FIRST_MISS_MS * 2 ** present.misses * (0.5 + Math.random());
      this.waiting.set(projectId, { ...present, misses: present.misses + 1, notBefore: performance.now() + pauseMs });
    }
  }

  /** In how many milliseconds a project's pause ends; null when none is in one. */
  nextInMs(): number | null {
    const now = performance.now();
    let soonest: number | null = null;
    for (const { notBefore } of this.waiting.values()) {
      if (notBefore > now) soonest = Math.min(soonest ?? Number.POSITIVE_INFINITY, notBefore - now);
    }
    return soonest;
  }
}
