import { setImmediate as nextTurn } from 'node:timers/promises';

/** Splits long work, so that the event loop serves other work after every `every` steps. */
export class Yielder {
  private steps = 0;

  constructor(private readonly every: number) {}

  /** Counts a step. @returns whether to yield before the next one */
  shouldYield(): boolean {
    this.steps = (this.steps + 1) % this.every;
    return this.steps === 0;
  }

  /** Yields to the event loop. */
  async yield(): Promise<void> {
    await nextTurn();
  }
}
