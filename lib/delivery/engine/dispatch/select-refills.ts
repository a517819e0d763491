import type { ProjectLoad } from './project-load';
import type { TargetQueue } from './target-queue';
import type { TargetQueues } from './target-queues';

export interface RefillOptions {
  /** Deliveries to claim at once, at most. */
  limit: number;
  roomOf(projectId: string): number;
  slowRoomOf(project: ProjectLoad): number;
}

/**
 * Chooses the targets to claim due deliveries for: projects share a claim evenly, and so do the targets of a project. Slow,
 * failing and unproven targets get only what their project's slow slots can start.
 *
 * @returns deliveries by target
 */
export function selectRefills(queues: TargetQueues, { limit, roomOf, slowRoomOf }: RefillOptions): Map<string, number> {
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
    let slowRoom = slowRoomOf(project) - waitingForSlowSlots(targets);
    const each = Math.max(1, Math.floor(room / targets.length));
    for (const queue of targets) {
      if (room <= 0) break;
      const isQuick = queue.pace === 'quick';
      const count = Math.min(queue.room, each, room, isQuick ? room : slowRoom);
      if (count <= 0) continue;
      if (!isQuick) slowRoom -= count;
      room -= count;
      left -= count;
      wanted.set(queue.targetId, count);
      queues.moveToEnd(queue);
    }
  }
  return wanted;
}

function waitingForSlowSlots(targets: readonly TargetQueue[]): number {
  return targets.reduce((sum, { pace, waiting }) => sum + (pace === 'quick' ? 0 : waiting.length), 0);
}
