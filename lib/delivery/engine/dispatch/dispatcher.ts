import type { LargeBodyBudget } from '@/lib/delivery/engine/large-bodies';
import { leaseCoversAttempt } from '@/lib/delivery/engine/lease';
import type { Job, LeasedDelivery, Message, Target } from '@/lib/delivery/engine/types';
import { SECOND_MS } from '@/lib/platform/clock';
import { noteActive } from '@/lib/platform/pace';
import { Admission, tenantsOf } from './admission';
import { Backlog } from './backlog';
import { type Lane, Lanes } from './lanes';
import { LeasedJobs } from './leased-jobs';
import type { AttemptEnd, TargetQueue } from './target-queue';
import { TargetQueues } from './target-queues';
import { WorkerLoad } from './worker-load';

export interface DispatcherOptions {
  /** Quick attempts in flight at most. */
  concurrency: number;
  /** Attempts in flight for one target at most. */
  targetConcurrency: number;
  /** What the bounds are counted by; that of this dispatcher alone by default. */
  load?: WorkerLoad;
  /** Runs work about the tables of the dispatcher's cell. Called when another dispatcher of the worker has left something free. */
  enterCell?(work: () => void): void;
  /** Returns who shares the bounds with others: the owner of a project, or its id while the owner is unknown. */
  ownerOf(projectId: string): string;
  /** Makes one attempt. Must not reject. Returns null when nothing was sent, which says nothing of the target. */
  send(job: Job, target: Target): Promise<AttemptEnd | null>;
  /** False while too many results wait for the database. */
  mayStart(): boolean;
  /** Called when the worker can take on more work. */
  onRoom(): void;
  /** Called with jobs that this worker does not send after all. Their leases must be released. */
  onRelease(jobs: Job[]): void;
  /** Called with jobs that stay in memory for long. Their deliveries must be stored now. */
  onStoreDue(jobs: Job[]): void;
}

/** A delivery that is not recorded after this time is stored, so that lists show it and its outbox row can be removed. */
const STORE_AFTER_MS = SECOND_MS;
/** A job that has waited this long for a slot is released, so that another worker can claim it. */
const MAX_WAIT_MS = 4 * SECOND_MS;
const SWEEP_INTERVAL_MS = 100;

/**
 * Queues the leased jobs of a worker and sends them. Admission limits what it takes on; Lanes decides which target starts next, so
 * that no tenant delays the others; a sweep stores or releases the jobs that stay for long.
 *
 * A job:
 *
 *     add ──► waiting ──── its turn ───► in flight ──── result ────► ended ──── recorded ───► forgotten
 *               │ │                        │
 *               │ └─ after 1 s, its delivery is stored, so that lists show it ─┘
 *               └─ released, due in the database again: after 4 s, when its lease no longer covers an attempt,
 *                  when its target has become slow and has too many, when its target is withdrawn, at a stop
 *
 * A target decides where its jobs start (Pace):
 *
 *     unproven ───────────────── first result ───────────────► quick ◄──────────┐
 *        ▲                                                       │              │ a quick success
 *        └── failed, and its connection is probably closed ──────┤              │
 *                                                                └─ slow, or three failures in a row ─► suspect
 *
 * Quick and unproven targets start in quick slots, suspects in slow slots. An attempt that lasts over a second moves to a slow slot.
 */
export class Dispatcher {
  readonly admission: Admission;
  readonly backlog: Backlog;
  private readonly load: WorkerLoad;
  private readonly jobs: LeasedJobs;
  private readonly queues: TargetQueues;
  private readonly lanes: Lanes;
  private readonly releases: ReleaseBuffer;
  private readonly largeBodies: LargeBodyBudget;
  /** The queues that have jobs with large bodies, or had them lately. */
  private readonly largeQueues = new Set<TargetQueue>();
  private readonly pumpFreed = () => {
    if (this.options.enterCell === undefined) this.pump();
    else this.options.enterCell(() => this.pump());
  };
  private sweepTimer: NodeJS.Timeout | null = null;
  private isStopped = false;

  constructor(private readonly options: DispatcherOptions) {
    this.load = options.load ?? new WorkerLoad();
    this.load.join(this.pumpFreed);
    this.jobs = new LeasedJobs(this.load);
    this.largeBodies = this.load.largeBodies;
    this.queues = new TargetQueues(options.targetConcurrency, options.ownerOf, this.load.counts);
    this.lanes = new Lanes({
      concurrency: options.concurrency,
      load: this.load,
      mayStart: options.mayStart,
      start: (queue, lane) => this.start(queue, lane),
      onFoundSlow: (queue) => this.releaseSurplus(queue),
    });
    this.admission = new Admission(this.jobs, this.queues, this.lanes);
    this.backlog = new Backlog(this.queues, this.admission, this.lanes);
    this.releases = new ReleaseBuffer(options.onRelease);
  }

  /** Queues a job unless it is in memory already. @returns false after a stop: its lease must be released */
  add(target: Target, job: Job): boolean {
    if (this.isStopped) return false;
    if (this.jobs.has(job.deliveryId)) return true;
    const queue = this.queues.of(target.id, target.projectId);
    noteActive(queue.project.owner.ownerId);
    queue.target = target;
    queue.waiting.push(job);
    if (job.message.largeBytes !== undefined) this.largeQueues.add(queue);
    this.jobs.add(job, tenantsOf(target, queue.project.owner.ownerId));
    this.lanes.enqueue(queue);
    this.sweepTimer ??= setTimeout(() => this.sweep(), SWEEP_INTERVAL_MS);
    return true;
  }

  /** Returns the owner of a project, as far as it is known. */
  ownerOf(projectId: string): string {
    return this.options.ownerOf(projectId);
  }

  /** Starts as many attempts as the slots allow. Call it after `add`, and after results were recorded. */
  pump(): void {
    if (!this.isStopped) this.lanes.pump();
  }

  /** Notes that the attempt of a job has ended. Recording it stores its delivery, so nothing else may store it. */
  markAttemptEnded(job: Job): void {
    this.jobs.markAttemptEnded(job);
  }

  /** Drops a job whose result has been recorded or given up. Its delivery may be claimed again. */
  forget(deliveryId: string): void {
    this.jobs.drop(deliveryId);
    this.options.onRoom();
  }

  /** Finds the message of a job in memory, by the id of its event or incoming event. */
  findMessage(id: string): Message | undefined {
    return this.jobs.messages.find(id);
  }

  /** Notes that a delivery was stored to be claimed later. @returns whether its turn drains now */
  noteStored({ targetId, projectId, turn }: Pick<LeasedDelivery, 'targetId' | 'projectId' | 'turn'>): boolean {
    this.backlog.set(targetId, projectId, true);
    const queue = this.queues.find(targetId);
    // One with a rate limit always stores: that says nothing of the others.
    if (queue?.pace !== 'quick' || queue.target?.rateLimit != null) return false;
    this.admission.drain(turn);
    return true;
  }

  /** Lists the targets that have jobs in the queue. */
  waitingTargets(): string[] {
    return [...this.queues.all()].filter(({ waiting }) => waiting.length > 0).map(({ targetId }) => targetId);
  }

  /** Finds a target with a queue, as its next job is sent to it. */
  findTarget(id: string): Target | undefined {
    return this.queues.find(id)?.target ?? undefined;
  }

  /** Sends the next jobs of a target to where it is found now. */
  updateTarget(target: Target): void {
    const queue = this.queues.find(target.id);
    if (queue !== undefined) queue.target = target;
  }

  /** Removes the queued jobs of a target. @returns the jobs, whose leases must be released */
  withdraw(targetId: string): Job[] {
    return this.dropAll(this.queues.find(targetId)?.waiting.splice(0) ?? []);
  }

  /** Starts nothing more. @returns the queued jobs, whose leases must be released */
  stop(): Job[] {
    this.isStopped = true;
    this.load.leave(this.pumpFreed);
    this.admission.close();
    if (this.sweepTimer !== null) clearTimeout(this.sweepTimer);
    const queued = [...this.queues.all()].flatMap(({ targetId }) => this.withdraw(targetId));
    // No sweep follows. The lease of an outbox row ends before a slow attempt does, and another worker would send the event again.
    this.storeUnstoredFor(0);
    return [...this.releases.drain(), ...queued];
  }

  /** Forgets the jobs that are left after a stop, so that they do not count for the other cells of the worker. */
  clear(): void {
    this.jobs.clear();
  }

  /** Lists the jobs whose attempts are in flight. */
  attemptsInFlight(): Job[] {
    return this.lanes.jobsInFlight();
  }

  /** Counts the attempts in flight and the jobs that wait for a slot. */
  status(): { underWay: number; waiting: number } {
    const underWay = this.lanes.countInFlight();
    return { underWay, waiting: Math.max(0, this.jobs.count - underWay) };
  }

  /** Frees the memory of targets that have long been idle, and of owners with more than their share. Call it before a poll's results are noted. */
  evict(): void {
    this.admission.forgetDrained();
    this.queues.evict();
  }

  private start(queue: TargetQueue, lane: Lane): boolean {
    const job = this.takeNext(queue);
    const { target } = queue;
    if (job === null || target === null) return false;
    const { ownerId } = queue.project.owner;
    const attempt = this.lanes.begin(queue, job, lane);
    void this.options.send(job, target).then((end) => {
      this.lanes.end(attempt);
      this.largeBodies.release(job, ownerId);
      if (job.message.largeBytes !== undefined) this.resumeLarge();
      if (end !== null) queue.learn(end);
      this.releaseSurplus(queue);
      this.lanes.enqueue(queue);
      if (queue.needsRefill) this.options.onRoom();
      this.load.pump();
    });
    return true;
  }

  /**
   * Takes the next job whose lease lasts for an attempt and that may start, and releases those before it. While a large body has
   * no room, the turns of its owner are for others.
   */
  private takeNext(queue: TargetQueue): Job | null {
    const { waiting } = queue;
    const now = performance.now();
    const next = waiting.findIndex((job) => leaseCoversAttempt(job) && (job.startBy ?? now) >= now);
    if (next !== 0) this.release(queue, waiting.splice(0, next === -1 ? waiting.length : next));
    const [first] = waiting;
    if (first !== undefined && !this.largeBodies.hold(first, queue.project.owner.ownerId)) {
      queue.project.owner.isOutOfBytes = true;
      return null;
    }
    return waiting.shift() ?? null;
  }

  private resumeLarge(): void {
    for (const { project } of this.largeQueues) project.owner.isOutOfBytes = false;
    for (const queue of this.largeQueues) {
      if (queue.waiting.length === 0) this.largeQueues.delete(queue);
      else this.lanes.enqueue(queue);
    }
  }

  private releaseSurplus(queue: TargetQueue): void {
    this.release(queue, queue.takeSurplus());
  }

  private release(queue: TargetQueue, jobs: Job[]): void {
    if (jobs.length === 0) return;
    this.backlog.set(queue.targetId, queue.project.projectId, true);
    this.releases.add(this.dropAll(jobs));
  }

  private dropAll(jobs: Job[]): Job[] {
    for (const { deliveryId } of jobs) this.jobs.drop(deliveryId);
    return jobs;
  }

  private storeUnstoredFor(ms: number): void {
    const due = this.jobs.unstoredFor(ms);
    if (due.length > 0) this.options.onStoreDue(due);
  }

  private sweep(): void {
    this.sweepTimer = null;
    if (this.isStopped) return;
    this.lanes.moveLongRunning();
    this.storeUnstoredFor(STORE_AFTER_MS);
    for (const [queue, jobs] of this.queues.removeWaiting(this.jobs.oldest(MAX_WAIT_MS))) this.release(queue, jobs);
    // Smaller jobs may come next in these queues.
    if (this.largeQueues.size > 0) this.resumeLarge();
    this.pump();
    if (this.jobs.count > 0) this.sweepTimer = setTimeout(() => this.sweep(), SWEEP_INTERVAL_MS);
  }
}

/** Collects the jobs to release: one turn of the event loop may release those of hundreds of targets, and all share a statement. */
class ReleaseBuffer {
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
