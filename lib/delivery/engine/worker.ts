import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerStatus } from '@/lib/delivery/workers/heartbeat';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { hotDatabase } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { startMetricFlush } from '@/lib/platform/metrics-counters';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { attemptJob } from './attempt-job';
import { claimBacklog, refreshWaitingTargets } from './claims/claim-backlog';
import { DueWorkPoller } from './claims/due-work-poller';
import { deliveryPools } from './delivery-pools';
import { DRAIN_MS } from './dispatch/admission';
import { Dispatcher } from './dispatch/dispatcher';
import type { AttemptEnd } from './dispatch/target-queue';
import { Loop } from './loop';
import { FanOut } from './outbox/fan-out';
import { rescheduleEntry } from './outbox/outbox-failures';
import { StoreQueue } from './outbox/store-queue';
import { recordOutcomes } from './record/record-outcomes';
import { Recorder } from './record/recorder';
import { releaseJobs, storeQueued, storeWithLease } from './record/store-jobs';
import { type SendMail, sendDueMails } from './send-mails';
import type { Job, Outcome, Target } from './types';
import { WakeListener } from './wake-listener';
import { WakeTimer } from './wake-timer';

export interface WorkerOptions {
  sendMail: SendMail;
  /** Finishes erasures, until the signal ends it; tells whether there is more to do right away. This domain knows none. */
  finishErasures?: (signal: AbortSignal) => Promise<boolean>;
  pools?: HttpPools;
  /** Attempts under way at once, in all and for one target; by default the deployment's. */
  concurrency?: number;
  targetConcurrency?: number;
}

/** How often to poll for work that no notification told of: mails, retries, ended leases, a lost connection. */
const POLL_INTERVAL_MS = SECOND_MS;
/** A poll costs milliseconds, and hundreds of retries may come due each second, every one a reason to poll. */
const SHORTEST_POLL_INTERVAL_MS = 100;
const ERASURES_INTERVAL_MS = MINUTE_MS;
/** The part of the stop deadline that is reserved for releasing leases and recording results. */
const CLOSING_MS = 1_500;

/**
 * The delivery process: fans events out, sends what is due, records what came of it. Any number may run at once on one
 * database; none keeps anything that another would miss.
 */
export class DeliveryWorker {
  private readonly pools: HttpPools;
  private readonly dispatcher: Dispatcher;
  private readonly recorder = new Recorder({
    write: (outcomes) => this.record(outcomes),
    isDatabaseReachable,
    onSettled: (outcomes) => this.onSettled(outcomes),
    onRejected: (outcome, cause) => this.onRejected(outcome, cause),
  });
  private readonly poller = new DueWorkPoller();
  private readonly storeQueue = new StoreQueue();
  private readonly fanOut: FanOut;
  private quarantinedTakes: number | null = null;
  /** Two at once under load: while one batch is in the database, the other is placed here. */
  private readonly secondOutbox = new Loop('second outbox', () => this.takeBatch());
  private readonly outbox = new Loop('outbox', async () => {
    const isMore = await this.takeBatch();
    if (isMore) this.secondOutbox.wake();
    return isMore;
  });
  private readonly quarantine = new Loop('quarantine', async () => {
    if (this.quarantinedTakes !== null) await this.fanOut.takeFromQuarantine(this.quarantinedTakes);
    this.stores.wake();
    return false;
  });
  private readonly stores = new Loop('stores', () => this.storeNext());
  private readonly claims = new Loop('claims', () => this.claim());
  private readonly mails: Loop;
  private readonly polls = new Loop('polls', () => this.poll(), SHORTEST_POLL_INTERVAL_MS);
  private readonly nextPoll = new WakeTimer(() => this.polls.wake());
  private readonly nextClaim = new WakeTimer(() => this.claims.wake());
  private readonly nextTake = new WakeTimer(() => this.outbox.wake());
  private readonly erasures: Loop;
  private readonly nextErasures = new WakeTimer(() => this.erasures.wake());
  private readonly stopping = new AbortController();
  private readonly listener = new WakeListener({
    eds_outbox: (payload) => this.onNews(payload),
    eds_delivery: () => this.polls.wake(),
    eds_erasure: () => this.erasures.wake(),
  });
  private readonly stopMetrics = startMetricFlush();
  private isAbandoning = false;
  /** By performance.now(). */
  private lastPassAt: number | null = null;

  constructor(options: WorkerOptions) {
    const { DELIVERY_CONCURRENCY, DELIVERY_ENDPOINT_CONCURRENCY } = config();
    this.pools = options.pools ?? deliveryPools();
    this.mails = new Loop('mails', () => sendDueMails(options.sendMail));
    this.erasures = new Loop('erasures', () => {
      this.nextErasures.restart(ERASURES_INTERVAL_MS);
      return options.finishErasures?.(this.stopping.signal) ?? Promise.resolve(false);
    });
    this.dispatcher = new Dispatcher({
      concurrency: options.concurrency ?? DELIVERY_CONCURRENCY,
      targetConcurrency: options.targetConcurrency ?? DELIVERY_ENDPOINT_CONCURRENCY,
      send: (job, target) => this.send(job, target),
      mayStart: () => this.recorder.hasRoom,
      onRoom: () => this.onRoom(),
      onRelease: (jobs) => void releaseJobs(jobs).then(() => this.claims.wake()),
      onStoreDue: (jobs) => void storeWithLease(jobs),
    });
    this.fanOut = new FanOut(this.dispatcher, this.storeQueue, {
      onFree: () => {
        this.stores.wake();
        this.wakeOutbox();
      },
      onQuarantineFree: () => this.polls.wake(),
    });
  }

  async start(): Promise<void> {
    this.polls.wake();
    this.erasures.wake();
    await this.listener.connect();
  }

  /** What it has in hand, and how long ago it last looked for work without an error. */
  status(): WorkerStatus {
    const lastPassMs = this.lastPassAt === null ? null : performance.now() - this.lastPassAt;
    return { ...this.dispatcher.status(), lastPassMs };
  }

  /**
   * Takes nothing new on, lets attempts under way end, gives the rest back at once for other workers, and records what
   * there is. Returns within `deadlineMs`, as long as the database answers.
   */
  async stop(deadlineMs: number): Promise<void> {
    const attemptsEndAt = performance.now() + Math.max(0, deadlineMs - CLOSING_MS);
    for (const timer of [this.nextPoll, this.nextClaim, this.nextTake, this.nextErasures]) timer.stop();
    this.stopping.abort();
    const all = [this.outbox, this.secondOutbox, this.quarantine, this.claims, this.polls, this.mails, this.erasures];
    const loops = Promise.all(all.map((loop) => loop.stop())).then(() => this.storeRest());
    await Promise.all([this.listener.close(), releaseJobs(this.dispatcher.stop())]);
    while (this.dispatcher.attemptsUnderWay().length > 0 && performance.now() < attemptsEndAt) await sleep(10);
    this.isAbandoning = true;
    const cutOff = this.dispatcher.attemptsUnderWay();
    await this.pools.destroy();
    await releaseJobs(cutOff);
    const lost = await this.recorder.close(CLOSING_MS / 2);
    if (lost > 0) log().error({ results: lost }, 'results could not be recorded; their deliveries will be sent again');
    await Promise.race([loops, sleep(CLOSING_MS / 4)]);
    await this.stopMetrics();
  }

  /** A notification names the projects that have new outbox rows; without names, a poll finds them. */
  private onNews(payload: string): void {
    if (payload === '') {
      this.polls.wake();
      return;
    }
    this.fanOut.enqueueNotified(payload.split(','));
    this.wakeOutbox();
  }

  private onRoom(): void {
    this.wakeOutbox();
    this.claims.wake();
  }

  /** What has come now does not wait for a batch that is being placed. */
  private wakeOutbox(): void {
    if (this.outbox.isRunning) this.secondOutbox.wake();
    this.outbox.wake();
  }

  private async takeBatch(): Promise<boolean> {
    const isMore = await this.fanOut.takeBatch();
    this.stores.wake();
    const inMs = isMore ? null : this.fanOut.nextTakeInMs();
    if (inMs !== null) this.nextTake.within(inMs);
    return isMore;
  }

  private async storeNext(): Promise<boolean> {
    if (this.storeQueue.isEmpty) return false;
    for (const { targetId, projectId } of await storeQueued(this.storeQueue.nextBatch())) {
      if (this.dispatcher.noteStored(targetId, projectId)) this.nextTake.within(DRAIN_MS);
    }
    this.onRoom();
    return !this.storeQueue.isEmpty;
  }

  /** At the end of the process: what is not stored comes again when the lease of its outbox row ends. */
  private async storeRest(): Promise<void> {
    await this.stores.stop();
    while (!this.storeQueue.isEmpty) await storeQueued(this.storeQueue.nextBatch());
  }

  private async claim(): Promise<boolean> {
    const { isMore, nextInMs } = await claimBacklog(this.dispatcher);
    if (!isMore && nextInMs !== null) this.nextClaim.within(nextInMs);
    return isMore;
  }

  private async send(job: Job, target: Target): Promise<AttemptEnd> {
    const outcome = await attemptJob(this.pools, job, target);
    this.dispatcher.markAttemptEnded(job);
    // A delivery that is being stored is recorded as stored.
    if (job.storing !== null) await job.storing;
    // Cut off by us: no fault of the receiver, and already given back.
    if (!this.isAbandoning) this.recorder.add(outcome);
    return outcome.result;
  }

  private async record(outcomes: readonly Outcome[]): Promise<void> {
    const { counted, disabled } = await recordOutcomes(outcomes);
    for (const { retryMs } of counted) if (retryMs !== null) this.nextPoll.within(retryMs);
    for (const { id } of disabled) await this.releaseOf(this.dispatcher.withdraw(id), id);
    if (disabled.length > 0) this.claims.wake();
  }

  private async releaseOf(jobs: Job[], targetId: string): Promise<void> {
    await releaseJobs(jobs);
    const projectId = jobs[0]?.projectId;
    if (projectId !== undefined) this.dispatcher.backlog.set(targetId, projectId, true);
  }

  private onSettled(outcomes: readonly Outcome[]): void {
    for (const { job } of outcomes) this.dispatcher.forget(job.deliveryId);
    this.dispatcher.pump();
  }

  /** A stored delivery comes again when its lease ends; one that is not stored, with its outbox row. */
  private async onRejected({ job: { entry } }: Outcome, cause: unknown): Promise<void> {
    if (entry === null) return;
    await rescheduleEntry(hotDatabase(), entry, cause);
    entry.onClosed?.();
  }

  private async poll(): Promise<boolean> {
    this.nextPoll.restart(POLL_INTERVAL_MS);
    const due = await this.poller.poll(hotDatabase());
    await refreshWaitingTargets(this.dispatcher, (jobs, targetId) => this.releaseOf(jobs, targetId));
    this.dispatcher.evictIdle();
    for (const { targetId, projectId } of due.targets) this.dispatcher.backlog.set(targetId, projectId, true);
    this.claims.wake();
    this.fanOut.enqueueDue(due.projects);
    if (due.projects.length > 0) this.outbox.wake();
    this.quarantinedTakes = due.quarantinedTakes;
    if (due.quarantinedTakes !== null) this.quarantine.wake();
    if (due.isMailDue) this.mails.wake();
    if (due.nextDueMs !== null) this.nextPoll.within(due.nextDueMs);
    this.lastPassAt = performance.now();
    return false;
  }
}

function isDatabaseReachable(): Promise<boolean> {
  return hotDatabase()
    .query('SELECT')
    .then(
      () => true,
      () => false,
    );
}
