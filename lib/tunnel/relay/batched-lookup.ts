import { AppError } from '@/lib/platform/errors';

interface LookupBounds {
  /** Statements at once. */
  maxRunning: number;
  /** Keys in a statement. */
  maxBatch: number;
  /** Keys that wait for one. */
  maxWaiting: number;
}

interface Asked<T> {
  key: string;
  resolve(value: T | null): void;
  reject(error: unknown): void;
}

/** Looks keys up. Those that are asked for while statements run share the next one, so a flood needs few statements. */
export class BatchedLookup<T> {
  private readonly waiting: Asked<T>[] = [];
  private running = 0;

  /** @param read returns what it finds, by key */
  constructor(
    private readonly read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
    private readonly bounds: LookupBounds,
  ) {}

  /** Finds the value of a key; null when there is none. @throws AppError overloaded when too many keys wait */
  async find(key: string): Promise<T | null> {
    if (this.waiting.length >= this.bounds.maxWaiting) {
      throw new AppError('overloaded', 'Too many requests at once. Try again.', { retryAfterSeconds: 1 });
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ key, resolve, reject });
      if (this.running < this.bounds.maxRunning) void this.readAll();
    });
  }

  /** Reads until nothing waits. */
  private async readAll(): Promise<void> {
    this.running += 1;
    // Keys that are asked for in the same turn share the statement.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.readBatch(this.waiting.splice(0, this.bounds.maxBatch));
    this.running -= 1;
  }

  private async readBatch(batch: readonly Asked<T>[]): Promise<void> {
    try {
      const found = await this.read(batch.map(({ key }) => key));
      for (const { key, resolve } of batch) resolve(found.get(key) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
