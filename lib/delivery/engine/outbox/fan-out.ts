import type { Dispatcher } from '@/lib/delivery/engine/dispatch/dispatcher';
import { removeEntries } from '@/lib/delivery/engine/record/store-deliveries';
import type { OutboxEntry } from '@/lib/delivery/engine/types';
import { hotDatabase, isDatabaseAway } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { countMetric } from '@/lib/platform/metrics-counters';
import { giveUpEntries, rescheduleOldest } from './outbox-failures';
import { placeEntry } from './place-entry';
import { ProjectTurns } from './project-turns';
import type { StoreQueue } from './store-queue';
import { TAKE_LIMITS, type TakeLimits, type Taken, type Turn, takeEntries, takeQuarantined } from './take-entries';
import { TargetCache } from './target-cache';

/** Rows of one take from quarantine, by how often they were taken: fewer and fewer, and in the end each alone. */
const QUARANTINE_ROWS: Readonly<Record<number, number>> = { 2: 16, 3: 4 };

/** Turns due outbox rows into deliveries: those that can be sent now are handed to the dispatcher, the others are stored. */
export class FanOut {
  private readonly turns = new ProjectTurns();
  private readonly targets = new TargetCache();
  private readonly quarantined = new Set<OutboxEntry>();

  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly storeQueue: StoreQueue,
    /** Called when there is something to do again. */
    private readonly wake: () => void,
  ) {}

  /** Hears of projects with new outbox rows. */
  hear(projectIds: readonly string[]): void {
    for (const projectId of projectIds) this.turns.add(projectId);
  }

  /** Learns which projects have due outbox rows. */
  see(projectIds: readonly string[]): void {
    for (const projectId of projectIds) this.turns.add(projectId, true);
  }

  /** In how many milliseconds there may be something to take again; null when only news can tell. */
  nextInMs(): number | null {
    return this.turns.nextInMs();
  }

  /** Takes one batch. @returns whether there may be more right away */
  async takeBatch(): Promise<boolean> {
    const turns = this.nextTurns();
    if (turns.length === 0) return false;
    try {
      await this.takeTurns(turns, TAKE_LIMITS);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      log().warn({ err: error, projects: turns.length }, 'a batch could not be taken; row by row now');
      for (const turn of turns) await this.takeAlone(turn);
    }
    return this.nextTurns().length > 0;
  }

  /**
   * Takes rows that were taken before and never finished, when none of them is in hand: one of them may be what ended the
   * worker that had them.
   *
   * @param takes how often the worst of them was taken
   */
  async takeFromQuarantine(takes: number): Promise<void> {
    const now = performance.now();
    for (const entry of this.quarantined) if (entry.leaseEndsAt <= now) this.quarantined.delete(entry);
    if (this.quarantined.size > 0) return;
    await giveUpEntries(hotDatabase());
    const taken = await takeQuarantined(hotDatabase(), QUARANTINE_ROWS[takes] ?? 1);
    for (const { entry } of taken.entries) {
      this.quarantined.add(entry);
      entry.onClosed = () => {
        this.quarantined.delete(entry);
        if (this.quarantined.size === 0) this.wake();
      };
    }
    await this.place(taken);
  }

  private nextTurns(): Turn[] {
    if (this.storeQueue.isFull) return [];
    return this.turns.next((projectId) => (this.storeQueue.has(projectId) ? 0 : this.dispatcher.roomOf(projectId)));
  }

  private async takeTurns(turns: readonly Turn[], limits: TakeLimits): Promise<void> {
    const taken = await takeEntries(hotDatabase(), turns, limits);
    for (const turn of turns) {
      const rows = taken.rows.get(turn.projectId) ?? 0;
      this.turns.finish(turn, rows, rows >= turn.most || taken.isCut);
    }
    await this.place(taken);
  }

  private async takeAlone(turn: Turn): Promise<void> {
    try {
      await this.takeTurns([{ ...turn, most: 1 }], { bytes: 0, deliveries: 0 });
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      await rescheduleOldest(hotDatabase(), turn.projectId, error);
    }
  }

  private async place(taken: Taken): Promise<void> {
    const finished: OutboxEntry[] = [];
    const targets = await this.targets.read(
      hotDatabase(),
      taken.entries.flatMap((entry) => entry.targets),
    );
    for (const entry of taken.entries) {
      const unsent = await placeEntry(this.dispatcher, entry, targets);
      this.storeQueue.add(entry.projectId, unsent);
      if (entry.entry.unstored === 0) finished.push(entry.entry);
    }
    this.dispatcher.pump();
    countMetric(
      'outbox_fanned_out_total',
      '',
      [...taken.rows.values()].reduce((sum, rows) => sum + rows, 0),
    );
    await removeEntries(hotDatabase(), finished);
  }
}
