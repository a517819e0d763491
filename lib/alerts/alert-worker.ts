import { setTimeout as sleep } from 'node:timers/promises';
import { Loop } from '@/lib/delivery/engine/loop';
import { makeDeliveryPools } from '@/lib/delivery/engine/send-once';
import { inCell, knownCells } from '@/lib/platform/cells/current-cell';
import { SECOND_MS } from '@/lib/platform/clock';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { checkAlerts } from './check-alerts';
import { MessageSender } from './send-messages';

/** Finds new alerts, and those of a worker that died. */
const CHECK_INTERVAL_MS = 10 * SECOND_MS;
/** Finds tests, which no notification announces, and what is to be sent again. */
const SEND_INTERVAL_MS = 2 * SECOND_MS;

/** Finds cells that are new, and those that are served elsewhere. */
const CELLS_INTERVAL_MS = 2 * SECOND_MS;

interface AlertWorkerOptions {
  pools?: HttpPools;
  /** The cells whose alerts are checked and sent; by default all that the process knows. */
  cells?: () => readonly string[];
}

/** What runs for a cell: one whose machine does not answer delays no other. */
class CellAlerts {
  readonly sends: Loop;
  private readonly checks: Loop;

  constructor(cell: string, sender: MessageSender) {
    this.sends = new Loop('alert messages', () => {
      this.sends.timer.restart(SEND_INTERVAL_MS);
      return inCell(cell, () => sender.sendDue());
    });
    this.checks = new Loop('alerts', async () => {
      const dueMs = (await inCell(cell, () => checkAlerts())) ?? CHECK_INTERVAL_MS;
      this.sends.wake();
      // Not at once: another worker may hold the only one that is due.
      this.checks.timer.restart(Math.min(CHECK_INTERVAL_MS, dueMs));
      return false;
    });
    this.checks.wake();
    this.sends.wake();
  }

  stop(): Promise<unknown> {
    return Promise.all([this.checks.stop(), this.sends.stop()]);
  }
}

/** Checks alerts and sends their messages, beside the deliveries of a worker. Any number of workers may share a database. */
export class AlertWorker {
  private readonly pools: HttpPools;
  private readonly served = new Map<string, CellAlerts>();
  private readonly serves: Loop;
  private readonly sender: MessageSender;
  private turn = 0;

  constructor({ pools = makeDeliveryPools(), cells = knownCells }: AlertWorkerOptions = {}) {
    this.pools = pools;
    this.sender = new MessageSender(pools, () => this.wakeSends());
    this.serves = new Loop('cells of alerts', async () => {
      this.serves.timer.restart(CELLS_INTERVAL_MS);
      this.serve(cells());
      return false;
    });
  }

  start(): void {
    this.serves.wake();
  }

  private serve(cells: readonly string[]): void {
    for (const [cell, alerts] of this.served) {
      if (cells.includes(cell)) continue;
      this.served.delete(cell);
      void alerts.stop();
    }
    for (const cell of cells) if (!this.served.has(cell)) this.served.set(cell, new CellAlerts(cell, this.sender));
  }

  /** The cell that was first to take free places is last the next time. */
  private wakeSends(): void {
    const all = [...this.served.values()];
    const at = this.turn++ % Math.max(1, all.length);
    for (const each of [...all.slice(at), ...all.slice(0, at)]) each.sends.wake();
  }

  /** Starts nothing more, and returns what is under way for other workers. Returns within `deadlineMs`. */
  async stop(deadlineMs: number): Promise<void> {
    const ofCells = [...this.served.values()].map((each) => each.stop());
    const stopped = Promise.all([this.serves.stop(), ...ofCells, this.sender.stop()]);
    await Promise.race([stopped, sleep(deadlineMs, undefined, { ref: false })]);
    await this.pools.destroy();
  }
}
