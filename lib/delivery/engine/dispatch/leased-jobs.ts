import type { Job, Message } from '@/lib/delivery/engine/types';
import type { Usage } from './slot-policy';
import type { Tally, WorkerLoad } from './worker-load';

/**
 * The jobs of a worker, from the lease to the record, oldest first. A job that is claimed again meanwhile is not sent twice.
 */
export class LeasedJobs {
  readonly messages: MessageCache;
  private readonly byId = new Map<string, { job: Job; tenants: readonly string[] }>();
  private readonly unstored = new Set<Job>();
  private readonly tally: Tally;

  /** @param load of the worker, whose jobs and bytes are counted together */
  constructor({ jobs, messageBytes }: Pick<WorkerLoad, 'jobs' | 'messageBytes'>) {
    this.tally = jobs;
    this.messages = new MessageCache(messageBytes);
  }

  get count(): number {
    return this.byId.size;
  }

  /** Counts all jobs of the worker, and those of a customer, a project or an owner. */
  usageOf(tenantId: string): Usage {
    return this.tally.usageOf(tenantId);
  }

  has(deliveryId: string): boolean {
    return this.byId.has(deliveryId);
  }

  /** @param tenants those that it counts for */
  add(job: Job, tenants: readonly string[]): void {
    this.byId.set(job.deliveryId, { job, tenants });
    if (job.entry !== null) this.unstored.add(job);
    this.messages.retain(tenants, job.message);
    this.tally.add(tenants, 1);
  }

  drop(deliveryId: string): void {
    const found = this.byId.get(deliveryId);
    if (found === undefined) return;
    const { job, tenants } = found;
    this.byId.delete(deliveryId);
    this.unstored.delete(job);
    this.messages.drop(job.message.id);
    this.tally.add(tenants, -1);
  }

  /** Drops all jobs, so that they do not count any more. */
  clear(): void {
    for (const deliveryId of [...this.byId.keys()]) this.drop(deliveryId);
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
    for (const { job } of this.byId.values()) {
      if (job.leasedAt > before) break;
      found.add(job);
    }
    return found;
  }
}

interface Entry {
  message: Message;
  tenants: readonly string[];
  references: number;
}

/** The messages of a worker's jobs with their total size. Deliveries of the same event share a message. */
class MessageCache {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly bytes: Tally) {}

  /** Counts the bytes of all messages of the worker, and of those of a customer, a project or an owner. */
  usageOf(tenantId: string): Usage {
    return this.bytes.usageOf(tenantId);
  }

  find(id: string): Message | undefined {
    return this.entries.get(id)?.message;
  }

  /** Adds a reference to a message. */
  retain(tenants: readonly string[], message: Message): void {
    const present = this.entries.get(message.id);
    if (present !== undefined) {
      present.references += 1;
      return;
    }
    this.entries.set(message.id, { message, tenants, references: 1 });
    this.bytes.add(tenants, message.bytes);
  }

  /** Removes a reference. The last one removes the message. */
  drop(id: string): void {
    const present = this.entries.get(id);
    if (present === undefined) return;
    present.references -= 1;
    if (present.references > 0) return;
    this.entries.delete(id);
    this.bytes.add(present.tenants, -present.message.bytes);
  }
}
