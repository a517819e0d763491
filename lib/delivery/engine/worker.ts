import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerStatus } from '@/lib/delivery/workers/heartbeat';
import { projectOfTurn } from '@/lib/events/turn-key';
import { readOwnersOfProjects } from '@/lib/orgs/tenant';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { hotDatabase } from '@/lib/platform/db';
import { startMetricFlush } from '@/lib/platform/metrics-counters';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { storageRoom } from '@/lib/platform/storage-room';
import { WakeListener } from '@/lib/platform/wake-listener';
import { AttemptRunner } from './attempt-runner';
import { claimBacklog, refreshWaitingTargets } from './claims/claim-backlog';
import { DueWorkPoller } from './claims/due-work-poller';
import { LowWatermarks } from './claims/low-watermarks';
import { OwnRetries } from './claims/own-retries';
import { Loop } from './loop';
import { OutboxIntake } from './outbox/outbox-intake';
import { type SendMail, sendDueMails } from './send-mails';
import { deliveryPools } from './send-once';

export interface WorkerOptions {
  sendMail: SendMail;
  /**
   * Finishes erasures until the signal aborts, and returns whether more are due. Passed in, because the domain of erasures
   * depends on this one.
   */
  finishErasures?: (signal: AbortSignal) => Promise<boolean>;
  /**
   * Queues the next batch of a replay, and returns in how many milliseconds another is due; null when no replay is running. Passed
   * in for the same reason.
   */
  continueReplays?: () => Promise<number | null>;
  /** Makes the next batch of a bulk retry due, and returns as `continueReplays` does. */
  continueBulkRetries?: () => Promise<number | null>;
  /** Makes the next batch of an event replay due, and returns as `continueReplays` does. */
  continueEventReplays?: () => Promise<number | null>;
  /** Adds what was recorded to the statistics, and returns whether more is waiting. Passed in for the same reason. */
  rollUpStats?: () => Promise<boolean>;
  pools?: HttpPools;
  /** Quick attempts in flight at most; DELIVERY_CONCURRENCY by default. */
  concurrency?: number;
  /** Attempts in flight for one target at most; DELIVERY_ENDPOINT_CONCURRENCY by default. */
  targetConcurrency?: number;
}

/** Polls find what no notification announces: mails, retries, ended leases, and rows stored while the connection was lost. */
const POLL_INTERVAL_MS = SECOND_MS;
/** A poll costs milliseconds, and hundreds of retries a second may each ask for one. */
const SHORTEST_POLL_INTERVAL_MS = 100;
const ERASURES_INTERVAL_MS = MINUTE_MS;
/** Finds replays and bulk retries of a worker that died, and those whose notification was lost. */
const JOBS_INTERVAL_MS = 10 * SECOND_MS;
/** How far statistics lag behind at most, unless there is a backlog. */
const STATS_INTERVAL_MS = 3 * SECOND_MS;
/** The part of the stop deadline that is reserved for releasing leases and recording results. */
const CLOSING_MS = 1_500;

/**
 * The delivery process: it fans events out, sends due deliveries and mails, and records the results. Any number of workers may
 * share a database: all state that another worker needs is in there.
 */
export class DeliveryWorker {
  private readonly attempts: AttemptRunner;
  private readonly outbox: OutboxIntake;
  private readonly watermarks = new LowWatermarks();
  private readonly poller = new DueWorkPoller(this.watermarks, SECOND_MS, (projectId) =>
    this.attempts.dispatcher.ownerOf(projectId),
  );
  private readonly retries = new OwnRetries((projectId) => this.attempts.dispatcher.ownerOf(projectId));
  private readonly polls = new Loop('polls', () => this.poll(), SHORTEST_POLL_INTERVAL_MS);
  private readonly advances = new Loop('low watermarks', async () => {
    this.advances.timer.restart(await this.watermarks.advance(hotDatabase()));
    return false;
  });
  private readonly claims = new Loop('claims', () => this.claim());
  private readonly mails: Loop;
  private readonly erasures: Loop;
  private readonly jobs: Loop;
  private readonly stats: Loop;
  private readonly stopping = new AbortController();
  private readonly listener = new WakeListener({
    eds_outbox: (payload) => this.onOutboxNotification(payload),
    eds_delivery: () => this.polls.wake(),
    eds_erasure: () => this.erasures.wake(),
    eds_replay: () => this.jobs.wake(),
    eds_bulk_retry: () => this.jobs.wake(),
    eds_event_replay: () => this.jobs.wake(),
  });
  private readonly stopMetrics = startMetricFlush();
  /** By performance.now(). */
  private lastPassAt: number | null = null;

  constructor(options: WorkerOptions) {
    const { DELIVERY_CONCURRENCY, DELIVERY_ENDPOINT_CONCURRENCY } = config();
    this.attempts = new AttemptRunner({
      pools: options.pools ?? deliveryPools(),
      concurrency: options.concurrency ?? DELIVERY_CONCURRENCY,
      targetConcurrency: options.targetConcurrency ?? DELIVERY_ENDPOINT_CONCURRENCY,
      onRoom: () => {
        this.outbox.wake();
        this.claims.wake();
      },
      onReleased: () => this.claims.wake(),
      onRetry: (job, inMs) => {
        this.retries.add(job, inMs);
        this.polls.timer.within(inMs);
      },
    });
    this.outbox = new OutboxIntake(this.attempts.dispatcher, {
      onStored: () => this.claims.wake(),
      onQuarantineFree: () => this.polls.wake(),
      watermarks: this.watermarks,
    });
    this.mails = new Loop('mails', () => sendDueMails(options.sendMail));
    this.erasures = new Loop('erasures', () => {
      this.erasures.timer.restart(ERASURES_INTERVAL_MS);
      return options.finishErasures?.(this.stopping.signal) ?? Promise.resolve(false);
    });
    this.jobs = new Loop('jobs', async () => {
      // They store more than they read: a replay, a delivery for each event and target.
      if (storageRoom().isNearlyFull) {
        this.jobs.timer.restart(JOBS_INTERVAL_MS);
        return false;
      }
      const { continueReplays, continueBulkRetries, continueEventReplays } = options;
      let nextMs = JOBS_INTERVAL_MS;
      const errors: unknown[] = [];
      for (const continueKind of [continueReplays, continueBulkRetries, continueEventReplays]) {
        // An error with one kind keeps no other waiting.
        const dueMs = await continueKind?.().catch((error: unknown) => void errors.push(error));
        nextMs = Math.min(nextMs, dueMs ?? JOBS_INTERVAL_MS);
      }
      this.jobs.timer.restart(nextMs);
      if (errors.length > 0) throw errors[0];
      return false;
    });
    this.stats = new Loop('stats', () => {
      this.stats.timer.restart(STATS_INTERVAL_MS);
      return options.rollUpStats?.() ?? Promise.resolve(false);
    });
  }

  async start(): Promise<void> {
    this.advances.wake();
    this.polls.wake();
    this.erasures.wake();
    this.jobs.wake();
    this.stats.wake();
    await this.listener.connect();
  }

  /** What the worker has in memory, and how long ago its last successful poll was. */
  status(): WorkerStatus {
    const lastPassMs = this.lastPassAt === null ? null : performance.now() - this.lastPassAt;
    return { ...this.attempts.dispatcher.status(), lastPassMs };
  }

  /**
   * Takes on nothing more, releases the queued work for other workers, lets attempts end, and records the results. Returns within
   * `deadlineMs` if the database answers.
   */
  async stop(deadlineMs: number): Promise<void> {
    const attemptsEndAt = performance.now() + Math.max(0, deadlineMs - CLOSING_MS);
    this.stopping.abort();
    const loops = [this.claims, this.polls, this.advances, this.mails, this.erasures, this.jobs, this.stats].map(
      (loop) => loop.stop(),
    );
    const stopped = Promise.all([this.outbox.stop(), ...loops]);
    await Promise.all([this.listener.close(), this.attempts.stop(attemptsEndAt, CLOSING_MS / 2)]);
    await Promise.race([stopped, sleep(CLOSING_MS / 4)]);
    await this.stopMetrics();
  }

  /** The payload names the turns that have new outbox rows. Without names, a poll finds them. */
  private onOutboxNotification(payload: string): void {
    if (payload === '' || storageRoom().isExhausted) this.polls.wake();
    else this.outbox.takeNotified(payload.split(','));
  }

  private async poll(): Promise<boolean> {
    const { dispatcher } = this.attempts;
    this.polls.timer.restart(POLL_INTERVAL_MS);
    const due = await this.poller.poll(hotDatabase());
    await readOwnersOfProjects([...due.turns.map(projectOfTurn), ...due.targets.map(({ projectId }) => projectId)]);
    await refreshWaitingTargets(dispatcher, (jobs, targetId) => this.attempts.release(jobs, targetId));
    dispatcher.evict();
    this.lastPassAt = performance.now();
    if (due.isMailDue) this.mails.wake();
    // Deliveries wait until there is room for their records.
    if (storageRoom().isExhausted) return false;
    const retried = this.retries.takeDue();
    for (const { targetId, projectId } of due.isAll ? due.targets : [...due.targets, ...retried]) {
      dispatcher.backlog.set(targetId, projectId, true);
    }
    this.claims.wake();
    this.outbox.takeDue(due.turns, due.quarantinedTakes);
    if (due.againInMs !== null) this.polls.timer.within(due.againInMs);
    if (due.nextDueMs !== null) this.polls.timer.within(due.nextDueMs);
    const retryMs = due.isAll ? null : this.retries.nextInMs();
    if (retryMs !== null) this.polls.timer.within(retryMs);
    return false;
  }

  private async claim(): Promise<boolean> {
    if (storageRoom().isExhausted) {
      this.claims.timer.within(POLL_INTERVAL_MS);
      return false;
    }
    const { isMore, nextInMs } = await claimBacklog(this.attempts.dispatcher, this.watermarks);
    if (!isMore && nextInMs !== null) this.claims.timer.within(nextInMs);
    return isMore;
  }
}
