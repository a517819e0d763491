import { CACHE_MS, MAX_CACHED } from './limits';

interface Entry<T> {
  value: Promise<T>;
  /** By performance.now(). */
  untilMs: number;
}

/** Caches reads for a second by default. Concurrent reads of a key share one. Failures are not cached. */
export class TimedCache<T> {
  private readonly entries = new Map<string, Entry<T>>();

  constructor(
    private readonly read: (key: string) => Promise<T>,
    private readonly lifetimeMs = CACHE_MS,
    private readonly maxEntries = MAX_CACHED,
  ) {}

  get(key: string): Promise<T> {
    const known = this.entries.get(key);
    if (known !== undefined && known.untilMs > performance.now()) return known.value;
    const entry: Entry<T> = { value: this.read(key), untilMs: Number.POSITIVE_INFINITY };
    this.entries.delete(key);
    this.entries.set(key, entry);
    entry.value.then(
      () => {
        entry.untilMs = performance.now() + this.lifetimeMs;
      },
      () => this.entries.get(key) === entry && this.entries.delete(key),
    );
    if (this.entries.size > this.maxEntries) {
      const [oldest] = this.entries.keys();
      if (oldest !== undefined) this.entries.delete(oldest);
    }
    return entry.value;
  }

  forget(key: string): void {
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
  }
}
