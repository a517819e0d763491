import { RoundRobin } from '@/lib/platform/round-robin';
import type { Admission } from './admission';
import type { Lanes } from './lanes';
import type { ProjectLoad } from './project-load';
import type { TargetQueue } from './target-queue';
import type { TargetQueues } from './target-queues';

/** How many targets of a project a claim looks at. The next claim looks at others. */
const TARGETS_OF_A_CLAIM = 200;

/** The targets that have due deliveries in the database, and how many deliveries to claim for each. */
export class Backlog {
  /** The project and the queue that were refilled last are at the end. */
  private readonly inTurn = new Map<ProjectLoad<TargetQueue>, Set<TargetQueue>>();
  /** The queues that pause between claims. */
  private readonly paused = new Set<TargetQueue>();

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
    if (others === undefined) this.inTurn.set(queue.project, new Set([queue]));
    else others.add(queue);
  }

  /** Notes how many deliveries a claim returned for a target, and how many it asked for. */
  learnFromClaim(targetId: string, claimed: number, wanted: number): void {
    const queue = this.queues.find(targetId);
    if (queue === undefined) return;
    queue.learnFromClaim(claimed, wanted);
    if (queue.reclaimInMs !== null) this.paused.add(queue);
  }

  /** Notes that the rate limit of a target leaves nothing for a while. */
  pause(targetId: string, ms: number): void {
    const queue = this.queues.find(targetId);
    if (queue === undefined) return;
    queue.pauseClaims(ms);
    this.paused.add(queue);
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
    const byProject = this.groupByProject();
    const turns = new RoundRobin<[ProjectLoad<TargetQueue>, TargetQueue[]]>();
    const projectsOf = new Map<string, number>();
    for (const [project, targets] of byProject) {
      const { ownerId } = project.owner;
      turns.push(ownerId, [project, targets]);
      projectsOf.set(ownerId, (projectsOf.get(ownerId) ?? 0) + 1);
    }
    const share = limit / Math.max(1, projectsOf.size);
    let left = limit;
    for (let turn = turns.shift(); turn !== undefined && left > 0; turn = turns.shift()) {
      const [project, targets] = turn;
      const ownShare = Math.max(1, Math.floor(share / (projectsOf.get(project.owner.ownerId) ?? 1)));
      const room = Math.min(left, ownShare, this.admission.roomOf(project.projectId));
      const count = this.selectOfProject(project, targets, room, wanted);
      if (count > 0) this.moveProjectToEnd(project);
      left -= count;
    }
    return wanted;
  }

  /** In how many milliseconds to repeat a claim that returned nothing; null when no target waits for that. */
  nextReclaimInMs(): number | null {
    let next: number | null = null;
    for (const queue of this.paused) {
      const { reclaimInMs } = queue;
      if (reclaimInMs === null) this.paused.delete(queue);
      else next = Math.min(next ?? reclaimInMs, reclaimInMs);
    }
    return next;
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

  private groupByProject(): Map<ProjectLoad<TargetQueue>, TargetQueue[]> {
    const byProject = new Map<ProjectLoad<TargetQueue>, TargetQueue[]>();
    for (const [project, queues] of this.inTurn) {
      const targets = this.lookAt(queues);
      if (queues.size === 0) this.inTurn.delete(project);
      if (targets.length > 0) byProject.set(project, targets);
    }
    return byProject;
  }

  /** Lists some of the targets that need deliveries, and forgets those without a backlog. */
  private lookAt(queues: Set<TargetQueue>): TargetQueue[] {
    const needy: TargetQueue[] = [];
    const isLong = queues.size > TARGETS_OF_A_CLAIM;
    let left = Math.min(queues.size, TARGETS_OF_A_CLAIM);
    for (const queue of queues) {
      if (left-- === 0) break;
      if (!queue.hasBacklog) queues.delete(queue);
      else if (isLong) this.moveToEnd(queue);
      if (queue.needsRefill) needy.push(queue);
    }
    return needy;
  }

  /** The next claim begins with the others: more owners than a claim has deliveries would keep them out. */
  private moveProjectToEnd(project: ProjectLoad<TargetQueue>): void {
    const queues = this.inTurn.get(project);
    if (queues === undefined) return;
    this.inTurn.delete(project);
    this.inTurn.set(project, queues);
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
