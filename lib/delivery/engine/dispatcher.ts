import type { Room } from './fan-out';
import { leaseCoversAttempt } from './lease';
import { TargetQueue } from './target-queue';
import type { Job, Target } from './types';

export interface DispatcherOptions {
  /** Attempts under way at once, in all and for one target. */
  concurrency: number;
  targetConcurrency: number;
  /** Makes one attempt. Resolves with its duration in milliseconds; must not reject. */
  send(job: Job, target: Target): Promise<number>;
  /** Whether what is sent now can be recorded: false while too many results wait for the database. */
  mayStart(): boolean;
  /** Called when a target with a backlog has room again. */
  onRoom(): void;
  /** Called with jobs that are not sent after all, since their target has turned out slow: their leases are to be given back. */
  onSurplus(jobs: Job[]): void;
}

/** Jobs in hand, beyond which nothing more is looked for: enough to never run dry, few enough to hold in memory. */
const HIGH_WATER_JOBS = 2_000;
/** Payloads in hand, beyond which nothing more is taken on. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const MAX_QUEUES_KEPT = 10_000;

/**
 * Holds the leased jobs of a worker and sends them: targets take turns, each within its own slots, so that one that is
 * slow, or has much waiting, delays nobody else's.
 */
export class Dispatcher {
  private readonly queues = new Map<string, TargetQueue>();
  /** Targets that could start a job now, in turn. */
  private readonly ring: TargetQueue[] = [];
  /** Deliveries from lease to record: another claim of one of them is not sent twice. */
  private readonly inHand = new Set<string>();
  private readonly underWay = new Set<Job>();
  private waitingJobs = 0;
  private waitingBytes = 0;
  private isStopped = false;
  private readonly roomWaiters = new Set<() => void>();

  constructor(private readonly options: DispatcherOptions) {}

  /**
   * How many new deliveries can be handed over: none to a target of which older ones wait in the database. Targets at rest
   * are like unknown ones, so that this stays short however many a worker has met.
   */
  roomByTarget(): Room {
    if (this.isStopped || this.waitingBytes > MAX_WAITING_BYTES) return { known: new Map(), other: 0 };
    const other = new TargetQueue('', this.options.targetConcurrency).room;
    const known = new Map<string, number>();
    for (const queue of this.queues.values()) {
      const room = queue.hasBacklog ? 0 : queue.room;
      if (room < other || !queue.isIdle) known.set(queue.targetId, room);
    }
    return { known, other };
  }

  /** Takes a job on, unless it is in hand already. False when the worker is stopping: its lease is to be given back. */
  add(target: Target, job: Job): boolean {
    if (this.isStopped) return false;
    if (this.inHand.has(job.deliveryId)) return true;
    const queue = this.queueOf(target.id);
    queue.target = target;
    queue.waiting.push(job);
    this.inHand.add(job.deliveryId);
    this.waitingJobs += 1;
    this.waitingBytes += job.message.body.length;
    this.enterRing(queue);
    return true;
  }

  /** Starts what can be started. To be called after `add`, and when results have been recorded. */
  pump(): void {
    const { concurrency, mayStart } = this.options;
    while (this.underWay.size < concurrency && mayStart()) {
      const queue = this.ring.shift();
      if (queue === undefined) return;
      queue.isInRing = false;
      const job = this.takeNext(queue);
      if (job !== null && queue.target !== null) void this.run(queue, queue.target, job);
      this.enterRing(queue);
    }
  }

  /** Notes whether a target has deliveries due in the database. */
  noteBacklog(targetId: string, hasBacklog: boolean): void {
    this.queueOf(targetId).hasBacklog = hasBacklog;
  }

  /** Room by target, for those with a backlog whose queue is half empty; at most `limit` in all, shared evenly. */
  wanted(limit: number): Map<string, number> {
    if (this.isStopped || this.waitingJobs >= HIGH_WATER_JOBS || this.waitingBytes > MAX_WAITING_BYTES)
      return new Map();
    const hungry = [...this.queues.values()].filter((queue) => queue.isHungry).slice(0, limit);
    const share = Math.floor(limit / Math.max(1, hungry.length));
    // To the end of the row: of more than `limit`, the others come next time.
    for (const queue of hungry) {
      this.queues.delete(queue.targetId);
      this.queues.set(queue.targetId, queue);
    }
    return new Map(hungry.map((queue) => [queue.targetId, Math.min(queue.room, share)]));
  }

  /** Targets that jobs wait for here: what may have changed since they were read. */
  waitingTargets(): string[] {
    return [...this.queues.values()].filter(({ waiting }) => waiting.length > 0).map(({ targetId }) => targetId);
  }

  /** Puts a newer reading of a target in the place of the old one. */
  renew(target: Target): void {
    this.queueOf(target.id).target = target;
  }

  /** Takes what waits for a target out of hand, for its leases to be given back. */
  withdraw(targetId: string): Job[] {
    return this.dropAll(this.queueOf(targetId).waiting.splice(0));
  }

  /** An attempt has been recorded, or given up on: its delivery may be claimed again. */
  letGo(deliveryId: string): void {
    this.inHand.delete(deliveryId);
  }

  /** Waits until there is room for a new batch, but not longer than `timeoutMs`: slow targets must not hold up the others. */
  async room(timeoutMs: number): Promise<void> {
    if (this.waitingJobs < HIGH_WATER_JOBS) return;
    await new Promise<void>((resolve) => {
      const go = () => {
        clearTimeout(timer);
        this.roomWaiters.delete(go);
        resolve();
      };
      const timer = setTimeout(go, timeoutMs);
      this.roomWaiters.add(go);
    });
  }

  /** Starts nothing more. Returns what was waiting, for its leases to be given back. */
  stop(): Job[] {
    this.isStopped = true;
    this.ring.length = 0;
    return [...this.queues.keys()].flatMap((id) => this.withdraw(id));
  }

  /** The jobs whose attempts have not ended. */
  attemptsUnderWay(): Job[] {
    return [...this.underWay];
  }

  /** Forgets targets that have nothing to do. To be called now and then. */
  tidy(): void {
    const isFull = this.queues.size > MAX_QUEUES_KEPT;
    for (const [id, queue] of this.queues) {
      if (queue.isForgettable || (isFull && queue.isIdle)) this.queues.delete(id);
    }
  }

  private queueOf(targetId: string): TargetQueue {
    const present = this.queues.get(targetId);
    if (present !== undefined) return present;
    const made = new TargetQueue(targetId, this.options.targetConcurrency);
    this.queues.set(targetId, made);
    return made;
  }

  private enterRing(queue: TargetQueue): void {
    if (queue.isInRing || !queue.canStart || this.isStopped) return;
    queue.isInRing = true;
    this.ring.push(queue);
  }

  /** The next job whose lease still covers an attempt. */
  private takeNext(queue: TargetQueue): Job | null {
    const { waiting } = queue;
    const next = waiting.findIndex(({ leaseEndsAt }) => leaseCoversAttempt(leaseEndsAt));
    if (next !== 0) this.handBack(queue, waiting.splice(0, next === -1 ? waiting.length : next));
    const job = waiting.shift() ?? null;
    if (job !== null) this.leaveWaiting(job);
    return job;
  }

  /** Takes jobs out of hand that are better claimed anew, later or by another worker. */
  private handBack(queue: TargetQueue, jobs: Job[]): void {
    if (jobs.length === 0) return;
    queue.hasBacklog = true;
    this.options.onSurplus(this.dropAll(jobs));
  }

  private dropAll(jobs: Job[]): Job[] {
    for (const job of jobs) {
      this.leaveWaiting(job);
      this.inHand.delete(job.deliveryId);
    }
    return jobs;
  }

  private leaveWaiting(job: Job): void {
    this.waitingJobs -= 1;
    this.waitingBytes -= job.message.body.length;
    if (this.waitingJobs < HIGH_WATER_JOBS) for (const go of this.roomWaiters) go();
  }

  private async run(queue: TargetQueue, target: Target, job: Job): Promise<void> {
    queue.inFlight += 1;
    this.underWay.add(job);
    const durationMs = await this.options.send(job, target);
    this.underWay.delete(job);
    queue.inFlight -= 1;
    queue.learn(durationMs);
    this.handBack(queue, queue.takeSurplus());
    this.enterRing(queue);
    if (queue.isHungry) this.options.onRoom();
    this.pump();
  }
}
