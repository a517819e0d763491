import type { ProjectLoad } from './project-load';
import type { TargetQueue } from './target-queue';
import type { TargetQueues } from './target-queues';

export interface RefillOptions {
  /** Deliveries to claim at once, at most. */
  limit: number;
  roomOf(projectId: string): number;
  slowRoomOf(project: ProjectLoad): number;
  /** Whether unproven targets of a project have to wait for its slow slots. */
  isOutOfSlowSlots(project: ProjectLoad): boolean;
}

/**
 * Chooses the targets to claim due deliveries for: projects share a claim evenly, and so do the targets of a project. Targets
 * that need slow slots get only what their project's slow slots can start.
 *
 * @returns deliveries by target
 */
export function selectRefills(
  queues: TargetQueues,
  { limit, roomOf, slowRoomOf, isOutOfSlowSlots }: RefillOptions,
): Map<string, number> {
  const wanted = new Map<string, number>();
  const byProject = new Map<ProjectLoad, TargetQueue[]>();
  for (const queue of queues.withBacklog()) {
    if (!queue.needsRefill) continue;
    const others = byProject.get(queue.project);
    if (others === undefined) byProject.set(queue.project, [queue]);
    else others.push(queue);
  }
  const share = Math.max(1, Math.floor(limit / Math.max(1, byProject.size)));
  let left = limit;
  for (const [project, targets] of byProject) {
    let room = Math.min(left, share, roomOf(project.projectId));
    const isQuick = ({ pace }: TargetQueue) => pace === 'quick' || (pace === 'unproven' && !isOutOfSlowSlots(project));
    let slowRoom = slowRoomOf(project) - waitingForSlowSlots(targets.filter((queue) => !isQuick(queue)));
    const each = Math.max(1, Math.floor(room / targets.length));
    for (const queue of targets) {
      if (room <= 0) break;
      const count = Math.min(queue.room, each, room, isQuick(queue) ? room : slowRoom);
      if (count <= 0) continue;
      if (!isQuick(queue)) slowRoom -= count;
      room -= count;
      left -= count;
      wanted.set(queue.targetId, count);
      queues.moveToEnd(queue);
    }
  }
  return wanted;
}

function waitingForSlowSlots(targets: readonly TargetQueue[]): number {
  return targets.reduce((sum, { waiting }) => sum + waiting.length, 0);
}
