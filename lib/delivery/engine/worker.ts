import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { startMetricFlush } from '@/lib/platform/metrics-counters';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { attemptJob } from './attempt-job';
import { claimBacklog, handBack, renewWaiting } from './claim-backlog';
import { releaseLeases } from './claim-due';
import { deliveryPools } from './delivery-pools';
import { Dispatcher } from './dispatcher';
import { fanOutDue } from './fan-out-due';
import { WorkFinder } from './look-for-work';
import { Loop } from './loop';
import { recordOutcomes } from './record-outcomes';
import { Recorder } from './recorder';
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

/** How often to look for work that no notification told of: mails, retries, ended leases, a lost connection. */
const LOOK_INTERVAL_MS = SECOND_MS;
const ERASURES_INTERVAL_MS = MINUTE_MS;
/** Of the time to stop, what is kept for handing back and recording after the last attempt. */
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
    isDatabaseThere,
    onGone: (outcomes) => this.onGone(outcomes),
  });
  private readonly finder = new WorkFinder();
  /** Two at once under load: while one batch is in the database, the other is made into jobs here. */
  private readonly secondOutbox = new Loop('second outbox', () => this.fanOut());
  private readonly outbox = new Loop('outbox', async () => {
    const isMore = await this.fanOut();
    if (isMore) this.secondOutbox.wake();
    return isMore;
  });
  private readonly claims = new Loop('claims', () => claimBacklog(this.dispatcher));
  private readonly mails: Loop;
  private readonly looks = new Loop('looks', () => this.look());
  private readonly nextLook = new WakeTimer(() => this.looks.wake());
  private readonly erasures: Loop;
  private readonly nextErasures = new WakeTimer(() => this.erasures.wake());
  private readonly stopping = new AbortController();
  private readonly listener = new WakeListener({
    eds_outbox: () => this.outbox.wake(),
    eds_delivery: () => this.looks.wake(),
    eds_erasure: () => this.erasures.wake(),
  });
  private readonly stopMetrics = startMetricFlush();
  private isAbandoning = false;

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
      onRoom: () => this.claims.wake(),
      onSurplus: (jobs) => void this.release(jobs).then(() => this.claims.wake()),
    });
  }

  async start(): Promise<void> {
    this.looks.wake();
    this.erasures.wake();
    await this.listener.connect();
  }

  /**
   * Takes nothing new on, lets attempts under way end, hands the rest back at once for other workers, and records what
   * there is. Returns within `deadlineMs`, as long as the database answers.
   */
  async stop(deadlineMs: number): Promise<void> {
    const attemptsEndAt = performance.now() + Math.max(0, deadlineMs - CLOSING_MS);
    this.nextLook.stop();
    this.nextErasures.stop();
    this.stopping.abort();
    const loops = Promise.all(
      [this.outbox, this.secondOutbox, this.claims, this.looks, this.mails, this.erasures].map((loop) => loop.stop()),
    );
    await Promise.all([this.listener.close(), this.release(this.dispatcher.stop())]);
    while (this.dispatcher.attemptsUnderWay().length > 0 && performance.now() < attemptsEndAt) await sleep(10);
    this.isAbandoning = true;
    const cutOff = this.dispatcher.attemptsUnderWay();
    await this.pools.destroy();
    await this.release(cutOff);
    const lost = await this.recorder.close(CLOSING_MS / 2);
    if (lost > 0) log().error({ results: lost }, 'results could not be recorded; their deliveries will be sent again');
    await Promise.race([loops, sleep(CLOSING_MS / 4)]);
    await this.stopMetrics();
  }

  private async fanOut(): Promise<boolean> {
    const isMore = await fanOutDue(this.dispatcher);
    this.claims.wake();
    return isMore;
  }

  private async send(job: Job, target: Target): Promise<number> {
    const outcome = await attemptJob(this.pools, job, target);
    // Cut off by us: no fault of the receiver, and already handed back.
    if (!this.isAbandoning) this.recorder.add(outcome);
    return outcome.result.durationMs;
  }

  private async record(outcomes: readonly Outcome[]): Promise<void> {
    const { counted, disabled } = await recordOutcomes(outcomes);
    for (const { retryMs } of counted) if (retryMs !== null) this.nextLook.within(retryMs);
    for (const { id } of disabled) {
      await handBack(this.dispatcher, id).catch((error: unknown) => {
        log().warn({ err: error, targetId: id }, 'leases of a disabled target end by themselves');
      });
      this.claims.wake();
    }
  }

  private onGone(outcomes: readonly Outcome[]): void {
    for (const { job } of outcomes) this.dispatcher.letGo(job.deliveryId);
    this.dispatcher.pump();
  }

  private async release(jobs: Job[]): Promise<void> {
    await releaseLeases(database(), jobs).catch((error: unknown) => {
      log().warn({ err: error, jobs: jobs.length }, 'leases could not be given back; they end by themselves');
    });
  }

  private async look(): Promise<boolean> {
    this.nextLook.restart(LOOK_INTERVAL_MS);
    const seen = await this.finder.look(database());
    await renewWaiting(this.dispatcher);
    this.dispatcher.tidy();
    for (const targetId of seen.dueTargets) this.dispatcher.noteBacklog(targetId, true);
    this.claims.wake();
    if (seen.outboxDue) this.outbox.wake();
    if (seen.mailDue) this.mails.wake();
    if (seen.nextDueMs !== null) this.nextLook.within(seen.nextDueMs);
    return false;
  }
}

function isDatabaseThere(): Promise<boolean> {
  return database()
    .query('SELECT')
    .then(
      () => true,
      () => false,
    );
}
