import type { Job } from '@/lib/delivery/engine/types';
import { ProjectLoad } from './project-load';
import { TargetQueue } from './target-queue';

/** Targets at most. Beyond it, a backlog is left to a later poll. */
const MAX_QUEUES = 10_000;
/**
 * Targets beyond which idle ones are forgotten, those used least recently first. What is not known to answer well is sent at
 * a pace, so a target that gets an event now and then must not become unknown in between.
 */
const MAX_REMEMBERED = 5_000;

/** The queues of a worker, and the projects that they belong to. */
export class TargetQueues {
  /** In the order of their last use. */
  private readonly queues = new Map<string, TargetQueue>();
  private readonly projects = new Map<string, ProjectLoad>();
  /** Those with a backlog in the database, the one served last at the end. */
  private readonly backlog = new Set<TargetQueue>();

  constructor(private readonly targetConcurrency: number) {}

  find(targetId: string): TargetQueue | undefined {
    return this.queues.get(targetId);
  }

  all(): IterableIterator<TargetQueue> {
    return this.queues.values();
  }

  /** The load of a project: one that is not kept when it has none. */
  projectOf(projectId: string): ProjectLoad {
    return this.projects.get(projectId) ?? new ProjectLoad(projectId);
  }

  of(targetId: string, projectId: string): TargetQueue {
    const present = this.queues.get(targetId);
    if (present !== undefined) {
      this.queues.delete(targetId);
      this.queues.set(targetId, present);
      return present;
    }
    const project = this.projectOf(projectId);
    this.projects.set(projectId, project);
    project.queues += 1;
    const made = new TargetQueue(targetId, project, this.targetConcurrency);
    this.queues.set(targetId, made);
    return made;
  }

  setBacklog(targetId: string, projectId: string, hasBacklog: boolean): void {
    if (!this.queues.has(targetId) && (!hasBacklog || this.queues.size >= MAX_QUEUES)) return;
    const queue = this.of(targetId, projectId);
    queue.hasBacklog = hasBacklog;
    if (hasBacklog) this.backlog.add(queue);
    else this.backlog.delete(queue);
  }

  /** Queues with a backlog, in turn. */
  withBacklog(): TargetQueue[] {
    const queues: TargetQueue[] = [];
    for (const queue of this.backlog) {
      if (queue.hasBacklog) queues.push(queue);
      else this.backlog.delete(queue);
    }
    return queues;
  }

  /** Puts a queue that was served at the end of the turn. */
  moveToEnd(queue: TargetQueue): void {
    this.backlog.delete(queue);
    this.backlog.add(queue);
  }

  /** Takes jobs out of their queues that are among the old ones. */
  waitingLongerThan(old: ReadonlySet<Job>): Map<TargetQueue, Job[]> {
    const found = new Map<TargetQueue, Job[]>();
    if (old.size === 0) return found;
    for (const queue of this.queues.values()) {
      const first = queue.waiting[0];
      if (first === undefined || !old.has(first)) continue;
      const count = queue.waiting.findIndex((job) => !old.has(job));
      found.set(queue, queue.waiting.splice(0, count === -1 ? queue.waiting.length : count));
    }
    return found;
  }

  evictIdle(): void {
    let surplus = this.queues.size - MAX_REMEMBERED;
    for (const [id, queue] of this.queues) {
      if (surplus <= 0) return;
      if (!queue.isIdle) continue;
      surplus -= 1;
      this.queues.delete(id);
      this.backlog.delete(queue);
      queue.project.queues -= 1;
      if (queue.project.queues === 0) this.projects.delete(queue.project.projectId);
    }
  }
}
