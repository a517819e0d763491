import type { Job } from '@/lib/delivery/engine/types';
import { MessageCache } from './message-cache';
import type { Usage } from './share-policy';

/**
 * Deliveries from lease to record: another claim of one of them is not sent twice. Kept in the order in which they were
 * added.
 */
export class LeasedJobs {
  readonly messages = new MessageCache();
  private readonly byId = new Map<string, Job>();
  private readonly unstored = new Set<Job>();
  private readonly byProject = new Map<string, number>();

  get count(): number {
    return this.byId.size;
  }

  /** Jobs in all, and of one project. */
  usageOf(projectId: string): Usage {
    return { total: this.byId.size, own: this.byProject.get(projectId) ?? 0 };
  }

  has(deliveryId: string): boolean {
    return this.byId.has(deliveryId);
  }

  add(job: Job): void {
    this.byId.set(job.deliveryId, job);
    if (job.entry !== null) this.unstored.add(job);
    this.messages.retain(job.projectId, job.message);
    this.byProject.set(job.projectId, (this.byProject.get(job.projectId) ?? 0) + 1);
  }

  drop(deliveryId: string): void {
    const job = this.byId.get(deliveryId);
    if (job === undefined) return;
    this.byId.delete(deliveryId);
    this.unstored.delete(job);
    this.messages.drop(job.message.id);
    const left = (this.byProject.get(job.projectId) ?? 1) - 1;
    if (left > 0) this.byProject.set(job.projectId, left);
    else this.byProject.delete(job.projectId);
  }

  /** Leaves a job out of `unstoredFor` from now on. */
  markAttemptEnded(job: Job): void {
    this.unstored.delete(job);
  }

  /** Jobs in hand for at least so long whose delivery is not stored; each is given once. */
  unstoredFor(ms: number): Job[] {
    const before = performance.now() - ms;
    const found: Job[] = [];
    for (const job of this.unstored) {
      if (job.leasedAt > before) break;
      this.unstored.delete(job);
      found.push(job);
    }
    return found;
  }

  /** Every job in hand for at least so long. */
  oldest(ms: number): ReadonlySet<Job> {
    const before = performance.now() - ms;
    const found = new Set<Job>();
    for (const job of this.byId.values()) {
      if (job.leasedAt > before) break;
      found.add(job);
    }
    return found;
  }
}
