import type { Job } from '@/lib/delivery/engine/types';
import { OwnerLoad, ProjectLoad } from './project-load';
import { isWithinShare } from './slot-policy';
import { TargetQueue } from './target-queue';

/**
 * Queues that owners share, and at most, beside those of jobs in memory. A later poll finds the backlog of further targets. An owner alone gets
 * half of those that are shared, and an owner with few gets another one in any case: the backlog of each is found, however many targets
 * others have.
 */
const SHARED_QUEUES = 10_000;
const MAX_QUEUES = 20_000;
const FEW_QUEUES = 50;
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

  /** @param ownerOf returns the owner of a project, as far as it is known */
  constructor(
    private readonly targetConcurrency: number,
    private readonly ownerOf: (projectId: string) => string,
  ) {}

  /** Whether the owner of a project may have another queue. */
  hasRoomFor(projectId: string): boolean {
    const { size } = this.queues;
    const { queues } = this.projectOf(projectId).owner;
    if (size >= MAX_QUEUES) return false;
    return queues < FEW_QUEUES || isWithinShare(SHARED_QUEUES, { total: size, own: queues }, 1);
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
    project.owner.queues += 1;
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

  /** Evicts idle queues of the owners with the most, least recently used first. */
  evictIdle(): void {
    const byOwner = new Map<OwnerLoad, TargetQueue[]>();
    let surplus = -MAX_REMEMBERED;
    for (const queue of this.queues.values()) {
      if (!queue.isIdle) continue;
      surplus += 1;
      const { owner } = queue.project;
      const ofOwner = byOwner.get(owner);
      if (ofOwner === undefined) byOwner.set(owner, [queue]);
      else ofOwner.push(queue);
    }
    if (surplus <= 0) return;
    const heaviestFirst = [...byOwner.values()].sort((a, b) => b.length - a.length);
    for (let heavy = 1; surplus > 0; heavy += 1) {
      const kept = heaviestFirst[heavy]?.length ?? 0;
      for (const queues of heaviestFirst.slice(0, heavy)) {
        const evicted = queues.splice(0, Math.min(surplus, queues.length - kept));
        for (const queue of evicted) this.remove(queue);
        surplus -= evicted.length;
      }
    }
  }

  private remove({ targetId, project }: TargetQueue): void {
    this.queues.delete(targetId);
    project.queues -= 1;
    project.owner.queues -= 1;
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
    project.owner.queues -= project.queues;
    owner.queues += project.queues;
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
