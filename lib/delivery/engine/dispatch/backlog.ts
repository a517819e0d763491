import { RoundRobin } from '@/lib/platform/round-robin';
import { TokenBuckets } from '@/lib/platform/token-buckets';
import type { Admission } from './admission';
import type { Lanes } from './lanes';
import type { ProjectLoad } from './project-load';
import type { TargetQueue } from './target-queue';
import type { TargetQueues } from './target-queues';

/** How many targets a claim looks at, about, and how many of one project. The next claim looks at others. */
const TARGETS_OF_A_CLAIM = 1_000;
const TARGETS_OF_A_PROJECT = 200;
/** When a claim looks at the others while there is no room for those that it has found. Room that becomes free wakes it before. */
const NO_ROOM_MS = 100;
/** How many due deliveries of disabled and deleted targets are failed: claims for others wait for each statement. */
const FAILED = { perSecond: 4_000, burst: 200, mostOwed: 200 };

/** The targets that have due deliveries in the database, and how many deliveries to claim for each. */
export class Backlog {
  /** Deliveries of all owners that were failed lately. While some are owed, for 50 ms at most, disabled and deleted targets pause. */
  readonly failed = new TokenBuckets(FAILED);
  /** By owner. */
  private readonly turns = new RoundRobin<ProjectLoad<TargetQueue>>();
  /** The queues of the projects in `turns`. The one that was refilled last is at the end. */
  private readonly inTurn = new Map<ProjectLoad<TargetQueue>, Set<TargetQueue>>();
  /** When the first pause between claims ends, by performance.now(), of the queues that the last claim looked at. */
  private reclaimAt = Number.POSITIVE_INFINITY;

  constructor(
    private readonly queues: TargetQueues,
    private readonly admission: Admission,
    private readonly lanes: Lanes,
  ) {}

  /** Notes whether a target has due deliveries in the database. */
  set(targetId: string, projectId: string, hasBacklog: boolean): void {
    const known = this.queues.find(targetId);
    if (!hasBacklog) {
      if (known !== undefined) known.hasBacklog = false;
      return;
    }
    if (known === undefined && !this.queues.hasRoomFor(projectId)) return;
    const queue = this.queues.of(targetId, projectId);
    queue.noteDue();
    const others = this.inTurn.get(queue.project);
    if (others !== undefined) {
      others.add(queue);
      return;
    }
    this.inTurn.set(queue.project, new Set([queue]));
    this.turns.push(queue.project.owner.ownerId, queue.project);
  }

  /** Notes how many deliveries a claim returned for a target, and how many it asked for. */
  learnFromClaim(targetId: string, claimed: number, wanted: number): void {
    const queue = this.queues.find(targetId);
    if (queue === undefined) return;
    queue.learnFromClaim(claimed, wanted);
    this.notePause(queue);
  }

  /** Notes that its rate limit, or the pace of failing, leaves a target nothing for a while. */
  pause(targetId: string, ms: number): void {
    const queue = this.queues.find(targetId);
    if (queue === undefined) return;
    queue.pauseClaims(ms);
    this.notePause(queue);
  }

  /**
   * Chooses the targets to claim deliveries for. Owners share a claim evenly, so do the projects of an owner, and the customers and targets of a project. Targets that
   * need slow slots get only what the slow slots of their project can start.
   *
   * @param limit deliveries of one claim at most
   * @returns how many deliveries to claim, by target
   */
  selectRefills(limit: number): Map<string, number> {
    const wanted = new Map<string, number>();
    const { needy, projectsOf } = this.findNeedy(limit);
    const share = limit / Math.max(1, projectsOf.size);
    let left = limit;
    for (const [project, targets] of needy) {
      const ownShare = Math.max(1, Math.floor(share / (projectsOf.get(project.owner.ownerId) ?? 1)));
      const room = Math.min(left, ownShare, this.admission.roomOf(project.projectId));
      left -= this.selectOfProject(project, targets, room, wanted);
    }
    const hasNoRoom = needy.length > 0 && wanted.size === 0;
    if (hasNoRoom && this.reclaimAt === 0) this.reclaimAt = performance.now() + NO_ROOM_MS;
    return wanted;
  }

  /** In how many milliseconds to repeat a claim that returned nothing; null when no target waits for that. */
  nextReclaimInMs(): number | null {
    return this.reclaimAt === Number.POSITIVE_INFINITY ? null : Math.max(0, this.reclaimAt - performance.now());
  }

  /** @returns how many deliveries were added to `wanted` */
  private selectOfProject(
    project: ProjectLoad<TargetQueue>,
    targets: readonly TargetQueue[],
    room: number,
    wanted: Map<string, number>,
  ): number {
    const isQuick = ({ pace }: TargetQueue) =>
      pace === 'quick' || (pace === 'unproven' && !this.lanes.isOutOfSlowSlots(project));
    let slowRoom = this.lanes.slowRoomOf(project) - countWaiting(targets.filter((queue) => !isQuick(queue)));
    let unprovenRoom = project.roomForUnproven;
    let left = room;
    const targetsOf = new Map<string, number>();
    for (const { turn } of targets) targetsOf.set(turn, (targetsOf.get(turn) ?? 0) + 1);
    for (const queue of targets) {
      if (left <= 0) break;
      const each = Math.max(1, Math.floor(room / targetsOf.size / (targetsOf.get(queue.turn) ?? 1)));
      const ofPace = queue.pace === 'quick' ? left : isQuick(queue) ? unprovenRoom : slowRoom;
      const count = Math.min(queue.room, each, left, ofPace);
      if (count <= 0) continue;
      if (!isQuick(queue)) slowRoom -= count;
      else if (queue.pace === 'unproven') unprovenRoom -= count;
      left -= count;
      wanted.set(queue.targetId, count);
      this.moveToEnd(queue);
    }
    return room - left;
  }

  /**
   * Looks at projects in their turn, until those of an owner can use up its share of a claim. So what a claim costs does not grow with the
   * number of projects that wait. Skips those without room, so that the targets of an owner with room are found at once.
   */
  private findNeedy(limit: number): {
    needy: [ProjectLoad<TargetQueue>, TargetQueue[]][];
    /** How many of them each owner has. */
    projectsOf: Map<string, number>;
  } {
    this.reclaimAt = Number.POSITIVE_INFINITY;
    const needy: [ProjectLoad<TargetQueue>, TargetQueue[]][] = [];
    const projectsOf = new Map<string, number>();
    const seen: ProjectLoad<TargetQueue>[] = [];
    for (let left = TARGETS_OF_A_CLAIM; left > 0; ) {
      const project = this.turns.shift();
      if (project === undefined) break;
      seen.push(project);
      if (this.admission.roomOf(project.projectId) === 0) {
        left -= 1;
        continue;
      }
      const queues = this.inTurn.get(project) ?? new Set();
      left -= Math.min(queues.size, TARGETS_OF_A_PROJECT);
      const targets = this.lookAt(queues);
      if (targets.length === 0) continue;
      needy.push([project, targets]);
      const { ownerId } = project.owner;
      const projects = (projectsOf.get(ownerId) ?? 0) + 1;
      projectsOf.set(ownerId, projects);
      if (projects >= limit / projectsOf.size) break;
    }
    // Soon, a claim looks at the others.
    if (this.turns.length > 0) this.reclaimAt = 0;
    for (const project of seen) {
      if (this.inTurn.get(project)?.size === 0) this.inTurn.delete(project);
      else this.turns.push(project.owner.ownerId, project);
    }
    return { needy, projectsOf };
  }

  /** Lists some of the targets that need deliveries, and forgets those without a backlog. */
  private lookAt(queues: Set<TargetQueue>): TargetQueue[] {
    const needy: TargetQueue[] = [];
    const isLong = queues.size > TARGETS_OF_A_PROJECT;
    if (isLong) this.reclaimAt = 0;
    let left = Math.min(queues.size, TARGETS_OF_A_PROJECT);
    for (const queue of queues) {
      if (left-- === 0) break;
      if (!queue.hasBacklog) queues.delete(queue);
      else if (isLong) this.moveToEnd(queue);
      if (queue.needsRefill) needy.push(queue);
      else this.notePause(queue);
    }
    return needy;
  }

  private notePause({ reclaimInMs }: TargetQueue): void {
    if (reclaimInMs !== null) this.reclaimAt = Math.min(this.reclaimAt, performance.now() + reclaimInMs);
  }

  private moveToEnd(queue: TargetQueue): void {
    const queues = this.inTurn.get(queue.project);
    queues?.delete(queue);
    queues?.add(queue);
  }
}

function countWaiting(targets: readonly TargetQueue[]): number {
  return targets.reduce((sum, { waiting }) => sum + waiting.length, 0);
}
