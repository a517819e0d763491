import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work takes the thread for about so long before the event loop serves other work. */
const TURN_MS = 4;

/** Splits long work, so that the event loop serves other work every few milliseconds. */
export class Yielder {
  private steps = 0;
  private startedAt = performance.now();

  /** @param every steps after which it yields, however little time they took; by default the time alone decides */
  constructor(private readonly every = Number.POSITIVE_INFINITY) {}

  /** Counts a step. @returns whether to yield before the next one */
  shouldYield(): boolean {
    this.steps += 1;
    return this.steps >= this.every || performance.now() - this.startedAt >= TURN_MS;
  }

  /** Yields to the event loop. */
  async yield(): Promise<void> {
    await nextTurn();
    this.steps = 0;
    this.startedAt = performance.now();
  }
}
