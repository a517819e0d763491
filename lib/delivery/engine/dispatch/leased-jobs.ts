import type { Job, Message } from '@/lib/delivery/engine/types';
import type { Usage } from './slot-policy';

/**
 * The jobs of a worker, from the lease to the record, oldest first. A job that is claimed again meanwhile is not sent twice.
 */
export class LeasedJobs {
  readonly messages = new MessageCache();
  private readonly byId = new Map<string, Job>();
  private readonly unstored = new Set<Job>();
  private readonly byProject = new Map<string, number>();

  get count(): number {
    return this.byId.size;
  }

  /** Counts all jobs, and those of one project. */
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

  /** Excludes a job from `unstoredFor`: recording it stores its delivery. */
  markAttemptEnded(job: Job): void {
    this.unstored.delete(job);
  }

  /** Lists the jobs that are at least `ms` old and not stored. Returns each job once. */
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

  /** Lists the jobs that are at least `ms` old. */
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

interface Entry {
  message: Message;
  projectId: string;
  references: number;
}

/** The messages of a worker's jobs with their total size. Deliveries of the same event share a message. */
class MessageCache {
  private readonly entries = new Map<string, Entry>();
  private readonly bytesByProject = new Map<string, number>();
  private bytes = 0;

  /** Counts the bytes of all messages, and of one project's. */
  usageOf(projectId: string): Usage {
    return { total: this.bytes, own: this.bytesByProject.get(projectId) ?? 0 };
  }

  find(id: string): Message | undefined {
    return this.entries.get(id)?.message;
  }

  /** Adds a reference to a message. */
  retain(projectId: string, message: Message): void {
    const present = this.entries.get(message.id);
    if (present !== undefined) {
      present.references += 1;
      return;
    }
    this.entries.set(message.id, { message, projectId, references: 1 });
    this.add(projectId, message.bytes);
  }

  /** Removes a reference. The last one removes the message. */
  drop(id: string): void {
    const present = this.entries.get(id);
    if (present === undefined) return;
    present.references -= 1;
    if (present.references > 0) return;
    this.entries.delete(id);
    this.add(present.projectId, -present.message.bytes);
  }

  private add(projectId: string, bytes: number): void {
    this.bytes += bytes;
    const own = (this.bytesByProject.get(projectId) ?? 0) + bytes;
    if (own > 0) this.bytesByProject.set(projectId, own);
    else this.bytesByProject.delete(projectId);
  }
}
