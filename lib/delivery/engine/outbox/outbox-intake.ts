import type { LowWatermarks } from '@/lib/delivery/engine/claims/low-watermarks';
import { DRAIN_MS } from '@/lib/delivery/engine/dispatch/admission';
import type { Dispatcher } from '@/lib/delivery/engine/dispatch/dispatcher';
import { Loop, WakeTimer } from '@/lib/delivery/engine/loop';
import { storeQueued } from '@/lib/delivery/engine/record/store-jobs';
import { projectOfTurn } from '@/lib/events/turn-key';
import { areOwnersKnown, readOwnersOfProjects } from '@/lib/orgs/tenant';
import { FanOut } from './fan-out';
import type { OwnerLoad } from './outbox-turns';
import { StoreQueue } from './store-queue';

interface OutboxIntakeOptions {
  /** Called when deliveries have been stored that can be claimed. */
  onStored(): void;
  /** Called when the next rows of the quarantine may be taken. */
  onQuarantineFree(): void;
  /** Nothing is due before that of the outbox. */
  watermarks: Pick<LowWatermarks, 'outbox'>;
}

/** After this long, a take of light owners no longer holds up the others. */
const LONG_TAKE_MS = 20;
/** Turns at most whose owners are read at once. A later poll finds the others. */
const MAX_UNKNOWN = 1_000;

/** Runs the loops that empty the outbox: they take rows, fan them out, and store the deliveries that must wait. */
export class OutboxIntake {
  private readonly storeQueue: StoreQueue;
  private readonly fanOut: FanOut;
  private quarantinedTakes: number | null = null;
  private lightTakeSince = Number.POSITIVE_INFINITY;
  /** What others have waiting does not delay the rows of light owners. What arrives during a take makes the next one. */
  private readonly lightTakes = new Loop('takes of light owners', () => {
    this.lightTakeSince = performance.now();
    return this.takeBatch('light').finally(() => {
      this.lightTakeSince = Number.POSITIVE_INFINITY;
    });
  });
  private readonly takes = new Loop('takes', () => {
    const isLong = performance.now() - this.lightTakeSince >= LONG_TAKE_MS;
    return isLong ? this.takeBatch('heavy', 'light') : this.takeBatch('heavy');
  });
  /** Under load the database reads one batch while this process fans out the other. */
  private readonly secondTakes = new Loop('second takes', () => this.takeBatch('heavy'));
  private readonly timer = new WakeTimer(() => this.wake());
  private readonly quarantine = new Loop('quarantine', async () => {
    if (this.quarantinedTakes !== null) await this.fanOut.takeFromQuarantine(this.quarantinedTakes);
    this.stores.wake();
    return false;
  });
  /** Turns of notifications whose owners are read next, all at once. */
  private readonly ofUnknownOwners = new Set<string>();
  private readonly owners = new Loop('owners', async () => {
    const keys = [...this.ofUnknownOwners];
    this.ofUnknownOwners.clear();
    await readOwnersOfProjects(keys.map(projectOfTurn));
    this.fanOut.enqueueNotified(keys);
    this.wake();
    return this.ofUnknownOwners.size > 0;
  });
  private readonly stores = new Loop('stores', () => this.storeNext());

  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly options: OutboxIntakeOptions,
  ) {
    this.storeQueue = new StoreQueue((projectId) => dispatcher.ownerOf(projectId));
    this.fanOut = new FanOut(dispatcher, this.storeQueue, {
      onFree: () => {
        this.stores.wake();
        this.wake();
      },
      onQuarantineFree: options.onQuarantineFree,
      watermarks: options.watermarks,
    });
  }

  /** Takes rows now, even while another batch is fanned out. */
  wake(): void {
    if (this.lightTakes.isRunning) this.timer.within(LONG_TAKE_MS);
    this.lightTakes.wake();
    this.takes.wake();
    this.secondTakes.wake();
  }

  /** Takes the rows of the turns that a notification named, once their owners are known: owners take turns. */
  takeNotified(keys: readonly string[]): void {
    if (areOwnersKnown(keys.map(projectOfTurn))) {
      this.fanOut.enqueueNotified(keys);
      this.wake();
      return;
    }
    for (const key of keys) if (this.ofUnknownOwners.size < MAX_UNKNOWN) this.ofUnknownOwners.add(key);
    this.owners.wake();
  }

  /**
   * Takes the rows of the turns that a poll found.
   * @param quarantinedTakes how often the worst row of the quarantine has been taken; null when none is due
   */
  takeDue(keys: readonly string[], quarantinedTakes: number | null): void {
    this.fanOut.enqueueDue(keys);
    if (keys.length > 0) this.wake();
    this.quarantinedTakes = quarantinedTakes;
    if (quarantinedTakes !== null) this.quarantine.wake();
  }

  /** Takes nothing more, and stores what must be stored. If that fails, the outbox rows are due again when their leases end. */
  async stop(): Promise<void> {
    this.timer.stop();
    const takes = [this.lightTakes, this.takes, this.secondTakes];
    await Promise.all([this.owners, ...takes, this.quarantine].map((loop) => loop.stop()));
    await this.stores.stop();
    while (!this.storeQueue.isEmpty) await storeQueued(this.storeQueue.nextBatch());
  }

  private async takeBatch(...loads: OwnerLoad[]): Promise<boolean> {
    const hasTaken = await this.fanOut.takeBatch(loads);
    this.stores.wake();
    if (hasTaken) {
      // The rows that are left may be for another loop: an owner is heavy once a take left some.
      this.wake();
      return true;
    }
    const inMs = this.fanOut.nextTakeInMs();
    if (inMs !== null) this.timer.within(inMs);
    return false;
  }

  private async storeNext(): Promise<boolean> {
    if (this.storeQueue.isEmpty) return false;
    for (const delivery of await storeQueued(this.storeQueue.nextBatch())) {
      if (this.dispatcher.noteStored(delivery)) this.timer.within(DRAIN_MS);
    }
    this.wake();
    this.options.onStored();
    return !this.storeQueue.isEmpty;
  }
}
