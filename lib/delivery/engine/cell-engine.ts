import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerStatus } from '@/lib/delivery/workers/heartbeat';
import { projectOfTurn } from '@/lib/events/turn-key';
import { readOwnersOfProjects } from '@/lib/orgs/tenant';
import { cellChannel } from '@/lib/platform/cells/cell-channel';
import { inCell } from '@/lib/platform/cells/current-cell';
import { SECOND_MS } from '@/lib/platform/clock';
import { hotDatabase } from '@/lib/platform/db';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { storageRoom } from '@/lib/platform/storage-room';
import type { WakeListener } from '@/lib/platform/wake-listener';
import { AttemptRunner } from './attempt-runner';
import { claimBacklog, refreshWaitingTargets } from './claims/claim-backlog';
import { DueWorkPoller } from './claims/due-work-poller';
import { LowWatermarks } from './claims/low-watermarks';
import { OwnRetries } from './claims/own-retries';
import type { WorkerLoad } from './dispatch/worker-load';
import { Loop } from './loop';
import { OutboxIntake } from './outbox/outbox-intake';

/** What a worker does in batches for the projects of a cell. Passed in, because these domains depend on this one. */
export interface CellJobs {
  /** Queues the next batch of a replay, and returns in how many milliseconds another is due; null when no replay is running. */
  continueReplays?: () => Promise<number | null>;
  /** Makes the next batch of a bulk retry due, and returns as `continueReplays` does. */
  continueBulkRetries?: () => Promise<number | null>;
  /** Makes the next batch of an event replay due, and returns as `continueReplays` does. */
  continueEventReplays?: () => Promise<number | null>;
  /** Adds what was recorded to the statistics, and returns whether more is waiting. */
  rollUpStats?: () => Promise<boolean>;
}

interface CellEngineOptions extends CellJobs {
  cell: string;
  /** Whether the process knows no other cell. Then nothing names this one, and nothing is paid for it. */
  isOnly: boolean;
  pools: HttpPools;
  /** Quick attempts in flight at most, of all engines that share the load. */
  concurrency: number;
  /** Attempts in flight for one target at most. */
  targetConcurrency: number;
  load: WorkerLoad;
  /** Called when a stop leaves no more time for the attempts of this engine. */
  cutOff(): Promise<void>;
}

/** Polls find what no notification announces: retries, ended leases, and rows stored while the connection was lost. */
const POLL_INTERVAL_MS = SECOND_MS;
/** A poll costs milliseconds, and hundreds of retries a second may each ask for one. */
const SHORTEST_POLL_INTERVAL_MS = 100;
/** Targets at most that notifications name between two claims. A poll finds the others. */
const MAX_NAMED = 10_000;
/** Finds replays and bulk retries of a worker that died, and those whose notification was lost. */
const JOBS_INTERVAL_MS = 10 * SECOND_MS;
/** How far statistics lag behind at most, unless there is a backlog. */
const STATS_INTERVAL_MS = 3 * SECOND_MS;
/** The part of the stop deadline that is reserved for releasing leases and recording results. */
export const CLOSING_MS = 1_500;

/**
 * The part of a worker that is about the tables of one cell: it fans events out, sends due deliveries, and records the results. All
 * its loops, timers and connections are of that cell (docs/decisions/078-cells.md).
 */
export class CellEngine {
  readonly isOnly: boolean;
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
  /** The projects of the targets that notifications named, by target. */
  private readonly named = new Map<string, string>();
  private readonly claims = new Loop('claims', () => this.claim());
  private readonly jobs: Loop;
  private readonly stats: Loop;
  private stopListening: () => void = () => undefined;
  private stopped: Promise<void> | null = null;
  /** By performance.now(). */
  private lastPassAt: number | null = null;
  /** Whether the last poll found all that was due, so that the next one finds the retries of this worker in time. */
  private isAllFound = true;

  constructor(private readonly options: CellEngineOptions) {
    const { isOnly, pools, concurrency, targetConcurrency, load, cutOff } = options;
    this.isOnly = isOnly;
    this.attempts = new AttemptRunner({
      pools,
      concurrency,
      targetConcurrency,
      load,
      cutOff,
      enterCell: (work) => this.enter(work),
      onRoom: () => {
        this.outbox.wake();
        this.claims.wake();
      },
      onReleased: () => this.claims.wake(),
      onRetry: (job, inMs) => {
        this.retries.add(job, inMs);
        this.polls.timer.within(inMs);
        this.claimRetriesInTime();
      },
    });
    this.outbox = new OutboxIntake(this.attempts.dispatcher, {
      onStored: () => this.claims.wake(),
      onQuarantineFree: () => this.polls.wake(),
      watermarks: this.watermarks,
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

  /** @param listener with the connection of the worker */
  start(listener: WakeListener): void {
    this.enter(() => {
      for (const loop of [this.advances, this.polls, this.jobs, this.stats]) loop.wake();
    });
    this.stopListening = listener.add(this.handlers());
  }

  /** What the engine has in memory, and how long ago its last successful poll was. */
  status(): WorkerStatus {
    const lastPassMs = this.lastPassAt === null ? null : performance.now() - this.lastPassAt;
    return { ...this.attempts.dispatcher.status(), lastPassMs };
  }

  /**
   * Takes on nothing more, releases the queued work for other workers, lets attempts end, and records the results. Returns within
   * `deadlineMs` if the database answers. Another call may shorten that.
   */
  stop(deadlineMs: number): Promise<void> {
    this.attempts.endAttemptsBy(performance.now() + Math.max(0, deadlineMs - CLOSING_MS));
    this.stopped ??= this.enter(() => this.end());
    return this.stopped;
  }

  private async end(): Promise<void> {
    this.stopListening();
    const loops = [this.claims, this.polls, this.advances, this.jobs, this.stats].map((loop) => loop.stop());
    const stopped = Promise.all([this.outbox.stop(), ...loops]);
    await this.attempts.stop(CLOSING_MS / 2);
    await Promise.race([stopped, sleep(CLOSING_MS / 4)]);
  }

  /** Runs work about the tables of the cell, for what is called from outside. What that begins is about them too. */
  private enter<T>(work: () => T): T {
    return this.isOnly ? work() : inCell(this.options.cell, work);
  }

  /** What notifications of the cell wake, by channel. */
  private handlers(): Record<string, (payload: string) => void> {
    const handlers = {
      eds_outbox: (payload: string) => this.onOutboxNotification(payload),
      eds_delivery: (payload: string) => this.onDeliveryNotification(payload),
      eds_replay: () => this.jobs.wake(),
      eds_bulk_retry: () => this.jobs.wake(),
      eds_event_replay: () => this.jobs.wake(),
    };
    return Object.fromEntries(
      Object.entries(handlers).map(([channel, handle]) => [
        cellChannel(channel, this.options.cell),
        (payload: string) => this.enter(() => handle(payload)),
      ]),
    );
  }

  /** The payload names the turns that have new outbox rows. Without names, a poll finds them. */
  private onOutboxNotification(payload: string): void {
    if (payload === '' || storageRoom().isExhausted) this.polls.wake();
    else this.outbox.takeNotified(payload.split(','));
  }

  /** The payload names a project and targets of it that have due deliveries. Without targets, a poll finds them. */
  private onDeliveryNotification(payload: string): void {
    const [projectId = '', targets] = payload.split(':');
    if (targets === undefined || this.named.size >= MAX_NAMED) {
      this.polls.wake();
      return;
    }
    for (const targetId of targets.split(',')) this.named.set(targetId, projectId);
    this.claims.wake();
  }

  private async poll(): Promise<boolean> {
    const { dispatcher } = this.attempts;
    this.polls.timer.restart(POLL_INTERVAL_MS);
    const due = await this.poller.poll(hotDatabase());
    await readOwnersOfProjects([...due.turns.map(projectOfTurn), ...due.targets.map(({ projectId }) => projectId)]);
    await refreshWaitingTargets(dispatcher, (jobs) => this.attempts.release(jobs));
    dispatcher.evict();
    this.lastPassAt = performance.now();
    // Deliveries wait until there is room for their records.
    if (storageRoom().isExhausted) return false;
    this.isAllFound = due.isAll;
    if (due.isAll) this.retries.takeDue();
    for (const { targetId, projectId } of due.targets) dispatcher.backlog.set(targetId, projectId, true);
    this.claims.wake();
    this.outbox.takeDue(due.turns, due.quarantinedTakes);
    if (due.againInMs !== null) this.polls.timer.within(due.againInMs);
    if (due.nextDueMs !== null) this.polls.timer.within(due.nextDueMs);
    return false;
  }

  private async claim(): Promise<boolean> {
    if (storageRoom().isExhausted) {
      this.claims.timer.within(POLL_INTERVAL_MS);
      return false;
    }
    await this.addKnown();
    const { isMore, nextInMs } = await claimBacklog(this.attempts.dispatcher, this.watermarks);
    if (!isMore && nextInMs !== null) this.claims.timer.within(nextInMs);
    this.claimRetriesInTime();
    return isMore;
  }

  /**
   * Adds targets that are known to have due deliveries without a poll. Before a claim: one that was under way would note that it left none
   * due.
   */
  private async addKnown(): Promise<void> {
    const named = [...this.named].map(([targetId, projectId]) => ({ targetId, projectId }));
    this.named.clear();
    const known = this.isAllFound ? named : [...named, ...this.retries.takeDue()];
    await readOwnersOfProjects(known.map(({ projectId }) => projectId));
    for (const { targetId, projectId } of known) this.attempts.dispatcher.backlog.set(targetId, projectId, true);
  }

  /** While polls do not find all that is due, they come late to the retries of this worker. */
  private claimRetriesInTime(): void {
    const retryMs = this.isAllFound ? null : this.retries.nextInMs();
    if (retryMs !== null) this.claims.timer.within(retryMs);
  }
}
