import { STORE_BATCH_ROWS } from '@/lib/delivery/engine/record/store-deliveries';
import type { LeasedDelivery } from '@/lib/delivery/engine/types';

/** With this many deliveries in the queue no more outbox rows are taken. The last event may exceed it. */
const MAX_QUEUED = 10_000;

/** Deliveries that must be stored before they are sent. Projects take turns. */
export class StoreQueue {
  private readonly byProject = new Map<string, LeasedDelivery[]>();
  private count = 0;

  get isFull(): boolean {
    return this.count >= MAX_QUEUED;
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Whether a project has queued deliveries. Meanwhile no rows are taken for it. */
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

  /** Takes the next batch: the deliveries of one or more projects. */
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
