import { setTimeout as sleep } from 'node:timers/promises';
import { nextRetryMs } from '@/lib/delivery/backoff';
import { SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database, inTransaction } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { countMetric, startMetricFlush } from '@/lib/platform/metrics-counters';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { claimBacklog, handBack, renewWaiting } from './claim-backlog';
import { releaseLeases } from './claim-due';
import { deliveryPools } from './delivery-pools';
import { Dispatcher } from './dispatcher';
import { fanOutDue } from './fan-out-due';
import { WorkFinder } from './look-for-work';
import { Loop } from './loop';
import { makeAttempt } from './make-attempt';
import { recordAttempts } from './record-attempts';
import { Recorder } from './recorder';
import { type SendMail, sendDueMails } from './send-mails';
import { concernsHealth, updateHealth } from './target-health';
import type { Job, Outcome, Target } from './types';
import { WakeListener } from './wake-listener';

export interface WorkerOptions {
  sendMail: SendMail;
  pools?: HttpPools;
  /** Attempts under way at once, in all and for one target; by default the deployment's. */
  concurrency?: number;
  targetConcurrency?: number;
}

/** How often to look for work that no notification told of: retries, ended leases, a lost connection. */
const LOOK_INTERVAL_MS = SECOND_MS;
const SHORTEST_LOOK_INTERVAL_MS = 20;
/** Of the time to stop, what is kept for handing back and recording after the last attempt. */
const CLOSING_MS = 1_500;
const GONE = 410;

/**
 * The delivery process: fans events out, sends what is due, records what came of it. Any number may run at once on one
 * database; none keeps anything that another would miss.
 */
export class DeliveryWorker {
  private readonly pools: HttpPools;
  private readonly finder = new WorkFinder();
  private readonly dispatcher: Dispatcher;
  private readonly recorder: Recorder;
  private readonly outbox: Loop;
  private readonly claims: Loop;
  private readonly mails: Loop;
  private readonly looks: Loop;
  private readonly listener: WakeListener;
  private readonly stopMetrics = startMetricFlush();
  private lookTimer: NodeJS.Timeout | null = null;
  private lookAt = Number.POSITIVE_INFINITY;
  private isAbandoning = false;

  constructor(options: WorkerOptions) {
    const { DELIVERY_CONCURRENCY, DELIVERY_ENDPOINT_CONCURRENCY } = config();
    this.pools = options.pools ?? deliveryPools();
    this.dispatcher = new Dispatcher({
      concurrency: options.concurrency ?? DELIVERY_CONCURRENCY,
      targetConcurrency: options.targetConcurrency ?? DELIVERY_ENDPOINT_CONCURRENCY,
      send: (job, target) => this.send(job, target),
      mayStart: () => this.recorder.hasRoom,
      onRoom: () => this.claims.wake(),
      onSurplus: (jobs) => void this.release(jobs),
    });
    this.recorder = new Recorder({
      write: (outcomes) => this.record(outcomes),
      isDatabaseThere: () =>
        database()
          .query('SELECT')
          .then(
            () => true,
            () => false,
          ),
      onGone: (outcomes) => {
        for (const { job } of outcomes) this.dispatcher.letGo(job.deliveryId);
        this.dispatcher.pump();
      },
    });
    this.outbox = new Loop('outbox', () => fanOutDue(this.dispatcher));
    this.claims = new Loop('claims', () => claimBacklog(this.dispatcher));
    this.mails = new Loop('mails', () => sendDueMails(options.sendMail));
    this.looks = new Loop('looks', () => this.look());
    this.listener = new WakeListener({
      eds_outbox: () => {
        this.outbox.wake();
        this.mails.wake();
      },
      eds_delivery: () => this.looks.wake(),
    });
  }

  async start(): Promise<void> {
    this.looks.wake();
    await this.listener.connect();
  }

  /**
   * Takes nothing new on, lets attempts under way end, hands the rest back at once for other workers, and records what
   * there is. Returns within `deadlineMs`.
   */
  async stop(deadlineMs: number): Promise<void> {
    const attemptsEndAt = performance.now() + Math.max(0, deadlineMs - CLOSING_MS);
    if (this.lookTimer !== null) clearTimeout(this.lookTimer);
    const loops = Promise.all([this.outbox, this.claims, this.looks, this.mails].map((loop) => loop.stop()));
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

  private async send(job: Job, target: Target): Promise<number> {
    const result = await makeAttempt(this.pools, target, job.message);
    // Cut off by us: no fault of the receiver, and already handed back.
    if (this.isAbandoning) return result.durationMs;
    const retryMs =
      result.succeeded || result.responseStatus === GONE
        ? null
        : nextRetryMs({
            scheduleSeconds: target.scheduleSeconds,
            attempts: job.scheduleStep + 1,
            responseStatus: result.responseStatus,
            retryAfter: result.retryAfter,
            now: new Date(),
            random: Math.random(),
          });
    this.recorder.add({ job, target, result, retryMs });
    return result.durationMs;
  }

  private async record(outcomes: readonly Outcome[]): Promise<void> {
    const { counted, disabled } = concernsHealth(outcomes)
      ? await inTransaction(async (tx) => {
          const counted = await recordAttempts(tx, outcomes);
          return { counted, disabled: await updateHealth(tx, counted) };
        })
      : { counted: await recordAttempts(database(), outcomes), disabled: [] };
    for (const { result, target, retryMs } of counted) {
      target.isFailing = !result.succeeded;
      countMetric('worker_attempts_total', result.succeeded ? 'succeeded' : 'failed');
      if (result.succeeded) countMetric('worker_deliveries_completed_total', 'succeeded');
      else if (retryMs === null) countMetric('worker_deliveries_completed_total', 'failed');
      else this.lookWithin(retryMs);
    }
    for (const { id } of disabled) await this.handBackAll(id);
  }

  private async handBackAll(targetId: string): Promise<void> {
    await handBack(this.dispatcher, targetId).catch((error: unknown) => {
      log().warn({ err: error, targetId }, 'leases of a disabled target end by themselves');
    });
    this.claims.wake();
  }

  private async release(jobs: Job[]): Promise<void> {
    await releaseLeases(database(), jobs).catch((error: unknown) => {
      log().warn({ err: error, jobs: jobs.length }, 'leases could not be given back; they end by themselves');
    });
  }

  private async look(): Promise<boolean> {
    this.lookAt = Number.POSITIVE_INFINITY;
    this.lookWithin(LOOK_INTERVAL_MS);
    const seen = await this.finder.look(database());
    await renewWaiting(this.dispatcher);
    this.dispatcher.tidy();
    for (const targetId of seen.dueTargets) this.dispatcher.noteBacklog(targetId, true);
    if (seen.dueTargets.length > 0) this.claims.wake();
    if (seen.outboxDue) this.outbox.wake();
    if (seen.mailDue) this.mails.wake();
    if (seen.nextDueMs !== null) this.lookWithin(seen.nextDueMs);
    return false;
  }

  /** Has the next look come no later than this. */
  private lookWithin(ms: number): void {
    const at = performance.now() + Math.max(SHORTEST_LOOK_INTERVAL_MS, ms);
    if (at >= this.lookAt) return;
    this.lookAt = at;
    if (this.lookTimer !== null) clearTimeout(this.lookTimer);
    this.lookTimer = setTimeout(() => this.looks.wake(), at - performance.now());
  }
}
