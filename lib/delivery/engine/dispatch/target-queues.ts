import type { Job } from '@/lib/delivery/engine/types';
import { OwnerLoad, ProjectLoad } from './project-load';
import { equalShare } from './slot-policy';
import { TargetQueue } from './target-queue';

/**
 * Queues for targets with a backlog. Owners have equal shares of them, so the backlog of each is found, however many targets others have.
 * Those who come between two polls get theirs in addition: there are twice as many at most. A later poll finds further targets.
 */
const MAX_WITH_BACKLOG = 10_000;
/**
 * Idle queues are evicted beyond this number. A target that gets an event now and then must stay known: attempts to unknown targets
 * are paced.
 */
const MAX_REMEMBERED = 5_000;

/** The queues of a worker by target, and the projects and owners that they belong to. */
export class TargetQueues {
  /** The queue that was used last is at the end. */
  private readonly queues = new Map<string, TargetQueue>();
  private readonly projects = new Map<string, ProjectLoad<TargetQueue>>();
  private readonly owners = new Map<string, OwnerLoad>();
  /** Queues with a backlog that each owner may have. */
  private share = equalShare(MAX_WITH_BACKLOG, 1);

  /**
   * @param ownerOf returns the owner of a project, as far as it is known
   * @param counts how many owners have slow attempts
   */
  constructor(
    private readonly targetConcurrency: number,
    private readonly ownerOf: (projectId: string) => string,
    private readonly counts = { slowOwners: 0 },
  ) {}

  /** Whether the owner of a project may have another queue for a backlog. */
  hasRoomFor(projectId: string): boolean {
    return this.projectOf(projectId).owner.backlogs < this.share;
  }

  find(targetId: string): TargetQueue | undefined {
    return this.queues.get(targetId);
  }

  all(): IterableIterator<TargetQueue> {
    return this.queues.values();
  }

  /** The load of a project. A new one is not kept: only its first queue makes the project known. */
  projectOf(projectId: string): ProjectLoad<TargetQueue> {
    const present = this.projects.get(projectId);
    const ownerId = this.ownerOf(projectId);
    if (present?.owner.ownerId === ownerId) return present;
    const owner = this.owners.get(ownerId) ?? new OwnerLoad(ownerId, this.counts);
    if (present === undefined) return new ProjectLoad<TargetQueue>(projectId, owner);
    this.changeOwner(present, owner);
    return present;
  }

  /** The queue of a target; a new one if there is none. */
  of(targetId: string, projectId: string): TargetQueue {
    const present = this.queues.get(targetId);
    if (present !== undefined) {
      this.queues.delete(targetId);
      this.queues.set(targetId, present);
      this.projectOf(projectId);
      return present;
    }
    const project = this.projectOf(projectId);
    if (project.queues === 0) {
      this.projects.set(projectId, project);
      this.addProject(project.owner);
    }
    project.queues += 1;
    const made = new TargetQueue(targetId, project, this.targetConcurrency);
    this.queues.set(targetId, made);
    return made;
  }

  /** Removes the queued jobs that are in `old`. */
  removeWaiting(old: ReadonlySet<Job>): Map<TargetQueue, Job[]> {
    const removed = new Map<TargetQueue, Job[]>();
    if (old.size === 0) return removed;
    for (const queue of this.queues.values()) {
      const first = queue.waiting[0];
      if (first === undefined || !old.has(first)) continue;
      const count = queue.waiting.findIndex((job) => !old.has(job));
      removed.set(queue, queue.waiting.splice(0, count === -1 ? queue.waiting.length : count));
    }
    return removed;
  }

  /**
   * Evicts idle queues of the owners with the most, least recently used first, and queues without jobs of owners who have more than their
   * share of those with a backlog.
   */
  evict(): void {
    const idle = new Map<OwnerLoad, TargetQueue[]>();
    let owners = 0;
    for (const { backlogs } of this.owners.values()) if (backlogs > 0) owners += 1;
    this.share = equalShare(MAX_WITH_BACKLOG, owners);
    for (const queue of this.queues.values()) {
      const { owner } = queue.project;
      if (queue.isIdle) {
        const ofOwner = idle.get(owner);
        if (ofOwner === undefined) idle.set(owner, [queue]);
        else ofOwner.push(queue);
      } else if (owner.backlogs > this.share && queue.inFlight === 0 && queue.waiting.length === 0) {
        this.remove(queue);
      }
    }
    for (const queue of surplusOf(idle, MAX_REMEMBERED)) this.remove(queue);
  }

  private remove(queue: TargetQueue): void {
    const { targetId, project } = queue;
    queue.hasBacklog = false;
    this.queues.delete(targetId);
    project.queues -= 1;
    if (project.queues > 0) return;
    this.projects.delete(project.projectId);
    this.removeProject(project.owner);
  }

  /** The owner of a project may be unknown at first, and change. */
  private changeOwner(project: ProjectLoad<TargetQueue>, owner: OwnerLoad): void {
    for (const lane of ['quick', 'slow'] as const) {
      project.owner[lane] -= project[lane];
      owner[lane] += project[lane];
    }
    project.owner.backlogs -= project.backlogs;
    owner.backlogs += project.backlogs;
    this.removeProject(project.owner);
    this.addProject(owner);
    project.owner = owner;
  }

  private addProject(owner: OwnerLoad): void {
    owner.projects += 1;
    this.owners.set(owner.ownerId, owner);
  }

  private removeProject(owner: OwnerLoad): void {
    owner.projects -= 1;
    if (owner.projects === 0) this.owners.delete(owner.ownerId);
  }
}

/** Lists the oldest items of the owners with the most, so that `most` are left in all. @param byOwner the items of each, oldest first */
export function surplusOf<T>(byOwner: ReadonlyMap<unknown, T[]>, most: number): T[] {
  const lightestFirst = [...byOwner.values()].sort((a, b) => a.length - b.length);
  let left = most;
  return lightestFirst.flatMap((items, index) => {
    const kept = Math.min(items.length, Math.floor(left / (lightestFirst.length - index)));
    left -= kept;
    return items.slice(0, items.length - kept);
  });
}
