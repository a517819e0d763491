import { STORE_BATCH_ROWS } from '@/lib/delivery/engine/record/store-deliveries';
import type { LeasedDelivery } from '@/lib/delivery/engine/types';

/** Deliveries in it beyond which nothing is taken from the outbox. One event more may exceed it. */
const MAX_QUEUED = 10_000;

/** Deliveries that are to be stored before they are sent, project by project in turns. */
export class StoreQueue {
  private readonly byProject = new Map<string, LeasedDelivery[]>();
  private count = 0;

  get isFull(): boolean {
    return this.count >= MAX_QUEUED;
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Whether a project has some in it: nothing further is taken for it meanwhile. */
  has(projectId: string): boolean {
    return this.byProject.has(projectId);
  }

  add(projectId: string, jobs: readonly LeasedDelivery[]): void {
    if (jobs.length === 0) return;
    this.count += jobs.length;
    const queued = this.byProject.get(projectId);
    if (queued === undefined) this.byProject.set(projectId, [...jobs]);
    else for (const job of jobs) queued.push(job);
  }

  /** The next batch: of few deliveries of several projects, or many of one. */
  nextBatch(): LeasedDelivery[] {
    const batch: LeasedDelivery[] = [];
    for (const [projectId, jobs] of [...this.byProject]) {
      const room = STORE_BATCH_ROWS - batch.length;
      if (room === 0) break;
      this.byProject.delete(projectId);
      for (const job of jobs.splice(0, room)) batch.push(job);
      if (jobs.length > 0) this.byProject.set(projectId, jobs);
    }
    this.count -= batch.length;
    return batch;
  }
}
