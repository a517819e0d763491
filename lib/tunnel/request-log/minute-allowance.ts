import { MINUTE_MS } from '@/lib/platform/clock';

/** At this number of keys the count starts over, so that its memory is bounded. */
const MAX_KEYS = 10_000;

/** Counts what each key, such as a tunnel, uses in a minute, up to a maximum. */
export class MinuteAllowance {
  private readonly used = new Map<string, number>();
  private endsAt = 0;

  constructor(
    private readonly max: number,
    private readonly now: () => number = () => performance.now(),
    private readonly maxKeys = MAX_KEYS,
  ) {}

  /** How many keys are counted. */
  get size(): number {
    return this.used.size;
  }

  /** Whether a key may use that much more. Counts it when it may. */
  take(key: string, amount: number): boolean {
    const isFull = this.used.size >= this.maxKeys && !this.used.has(key);
    if (this.now() >= this.endsAt || isFull) {
      this.used.clear();
      this.endsAt = this.now() + MINUTE_MS;
    }
    const used = (this.used.get(key) ?? 0) + amount;
    if (used > this.max) return false;
    this.used.set(key, used);
    return true;
  }
}
