import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '@/lib/delivery/engine/types';
import { sqlState } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';

/** Nobody waits for a record, so batches may form also under little load. */
const FLUSH_AFTER_MS = 50;
const BATCH_OUTCOMES = 400;
/** Results kept while the database does not take them; beyond that nothing new is sent. */
const MAX_KEPT = 2_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
/** Failures in a row, on a database that answers, after which the results themselves must be at fault. */
const MAX_FAILURES = 5;

export interface RecorderOptions {
  /** Writes a batch, all or nothing. */
  write(outcomes: readonly Outcome[]): Promise<void>;
  /** Whether the database answers at all. */
  isDatabaseReachable(): Promise<boolean>;
  /** Called when results have left memory, written or given up. */
  onSettled(outcomes: readonly Outcome[]): void;
  /** Called with a result that the database refuses by itself. Its delivery is to be sent again, later. */
  onRejected(outcome: Outcome, cause: unknown): Promise<void>;
}

/**
 * Gathers results and has them written together: those of 50 ms, or 400, or what came while others were being written.
 * What cannot be written is kept and tried again until it can; a result that the database refuses by itself is given up alone.
 */
export class Recorder {
  private readonly kept: Outcome[] = [];
  /** How many are being written: one batch at a time, so that batches grow with the load. */
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

  /** Writes all there is. After `timeoutMs` what is left is given up: it will be sent again. Returns how much that was. */
  async close(timeoutMs: number): Promise<number> {
    this.flush();
    const idle = new Promise<void>((resolve) => this.idleWaiters.push(resolve));
    this.settleIdle();
    await Promise.race([idle, sleep(timeoutMs, undefined, { ref: false })]);
    this.giveUp.abort();
    return this.kept.length + this.writing;
  }

  /** @param afterMs when the next batch is to begin, unless it is full before */
  private schedule(afterMs = FLUSH_AFTER_MS): void {
    if (this.kept.length === 0) return;
    if (this.kept.length >= BATCH_OUTCOMES || afterMs <= 0) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), afterMs);
  }

  private flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.kept.length === 0 || this.writing > 0 || this.giveUp.signal.aborted) return;
    void this.writeBatch(this.kept.splice(0, BATCH_OUTCOMES));
  }

  private async writeBatch(batch: Outcome[]): Promise<void> {
    this.writing = batch.length;
    const startedAt = performance.now();
    const left = await this.writeUntilDone(batch);
    this.writing = 0;
    this.kept.push(...left);
    this.options.onSettled(batch);
    // What came meanwhile has waited as long as that took.
    this.schedule(FLUSH_AFTER_MS - (performance.now() - startedAt));
    this.settleIdle();
  }

  /** @returns what was not written because time ran out */
  private async writeUntilDone(batch: readonly Outcome[]): Promise<readonly Outcome[]> {
    for (let failures = 1; !this.giveUp.signal.aborted; failures += 1) {
      try {
        await this.options.write(batch);
        return [];
      } catch (error) {
        if (isRefusal(error) || (failures >= MAX_FAILURES && (await this.options.isDatabaseReachable()))) {
          await this.writeAlone(batch, error);
          return [];
        }
        log().warn({ err: error, results: batch.length }, 'results could not be recorded; trying again');
        const waitMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
        await sleep(waitMs, undefined, { signal: this.giveUp.signal }).catch(() => undefined);
      }
    }
    return batch;
  }

  private async writeAlone(batch: readonly Outcome[], cause: unknown): Promise<void> {
    const [only] = batch;
    if (batch.length === 1 && only !== undefined) {
      log().error({ err: cause, deliveryId: only.job.deliveryId }, 'the database refuses a result');
      await this.options.onRejected(only, cause).catch((error: unknown) => {
        log().warn(
          { err: error, deliveryId: only.job.deliveryId },
          'could not reschedule a delivery; its lease ends by itself',
        );
      });
      return;
    }
    for (const outcome of batch) await this.writeUntilDone([outcome]);
  }

  private settleIdle(): void {
    if (this.kept.length + this.writing > 0) return;
    for (const resolve of this.idleWaiters.splice(0)) resolve();
  }
}

/** Whether the database has judged the data (SQLSTATE classes 22, 23): another try would end the same. */
function isRefusal(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error) ?? '');
}
