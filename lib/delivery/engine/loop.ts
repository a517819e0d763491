import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5 * SECOND_MS;

/** Delays at least: what is due a moment later is then found by the same wake. */
const SHORTEST_MS = 20;

/** One timer for many reasons to wake: it fires for the soonest. */
export class WakeTimer {
  private timer: NodeJS.Timeout | null = null;
  private at = Number.POSITIVE_INFINITY;
  private isStopped = false;

  constructor(private readonly wake: () => void) {}

  /** Fires no later than in `ms`. */
  within(ms: number): void {
    const at = performance.now() + Math.max(SHORTEST_MS, ms);
    if (this.isStopped || at >= this.at) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.at = at;
    this.timer = setTimeout(() => {
      this.at = Number.POSITIVE_INFINITY;
      this.wake();
    }, at - performance.now());
  }

  /** Fires in `ms`. Forgets all earlier reasons. */
  restart(ms: number): void {
    this.at = Number.POSITIVE_INFINITY;
    this.within(ms);
  }

  stop(): void {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }
}

/**
 * Runs its work after each wake, and again while the work returns true. Any number of wakes during a run cause one more run. Waits
 * after failures, each time longer. Never runs twice at once.
 */
export class Loop {
  /** Wakes it later. */
  readonly timer = new WakeTimer(() => this.wake());
  private isAwake = false;
  private running: Promise<void> | null = null;
  private readonly stopping = new AbortController();
  private startedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly name: string,
    /** @returns whether to run again at once */
    private readonly work: () => Promise<boolean>,
    /** Milliseconds between two starts at least: wakes may be more frequent than runs should be. */
    private readonly intervalMs = 0,
  ) {}

  wake(): void {
    this.isAwake = true;
    if (this.stopping.signal.aborted) return;
    this.running ??= this.run().finally(() => {
      this.running = null;
      if (this.isAwake) this.wake();
    });
  }

  get isRunning(): boolean {
    return this.running !== null;
  }

  /** Starts no more runs. Resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.timer.stop();
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    for (let failures = 0; this.isAwake && !this.stopping.signal.aborted; ) {
      await this.pause(this.startedAt + this.intervalMs - performance.now());
      if (this.stopping.signal.aborted) return;
      // Node's timers may fire a little early.
      if (performance.now() < this.startedAt + this.intervalMs) continue;
      this.isAwake = false;
      this.startedAt = performance.now();
      try {
        if (await this.work()) this.isAwake = true;
        failures = 0;
      } catch (error) {
        this.isAwake = true;
        log().error({ err: error, loop: this.name }, 'loop failed; trying again');
        const waitMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
        failures += 1;
        await this.pause(waitMs);
      }
    }
  }

  private async pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
