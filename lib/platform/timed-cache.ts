import { LRUCache } from 'lru-cache';

interface Entry<T> {
  value: Promise<T>;
  /** The value once it was read; until then that of the read before. */
  known?: T;
  /** By performance.now(). */
  untilMs: number;
}

/** Caches reads. Concurrent reads of a key share one. Failures are not cached. Beyond `maxEntries` the one that was used longest ago is forgotten. */
export class TimedCache<T> {
  private readonly entries: LRUCache<string, Entry<T>>;

  constructor(
    private readonly read: (key: string) => Promise<T>,
    private readonly lifetimeMs: number,
    maxEntries: number,
  ) {
    this.entries = new LRUCache({ max: maxEntries });
  }

  get(key: string): Promise<T> {
    const known = this.entries.get(key);
    if (known !== undefined && known.untilMs > performance.now()) return known.value;
    const entry: Entry<T> = {
      value: this.read(key),
      untilMs: Number.POSITIVE_INFINITY,
      ...(known?.known === undefined ? {} : { known: known.known }),
    };
    this.entries.set(key, entry);
    entry.value.then(
      (value) => {
        entry.known = value;
        entry.untilMs = performance.now() + this.lifetimeMs;
      },
      () => this.entries.peek(key) === entry && this.entries.delete(key),
    );
    return entry.value;
  }

  /** Returns the value that was read last, without waiting, and reads it again when its time is over. */
  latest(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined || entry.untilMs <= performance.now()) this.get(key).catch(() => undefined);
    return entry?.known;
  }

  has(key: string): boolean {
    return this.entries.has(key);
  }

  /** Notes a value that was read otherwise. */
  set(key: string, value: T): void {
    const untilMs = performance.now() + this.lifetimeMs;
    this.entries.set(key, { value: Promise.resolve(value), known: value, untilMs });
  }

  forget(key: string): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
