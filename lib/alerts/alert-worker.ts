import { setTimeout as sleep } from 'node:timers/promises';
import { Loop } from '@/lib/delivery/engine/loop';
import { makeDeliveryPools } from '@/lib/delivery/engine/send-once';
import { inEachCell, knownCells } from '@/lib/platform/cells/current-cell';
import { SECOND_MS } from '@/lib/platform/clock';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { checkAlerts } from './check-alerts';
import { MessageSender } from './send-messages';

/** Finds new alerts, and those of a worker that died. */
const CHECK_INTERVAL_MS = 10 * SECOND_MS;
/** Finds tests, which no notification announces, and what is to be sent again. */
const SEND_INTERVAL_MS = 2 * SECOND_MS;

interface AlertWorkerOptions {
  pools?: HttpPools;
  /** The cells whose alerts are checked and sent; by default all that the process knows. */
  cells?: () => readonly string[];
}

/** Checks alerts and sends their messages, beside the deliveries of a worker. Any number of workers may share a database. */
export class AlertWorker {
  private readonly pools: HttpPools;
  private readonly cells: () => readonly string[];
  private turn = 0;
  private readonly checks: Loop;
  private readonly sends: Loop;
  private readonly sender: MessageSender;

  constructor({ pools = makeDeliveryPools(), cells = knownCells }: AlertWorkerOptions = {}) {
    this.pools = pools;
    this.cells = cells;
    this.sender = new MessageSender(pools, () => this.sends.wake());
    this.sends = new Loop('alert messages', () => {
      this.sends.timer.restart(SEND_INTERVAL_MS);
      return this.inEachCell(() => this.sender.sendDue()).then((areMore) => areMore.includes(true));
    });
    this.checks = new Loop('alerts', async () => {
      const dueMs = await this.inEachCell(async () => (await checkAlerts()) ?? CHECK_INTERVAL_MS);
      this.sends.wake();
      // Not at once: another worker may hold the only one that is due.
      this.checks.timer.restart(Math.min(CHECK_INTERVAL_MS, ...dueMs));
      return false;
    });
  }

  start(): void {
    this.checks.wake();
    this.sends.wake();
  }

  /**
   * Does work for each cell: the one that was first is last the next time, and none waits for the errors of others.
   * @throws the first error, after all have been tried
   */
  private async inEachCell<T>(work: () => Promise<T>): Promise<T[]> {
    const cells = this.cells();
    const at = cells.length === 0 ? 0 : this.turn++ % cells.length;
    const results = await inEachCell(() => Promise.allSettled([work()]), [...cells.slice(at), ...cells.slice(0, at)]);
    return results.flat().map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  }

  /** Starts nothing more, and returns what is under way for other workers. Returns within `deadlineMs`. */
  async stop(deadlineMs: number): Promise<void> {
    const stopped = Promise.all([this.checks.stop(), this.sends.stop(), this.sender.stop()]);
    await Promise.race([stopped, sleep(deadlineMs, undefined, { ref: false })]);
    await this.pools.destroy();
  }
}
