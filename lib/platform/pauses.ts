import { setImmediate as nextTurn } from 'node:timers/promises';

/** Divides long work on the event loop into pieces of so many steps, so that others need not wait for all of it. */
export class Pauses {
  private steps = 0;

  constructor(private readonly every: number) {}

  /** Counts a step. @returns whether a pause is due */
  isDue(): boolean {
    this.steps = (this.steps + 1) % this.every;
    return this.steps === 0;
  }

  /** Lets others run. */
  async take(): Promise<void> {
    await nextTurn();
  }
}
