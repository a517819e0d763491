import { withoutShare } from './connection-shares';
import { AppError } from './errors';

interface Bounds {
  /** Statements at once. */
  maxRunning: number;
  /** Rows in a statement. */
  maxBatch: number;
  /** Rows that wait for one; by default, their senders bound them. */
  maxWaiting?: number;
}

interface Waiting<Row, Result> {
  row: Row;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
}

/**
 * Reads or writes rows together. Those that arrive while statements run share the next one, so a flood needs few statements and few
 * connections.
 */
export class Batches<Row, Result> {
  private readonly waiting: Waiting<Row, Result>[] = [];
  private running = 0;

  /** @param run runs a statement for some rows, and returns what gives each its result */
  constructor(
    private readonly run: (rows: readonly Row[]) => Promise<(row: Row) => Result | Promise<Result>>,
    private readonly bounds: Bounds,
  ) {}

  /** Returns the result of a row. @throws AppError overloaded when too many rows wait */
  async add(row: Row): Promise<Result> {
    const { maxWaiting = Number.POSITIVE_INFINITY, maxRunning } = this.bounds;
    if (this.waiting.length >= maxWaiting) {
      throw new AppError('overloaded', 'Too many requests at once. Try again.', { retryAfterSeconds: 1 });
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ row, resolve, reject });
      // Others wait for the statement, and not in the share of who is first.
      if (this.running < maxRunning) void withoutShare(() => this.runAll());
    });
  }

  /** Runs until nothing waits. */
  private async runAll(): Promise<void> {
    this.running += 1;
    // Rows that arrive in the same turn share the statement.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.runBatch(this.waiting.splice(0, this.bounds.maxBatch));
    this.running -= 1;
  }

  private async runBatch(batch: readonly Waiting<Row, Result>[]): Promise<void> {
    try {
      const resultOf = await this.run(batch.map(({ row }) => row));
      for (const { row, resolve } of batch) resolve(resultOf(row));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
