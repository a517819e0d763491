import type { Job } from '@/lib/delivery/engine/types';

/** Collects the jobs to release: one turn of the event loop may release those of hundreds of targets, and all share a statement. */
export class ReleaseBuffer {
  private readonly jobs: Job[] = [];

  constructor(private readonly release: (jobs: Job[]) => void) {}

  add(jobs: readonly Job[]): void {
    if (this.jobs.length === 0) setImmediate(() => this.release(this.drain()));
    this.jobs.push(...jobs);
  }

  /** Takes out the jobs that are not released yet. */
  drain(): Job[] {
    return this.jobs.splice(0);
  }
}
