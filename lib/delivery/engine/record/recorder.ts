import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptResult, Outcome } from '@/lib/delivery/engine/types';
import { sqlState } from '@/lib/platform/database-errors';
import { log } from '@/lib/platform/log';
import { loggedIds } from './store-deliveries';

/** Results gather for this long even under little load, since no client waits for them. */
const FLUSH_AFTER_MS = 50;
const BATCH_OUTCOMES = 400;
/** What a batch holds of responses, in characters: writing a message of megabytes keeps the thread busy. One result has 30 KB at most. */
const BATCH_CHARACTERS = 1_000_000;
/** Results in memory at most. Beyond that no attempt starts. */
const MAX_KEPT = 2_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
/** After this many failures in a row, on a database that answers, the results must be faulty. */
const MAX_FAILURES = 5;

export interface RecorderOptions {
  /** Writes all results of a batch, or none. */
  write(outcomes: readonly Outcome[]): Promise<void>;
  isDatabaseReachable(): Promise<boolean>;
  /** Called when results have been written or given up. */
  onSettled(outcomes: readonly Outcome[]): void;
  /** Called with a result that the database rejects. Its delivery must be sent again later. */
  onRejected(outcome: Outcome, cause: unknown): Promise<void>;
}

/**
 * Writes results in batches: those of 50 ms, up to 400 or a million characters, or those that arrived during the previous write. Results that cannot be
 * written are kept and tried again. A result that the database rejects is given up alone.
 */
export class Recorder {
  private readonly kept: Outcome[] = [];
  /** Results of the batch that is written. One batch at a time, so that batches grow with the load. */
  private writing = 0;
  private timer: NodeJS.Timeout | null = null;
  private readonly idleWaiters: (() => void)[] = [];
  private readonly giveUp = new AbortController();

  constructor(private readonly options: RecorderOptions) {}

  get hasRoom(): boolean {
    return this.kept.length + this.writing < MAX_KEPT;
  }

  add(outcome: Outcome): void {
    this.kept.push(outcome);
    this.schedule();
  }

  /** Writes all results, and gives up after `timeoutMs`. @returns how many were given up; their deliveries will be sent again */
  async close(timeoutMs: number): Promise<number> {
    this.flush();
    const idle = new Promise<void>((resolve) => this.idleWaiters.push(resolve));
    this.settleIdle();
    await Promise.race([idle, sleep(timeoutMs, undefined, { ref: false })]);
    this.giveUp.abort();
    return this.kept.length + this.writing;
  }

  /** @param afterMs when to write the next batch, unless it is full before */
  private schedule(afterMs = FLUSH_AFTER_MS): void {
    if (this.kept.length === 0) return;
    if (this.kept.length >= BATCH_OUTCOMES || afterMs <= 0) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), afterMs);
  }

  private flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.kept.length === 0 || this.writing > 0 || this.giveUp.signal.aborted) return;
    void this.writeBatch(this.takeBatch());
  }

  private takeBatch(): Outcome[] {
    let characters = 0;
    const isFull = ({ result }: Outcome, index: number) => {
      characters += charactersOf(result);
      return index === BATCH_OUTCOMES || (index > 0 && characters > BATCH_CHARACTERS);
    };
    const end = this.kept.findIndex(isFull);
    return this.kept.splice(0, end === -1 ? this.kept.length : end);
  }

  private async writeBatch(batch: Outcome[]): Promise<void> {
    this.writing = batch.length;
    const startedAt = performance.now();
    const isFirst = ({ job }: Outcome) => job.entry !== null;
    const left: Outcome[] = [];
    // Apart: one transaction would lock the deliveries of both out of the order of their ids, and deadlock with a replay.
    for (const part of [batch.filter(isFirst), batch.filter((outcome) => !isFirst(outcome))]) {
      if (part.length > 0) left.push(...(await this.writeUntilDone(part)));
    }
    this.writing = 0;
    this.kept.push(...left);
    this.options.onSettled(batch);
    // Results that arrived during the write have waited already.
    this.schedule(FLUSH_AFTER_MS - (performance.now() - startedAt));
    this.settleIdle();
  }

  /**
   * @param tries counts the failures, also of others that share them
   * @returns the results that were not written before `close` gave up
   */
  private async writeUntilDone(batch: readonly Outcome[], tries = { failures: 0 }): Promise<readonly Outcome[]> {
    while (!this.giveUp.signal.aborted) {
      try {
        await this.options.write(batch);
        return [];
      } catch (error) {
        const isRejected = isRejection(error);
        if (!isRejected) tries.failures += 1;
        if (isRejected || (tries.failures >= MAX_FAILURES && (await this.options.isDatabaseReachable()))) {
          await this.writeAlone(batch, error);
          return [];
        }
        const jobs = batch.map(({ job }) => job);
        log().warn({ err: error, ...loggedIds(jobs) }, 'results could not be recorded; trying again');
        const waitMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries.failures - 1));
        await sleep(waitMs, undefined, { signal: this.giveUp.signal }).catch(() => undefined);
      }
    }
    return batch;
  }

  private async writeAlone(batch: readonly Outcome[], cause: unknown): Promise<void> {
    const [only] = batch;
    if (batch.length === 1 && only !== undefined) {
      log().error({ err: cause, deliveryId: only.job.deliveryId }, 'result rejected by the database');
      await this.options.onRejected(only, cause).catch((error: unknown) => {
        log().warn(
          { err: error, deliveryId: only.job.deliveryId },
          'delivery could not be rescheduled; it is due again when its lease ends',
        );
      });
      return;
    }
    // Hundreds of faulty results, each with tries of its own, would keep those of others waiting for minutes.
    const tries = { failures: 0 };
    for (const outcome of batch) await this.writeUntilDone([outcome], tries);
  }

  private settleIdle(): void {
    if (this.kept.length + this.writing > 0) return;
    for (const resolve of this.idleWaiters.splice(0)) resolve();
  }
}

const charactersOf = ({ responseBody, responseHeaders, requestParts }: AttemptResult) =>
  (responseBody?.length ?? 0) + (responseHeaders?.length ?? 0) + (requestParts?.length ?? 0);

/** Whether the database rejects the data (SQLSTATE classes 22 and 23), so that another try would fail too. */
function isRejection(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error) ?? '');
}
