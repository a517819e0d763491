import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5 * SECOND_MS;

/**
 * Runs one piece of work again and again while there is reason to: once for any number of wakes that come while it runs,
 * and on while it says that there is more. Waits longer and longer after failures. Never runs twice at once.
 */
export class Loop {
  private isAwake = false;
  private running: Promise<void> | null = null;
  private readonly stopping = new AbortController();
  private startedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly name: string,
    /** @returns whether there is more to do right away */
    private readonly work: () => Promise<boolean>,
    /** Milliseconds from one start of the work to the next, at least: wakes may come faster than is worth their cost. */
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

  /** Whether its work is under way. */
  get isRunning(): boolean {
    return this.running !== null;
  }

  /** Resolves when the work under way is done; none starts after that. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    for (let failures = 0; this.isAwake && !this.stopping.signal.aborted; ) {
      await this.pause(this.startedAt + this.intervalMs - performance.now());
      if (this.stopping.signal.aborted) return;
      this.isAwake = false;
      this.startedAt = performance.now();
      try {
        if (await this.work()) this.isAwake = true;
        failures = 0;
      } catch (error) {
        this.isAwake = true;
        log().error({ err: error, loop: this.name }, 'work failed; trying again');
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
