import { leaseCoversAttempt } from '@/lib/delivery/engine/lease';
import type { Job, Message, Target } from '@/lib/delivery/engine/types';
import { SECOND_MS } from '@/lib/platform/clock';
import { Lanes } from './lanes';
import { LeasedJobs } from './leased-jobs';
import { type RefillOptions, selectRefills } from './select-refills';
import { mayTakeOne, roomWithin } from './share-policy';
import type { AttemptEnd, TargetQueue } from './target-queue';
import { TargetQueues } from './target-queues';

export interface DispatcherOptions {
  /** Quick attempts under way at once, in all; attempts under way at once for one target. */
  concurrency: number;
  targetConcurrency: number;
  /** Makes one attempt. Must not reject. */
  send(job: Job, target: Target): Promise<AttemptEnd>;
  /** Whether what is sent now can be recorded: false while too many results wait for the database. */
  mayStart(): boolean;
  /** Called when more can be taken on. */
  onRoom(): void;
  /** Called with jobs that are not sent after all: their leases are to be given back. */
  onRelease(jobs: Job[]): void;
  /** Called with jobs in hand whose delivery is to be stored now, since they last. */
  onStoreDue(jobs: Job[]): void;
}

/** Jobs in hand at most: enough to never run dry, few enough to hold in memory. */
export const MAX_JOBS = 2_000;
/** Bytes of messages in hand at most, each counted once. */
export const MAX_BYTES = 32 * 1024 * 1024;
/** A delivery that is not recorded after this is stored, so that lists show it and its outbox row is free. */
const STORE_AFTER_MS = SECOND_MS;
/** A job that has waited this long for a slot is better off in the database. */
const MAX_WAIT_MS = 4 * SECOND_MS;
const SWEEP_INTERVAL_MS = 100;
/** Time for claims to catch up. */
export const DRAIN_MS = 100;

/**
 * Holds the leased jobs of a worker and sends them. Projects take turns, and within a project its targets; slow and failing
 * targets have slots of their own. So no tenant, and no number of slow ones, delays the others.
 */
export class Dispatcher {
  private readonly queues: TargetQueues;
  private readonly lanes: Lanes;
  private readonly jobs = new LeasedJobs();
  private readonly surplus: Job[] = [];
  /** Until when nothing is taken for a project, by performance.now(). */
  private readonly draining = new Map<string, number>();
  private sweepTimer: NodeJS.Timeout | null = null;
  private isStopped = false;

  constructor(private readonly options: DispatcherOptions) {
    this.queues = new TargetQueues(options.targetConcurrency);
    this.lanes = new Lanes({
      concurrency: options.concurrency,
      mayStart: options.mayStart,
      start: (queue, lane) => this.start(queue, lane),
      onFoundSlow: (queue) => this.giveUpSurplus(queue),
    });
  }

  /** How many more jobs can be taken on for a project: 0 while it holds its share of jobs or bytes. */
  roomOf(projectId: string): number {
    if (this.isStopped) return 0;
    return this.byteRoomOf(projectId) === 0 ? 0 : roomWithin(MAX_JOBS, this.jobs.usageOf(projectId));
  }

  /**
   * How many more first attempts can be taken on: none for a moment after deliveries of targets that answer quickly had to be
   * stored. Those are claimed first; what came on top would be stored too, at three times the cost, and so on for ever.
   */
  firstAttemptRoomOf(projectId: string): number {
    return performance.now() < (this.draining.get(projectId) ?? 0) ? 0 : this.roomOf(projectId);
  }

  /** Notes that deliveries were stored, which are to be claimed. @returns whether their project is left to drain */
  noteStored(targetId: string, projectId: string): boolean {
    this.queues.setBacklog(targetId, projectId, true);
    if (this.queues.find(targetId)?.pace !== 'quick') return false;
    this.draining.set(projectId, performance.now() + DRAIN_MS);
    return true;
  }

  /** Bytes of messages that can be taken on for a project. */
  byteRoomOf(projectId: string): number {
    return roomWithin(MAX_BYTES, this.jobs.messages.usageOf(projectId));
  }

  /**
   * Whether a new delivery may be sent without being stored first: not while older ones of its target wait in the database,
   * nor when it would have to wait for a slot that slow attempts hold.
   */
  maySendUnstored(projectId: string, targetId: string): boolean {
    if (this.isStopped || !this.mayPlace(projectId)) return false;
    const queue = this.queues.find(targetId);
    if (queue === undefined) return !this.lanes.isOutOfSlowSlots(this.queues.projectOf(projectId));
    if (queue.hasBacklog || queue.room === 0 || queue.isSlow) return false;
    return queue.pace === 'quick' || !this.lanes.isOutOfSlowSlots(queue.project);
  }

  /**
   * What was taken for a project within its room may be placed although others have taken more since: to store it instead
   * would cost three writes, and have all that follows stored as well.
   */
  private mayPlace(projectId: string): boolean {
    const bytes = this.jobs.messages.usageOf(projectId);
    return mayTakeOne(MAX_JOBS, this.jobs.usageOf(projectId)) && bytes.own < 2 * (MAX_BYTES - bytes.total);
  }

  /** A message in hand, by the id of its event. */
  findMessage(id: string): Message | undefined {
    return this.jobs.messages.find(id);
  }

  /** Takes a job on, unless it is in hand already. False when the worker is stopping: its lease is to be given back. */
  add(target: Target, job: Job): boolean {
    if (this.isStopped) return false;
    if (this.jobs.has(job.deliveryId)) return true;
    const queue = this.queues.of(target.id, target.projectId);
    queue.target = target;
    queue.waiting.push(job);
    this.jobs.add(job);
    this.lanes.enqueue(queue);
    this.sweepTimer ??= setTimeout(() => this.sweep(), SWEEP_INTERVAL_MS);
    return true;
  }

  /** Starts what can be started. To be called after `add`, and when results have been recorded. */
  pump(): void {
    if (!this.isStopped) this.lanes.pump();
  }

  /** Notes whether a target has deliveries due in the database. */
  setBacklog(targetId: string, projectId: string, hasBacklog: boolean): void {
    this.queues.setBacklog(targetId, projectId, hasBacklog);
  }

  /** Notes what a claim found of a target, out of the number wanted. */
  learnFromClaim(targetId: string, claimed: number, wanted: number): void {
    this.queues.find(targetId)?.learnFromClaim(claimed, wanted);
  }

  /** Targets to claim due deliveries for, and how many of each. */
  selectRefills(limit: number): Map<string, number> {
    if (this.isStopped) return new Map();
    const options: RefillOptions = {
      limit,
      roomOf: (projectId) => this.roomOf(projectId),
      slowRoomOf: (project) => this.lanes.slowRoomOf(project),
      isOutOfSlowSlots: (project) => this.lanes.isOutOfSlowSlots(project),
    };
    return selectRefills(this.queues, options);
  }

  /** In how many milliseconds a target whose claim found nothing is to be tried again; null when there is none. */
  nextReclaimInMs(): number | null {
    const waits = this.queues.withBacklog().flatMap(({ reclaimInMs }) => reclaimInMs ?? []);
    return waits.length === 0 ? null : Math.min(...waits);
  }

  /** Targets that jobs wait for here: what may have changed since they were read. */
  waitingTargets(): string[] {
    return [...this.queues.all()].filter(({ waiting }) => waiting.length > 0).map(({ targetId }) => targetId);
  }

  /** Replaces what is known of a target by a newer reading. */
  updateTarget(target: Target): void {
    const queue = this.queues.find(target.id);
    if (queue !== undefined) queue.target = target;
  }

  /** Takes what waits for a target out of hand, for its leases to be given back. */
  withdraw(targetId: string): Job[] {
    return this.dropAll(this.queues.find(targetId)?.waiting.splice(0) ?? []);
  }

  /** An attempt has ended: recording it stores its delivery, so nothing else is to. */
  markAttemptEnded(job: Job): void {
    this.jobs.markAttemptEnded(job);
  }

  /** An attempt has been recorded, or given up on: its delivery may be claimed again. */
  forget(deliveryId: string): void {
    this.jobs.drop(deliveryId);
    this.options.onRoom();
  }

  /** Starts nothing more. Returns what was waiting, for its leases to be given back. */
  stop(): Job[] {
    this.isStopped = true;
    if (this.sweepTimer !== null) clearTimeout(this.sweepTimer);
    return [...this.surplus.splice(0), ...[...this.queues.all()].flatMap(({ targetId }) => this.withdraw(targetId))];
  }

  /** The jobs whose attempts have not ended. */
  attemptsUnderWay(): Job[] {
    return this.lanes.underWay();
  }

  /** Attempts under way, and jobs that wait for a slot. */
  status(): { underWay: number; waiting: number } {
    const underWay = this.lanes.countUnderWay();
    return { underWay, waiting: Math.max(0, this.jobs.count - underWay) };
  }

  /** Forgets targets that have had nothing to do for longest, if there are too many. To be called now and then. */
  evictIdle(): void {
    for (const [projectId, until] of this.draining) if (until <= performance.now()) this.draining.delete(projectId);
    this.queues.evictIdle();
  }

  private start(queue: TargetQueue, lane: 'quick' | 'slow'): boolean {
    const job = this.takeNext(queue);
    const { target } = queue;
    if (job === null || target === null) return false;
    const attempt = this.lanes.begin(queue, job, lane);
    void this.options.send(job, target).then((end) => {
      this.lanes.end(attempt);
      queue.learn(end);
      this.giveUpSurplus(queue);
      this.lanes.enqueue(queue);
      if (queue.needsRefill) this.options.onRoom();
      this.pump();
    });
    return true;
  }

  /** The next job whose lease still covers an attempt. */
  private takeNext(queue: TargetQueue): Job | null {
    const { waiting } = queue;
    const next = waiting.findIndex(leaseCoversAttempt);
    if (next !== 0) this.giveUp(queue, waiting.splice(0, next === -1 ? waiting.length : next));
    return waiting.shift() ?? null;
  }

  private giveUpSurplus(queue: TargetQueue): void {
    this.giveUp(queue, queue.takeSurplus());
  }

  /** Takes jobs out of hand that are better claimed again, later or by another worker. */
  private giveUp(queue: TargetQueue, jobs: Job[]): void {
    if (jobs.length === 0) return;
    this.queues.setBacklog(queue.targetId, queue.project.projectId, true);
    // Hundreds of targets may be given up in one turn of the event loop: together, not by a statement each.
    if (this.surplus.length === 0) setImmediate(() => this.options.onRelease(this.surplus.splice(0)));
    this.surplus.push(...this.dropAll(jobs));
  }

  private dropAll(jobs: Job[]): Job[] {
    for (const { deliveryId } of jobs) this.jobs.drop(deliveryId);
    return jobs;
  }

  private sweep(): void {
    this.sweepTimer = null;
    if (this.isStopped) return;
    this.lanes.moveLongRunning();
    const lasting = this.jobs.unstoredFor(STORE_AFTER_MS);
    if (lasting.length > 0) this.options.onStoreDue(lasting);
    for (const [queue, jobs] of this.queues.waitingLongerThan(this.jobs.oldest(MAX_WAIT_MS))) this.giveUp(queue, jobs);
    this.pump();
    if (this.jobs.count > 0) this.sweepTimer = setTimeout(() => this.sweep(), SWEEP_INTERVAL_MS);
  }
}
