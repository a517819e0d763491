import { setTimeout as sleep } from 'node:timers/promises';
import { Loop } from '@/lib/delivery/engine/loop';
import { makeDeliveryPools } from '@/lib/delivery/engine/send-once';
import { SECOND_MS } from '@/lib/platform/clock';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { checkAlerts } from './check-alerts';
import { MessageSender } from './send-messages';

/** Finds new alerts, and those of a worker that died. */
const CHECK_INTERVAL_MS = 10 * SECOND_MS;
/** Finds tests, which no notification announces, and what is to be sent again. */
const SEND_INTERVAL_MS = 2 * SECOND_MS;

/** Checks alerts and sends their messages, beside the deliveries of a worker. Any number of workers may share a database. */
export class AlertWorker {
  private readonly checks: Loop;
  private readonly sends: Loop;
  private readonly sender: MessageSender;

  constructor(private readonly pools: HttpPools = makeDeliveryPools()) {
    this.sender = new MessageSender(pools, () => this.sends.wake());
    this.sends = new Loop('alert messages', () => {
      this.sends.timer.restart(SEND_INTERVAL_MS);
      return this.sender.sendDue();
    });
    this.checks = new Loop('alerts', async () => {
      const dueMs = (await checkAlerts()) ?? CHECK_INTERVAL_MS;
      this.sends.wake();
      // Not at once: another worker may hold the only one that is due.
      this.checks.timer.restart(Math.min(dueMs, CHECK_INTERVAL_MS));
      return false;
    });
  }

  start(): void {
    this.checks.wake();
    this.sends.wake();
  }

  /** Starts nothing more, and returns what is under way for other workers. Returns within `deadlineMs`. */
  async stop(deadlineMs: number): Promise<void> {
    const stopped = Promise.all([this.checks.stop(), this.sends.stop(), this.sender.stop()]);
    await Promise.race([stopped, sleep(deadlineMs, undefined, { ref: false })]);
    await this.pools.destroy();
  }
}
