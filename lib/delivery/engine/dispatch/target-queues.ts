import type { Job } from '@/lib/delivery/engine/types';
import { OwnerLoad, ProjectLoad } from './project-load';
import { TargetQueue } from './target-queue';

/** Queues at most. Beyond that, a later poll finds the backlog of further targets. */
const MAX_QUEUES = 10_000;
/**
 * Idle queues are evicted beyond this number, least recently used first. A target that gets an event now and then must stay
 * known: attempts to unknown targets are paced.
 */
const MAX_REMEMBERED = 5_000;

/** The queues of a worker by target, and the projects and owners that they belong to. */
export class TargetQueues {
  /** The queue that was used last is at the end. */
  private readonly queues = new Map<string, TargetQueue>();
  private readonly projects = new Map<string, ProjectLoad<TargetQueue>>();
  private readonly owners = new Map<string, OwnerLoad>();

  /** @param ownerOf returns the owner of a project, as far as it is known */
  constructor(
    private readonly targetConcurrency: number,
    private readonly ownerOf: (projectId: string) => string,
  ) {}

  get isFull(): boolean {
    return this.queues.size >= MAX_QUEUES;
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
    const owner = this.owners.get(ownerId) ?? new OwnerLoad(ownerId);
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

  evictIdle(): void {
    let surplus = this.queues.size - MAX_REMEMBERED;
    for (const [id, queue] of this.queues) {
      if (surplus <= 0) return;
      if (!queue.isIdle) continue;
      surplus -= 1;
      this.queues.delete(id);
      queue.project.queues -= 1;
      if (queue.project.queues > 0) continue;
      this.projects.delete(queue.project.projectId);
      this.removeProject(queue.project.owner);
    }
  }

  /** The owner of a project may be unknown at first, and change. */
  private changeOwner(project: ProjectLoad<TargetQueue>, owner: OwnerLoad): void {
    for (const lane of ['quick', 'slow'] as const) {
      project.owner[lane] -= project[lane];
      owner[lane] += project[lane];
    }
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
