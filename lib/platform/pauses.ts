import { setImmediate as nextTurn } from 'node:timers/promises';

/** Splits long work on the event loop: after every `every` steps, other work gets a turn. */
export class Pauses {
  private steps = 0;

  constructor(private readonly every: number) {}

  /** Counts a step. @returns whether a pause is due */
  isDue(): boolean {
    this.steps = (this.steps + 1) % this.every;
    return this.steps === 0;
  }

  /** Yields to the event loop. */
  async take(): Promise<void> {
    await nextTurn();
  }
}
