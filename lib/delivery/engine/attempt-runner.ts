import { setTimeout as sleep } from 'node:timers/promises';
import { knownOwnerOfProject } from '@/lib/orgs/tenant';
import { hotDatabase } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { ping } from '@/lib/platform/session-sql';
import { attemptJob } from './attempt-job';
import { Dispatcher, type DispatcherOptions } from './dispatch/dispatcher';
import type { AttemptEnd } from './dispatch/target-queue';
import { withWholeBody } from './large-bodies';
import { coversSending } from './lease';
import { rescheduleEntry } from './outbox/outbox-failures';
import { recordOutcomes } from './record/record-outcomes';
import { Recorder } from './record/recorder';
import { releaseJobs, storeWithLease } from './record/store-jobs';
import type { Job, Message, Outcome, Target } from './types';

interface AttemptRunnerOptions extends Pick<DispatcherOptions, 'load' | 'enterCell'> {
  pools: HttpPools;
  /** Quick attempts in flight at most. */
  concurrency: number;
  /** Attempts in flight for one target at most. */
  targetConcurrency: number;
  /** Called when the dispatcher can take on more work. */
  onRoom(): void;
  /** Called when deliveries have been released that can be claimed. */
  onReleased(): void;
  /** Called with a delivery that will be retried, and the milliseconds until then. */
  onRetry(job: Job, inMs: number): void;
  /** Ends the attempts in flight, when no more time is left for them. */
  cutOff(): Promise<void>;
}

/** Sends the jobs of the dispatcher and records the results. */
export class AttemptRunner {
  readonly dispatcher: Dispatcher;
  private readonly recorder = new Recorder({
    write: (outcomes) => this.record(outcomes),
    isDatabaseReachable,
    onSettled: (outcomes) => this.forget(outcomes),
    onRejected: (outcome, cause) => this.rescheduleRejected(outcome, cause),
  });
  private areAttemptsCut = false;
  /** By performance.now(). */
  private attemptsEndAt = Number.POSITIVE_INFINITY;

  constructor(private readonly options: AttemptRunnerOptions) {
    const { concurrency, targetConcurrency, load, enterCell, onRoom, onReleased } = options;
    this.dispatcher = new Dispatcher({
      ...(load === undefined ? {} : { load }),
      ...(enterCell === undefined ? {} : { enterCell }),
      concurrency,
      targetConcurrency,
      ownerOf: (projectId) => knownOwnerOfProject(projectId) ?? projectId,
      send: (job, target) => this.send(job, target),
      mayStart: () => this.recorder.hasRoom,
      onRoom,
      onRelease: (jobs) => void releaseJobs(jobs).then(onReleased),
      onStoreDue: (jobs) => void storeWithLease(jobs),
    });
  }

  /** Releases queued jobs of targets, which can be claimed again. */
  async release(jobs: readonly Job[]): Promise<void> {
    await releaseJobs(jobs);
    for (const { targetId, projectId } of jobs) this.dispatcher.backlog.set(targetId, projectId, true);
  }

  /**
   * Releases the queued jobs, lets attempts end until `endAttemptsBy` or less, cuts off and releases the others, and records the results.
   * @param recordMs how long to wait for the database
   */
  async stop(recordMs: number): Promise<void> {
    await releaseJobs(this.dispatcher.stop());
    while (this.dispatcher.attemptsInFlight().length > 0 && performance.now() < this.attemptsEndAt) await sleep(10);
    this.areAttemptsCut = true;
    const cutOff = this.dispatcher.attemptsInFlight();
    await this.options.cutOff();
    await releaseJobs(cutOff);
    const lost = await this.recorder.close(recordMs);
    this.dispatcher.clear();
    if (lost > 0) log().error({ results: lost }, 'results lost; their deliveries will be sent again');
  }

  /** Sets how long a stop lets attempts go on. Also shortens that of a stop that has begun. @param at by performance.now() */
  endAttemptsBy(at: number): void {
    this.attemptsEndAt = Math.min(this.attemptsEndAt, at);
  }

  private async send(job: Job, target: Target): Promise<AttemptEnd | null> {
    const attempt = (message: Message) => attemptJob(this.options.pools, job, target, message);
    const { message } = job;
    const outcome = await (message.largeBytes === undefined ? attempt(message) : this.attemptLarge(job, attempt));
    if (outcome === null) {
      this.dispatcher.forget(job.deliveryId);
      return null;
    }
    if (outcome.result.hadNoTurn) {
      this.dispatcher.forget(job.deliveryId);
      void this.release([job]).then(this.options.onReleased);
      return null;
    }
    this.dispatcher.markAttemptEnded(job);
    // The record must know whether the delivery has been stored.
    if (job.storing !== null) await job.storing;
    // An attempt that this worker cut off says nothing about its receiver. Its job has been released.
    if (!this.areAttemptsCut) this.recorder.add(outcome);
    return outcome.result;
  }

  /** @returns null when the body cannot be read in time: the delivery is due again when its lease ends */
  private async attemptLarge(job: Job, attempt: (message: Message) => Promise<Outcome>): Promise<Outcome | null> {
    try {
      return await withWholeBody(job.message, (message) => {
        if (!coversSending(job)) throw new Error('the lease has nearly ended');
        return attempt(message);
      });
    } catch (error) {
      log().warn({ err: error, deliveryId: job.deliveryId }, 'the body of a delivery could not be read in time');
      return null;
    }
  }

  private async record(outcomes: readonly Outcome[]): Promise<void> {
    const { counted, disabled } = await recordOutcomes(outcomes);
    for (const { job, retryMs } of counted) if (retryMs !== null) this.options.onRetry(job, retryMs);
    await this.release(disabled.flatMap(({ id }) => this.dispatcher.withdraw(id)));
    if (disabled.length > 0) this.options.onReleased();
  }

  private forget(outcomes: readonly Outcome[]): void {
    for (const { job } of outcomes) this.dispatcher.forget(job.deliveryId);
    this.dispatcher.pump();
  }

  /** A stored delivery needs nothing: it is due again when its lease ends. */
  private async rescheduleRejected({ job: { entry } }: Outcome, cause: unknown): Promise<void> {
    if (entry === null) return;
    await rescheduleEntry(hotDatabase(), entry, cause);
    entry.onClosed?.();
  }
}

function isDatabaseReachable(): Promise<boolean> {
  return ping.run(hotDatabase()).then(
    () => true,
    () => false,
  );
}
