import { DRAIN_MS } from '@/lib/delivery/engine/dispatch/admission';
import type { Dispatcher } from '@/lib/delivery/engine/dispatch/dispatcher';
import { Loop } from '@/lib/delivery/engine/loop';
import { storeQueued } from '@/lib/delivery/engine/record/store-jobs';
import { areOwnersKnown, readOwnersOfProjects } from '@/lib/orgs/tenant';
import { FanOut, StoreQueue } from './fan-out';

interface OutboxIntakeOptions {
  /** Called when deliveries have been stored that can be claimed. */
  onStored(): void;
  /** Called when the next rows of the quarantine may be taken. */
  onQuarantineFree(): void;
}

/** Projects at most whose owners are read at once. A later poll finds the others. */
const MAX_UNKNOWN = 1_000;

/** Runs the loops that empty the outbox: they take rows, fan them out, and store the deliveries that must wait. */
export class OutboxIntake {
  private readonly storeQueue: StoreQueue;
  private readonly fanOut: FanOut;
  private quarantinedTakes: number | null = null;
  private readonly takes = new Loop('takes', async () => {
    const isMore = await this.takeBatch();
    if (isMore) this.secondTakes.wake();
    return isMore;
  });
  /** Under load the database reads one batch while this process fans out the other. */
  private readonly secondTakes = new Loop('second takes', () => this.takeBatch());
  private readonly quarantine = new Loop('quarantine', async () => {
    if (this.quarantinedTakes !== null) await this.fanOut.takeFromQuarantine(this.quarantinedTakes);
    this.stores.wake();
    return false;
  });
  /** Projects of notifications whose owners are read next, all at once. */
  private readonly ofUnknownOwners = new Set<string>();
  private readonly owners = new Loop('owners', async () => {
    const projectIds = [...this.ofUnknownOwners];
    this.ofUnknownOwners.clear();
    await readOwnersOfProjects(projectIds);
    this.fanOut.enqueueNotified(projectIds);
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
    });
  }

  /** Takes rows now, even while another batch is fanned out. */
  wake(): void {
    if (this.takes.isRunning) this.secondTakes.wake();
    this.takes.wake();
  }

  /** Takes the rows of projects that a notification named, once their owners are known: owners take turns. */
  takeNotified(projectIds: readonly string[]): void {
    if (areOwnersKnown(projectIds)) {
      this.fanOut.enqueueNotified(projectIds);
      this.wake();
      return;
    }
    for (const id of projectIds) if (this.ofUnknownOwners.size < MAX_UNKNOWN) this.ofUnknownOwners.add(id);
    this.owners.wake();
  }

  /**
   * Takes the rows that a poll found.
   * @param quarantinedTakes how often the worst row of the quarantine has been taken; null when none is due
   */
  takeDue(projectIds: readonly string[], quarantinedTakes: number | null): void {
    this.fanOut.enqueueDue(projectIds);
    if (projectIds.length > 0) this.takes.wake();
    this.quarantinedTakes = quarantinedTakes;
    if (quarantinedTakes !== null) this.quarantine.wake();
  }

  /** Takes nothing more, and stores what must be stored. If that fails, the outbox rows are due again when their leases end. */
  async stop(): Promise<void> {
    await Promise.all([this.owners, this.takes, this.secondTakes, this.quarantine].map((loop) => loop.stop()));
    await this.stores.stop();
    while (!this.storeQueue.isEmpty) await storeQueued(this.storeQueue.nextBatch());
  }

  private async takeBatch(): Promise<boolean> {
    const isMore = await this.fanOut.takeBatch();
    this.stores.wake();
    const inMs = isMore ? null : this.fanOut.nextTakeInMs();
    if (inMs !== null) this.takes.timer.within(inMs);
    return isMore;
  }

  private async storeNext(): Promise<boolean> {
    if (this.storeQueue.isEmpty) return false;
    for (const { targetId, projectId } of await storeQueued(this.storeQueue.nextBatch())) {
      if (this.dispatcher.noteStored(targetId, projectId)) this.takes.timer.within(DRAIN_MS);
    }
    this.wake();
    this.options.onStored();
    return !this.storeQueue.isEmpty;
  }
}
