import { once } from '@/lib/platform/globals';
import type { Target } from './types';

/** About a kilobyte each. */
const MAX_KEPT = 5_000;

/**
 * Targets as they were read last, each good for as long as its row has not changed. Preparing one means opening its sealed
 * secrets, which costs more than all the rest of a small event.
 */
class PreparedTargets {
  /** The one used last is the last. */
  private readonly kept = new Map<string, Target>();

  /** The target of that very version, if it is kept. */
  find(id: string, version: string): Target | undefined {
    const target = this.kept.get(id);
    if (target?.version !== version) return undefined;
    this.keep(target);
    return target;
  }

  /** The target of a row: the one that is kept, or a new one. */
  prepare<Row extends { id: string; version: string }>(row: Row, make: (row: Row) => Target): Target {
    const kept = this.find(row.id, row.version);
    if (kept !== undefined) return kept;
    const made = make(row);
    // One with a fault may be prepared the next time, when the key that opens its secret is back.
    if (made.fault === null) this.keep(made);
    return made;
  }

  private keep(target: Target): void {
    this.kept.delete(target.id);
    this.kept.set(target.id, target);
    if (this.kept.size <= MAX_KEPT) return;
    const [oldest] = this.kept.keys();
    if (oldest !== undefined) this.kept.delete(oldest);
  }
}

/** The targets that this process keeps. */
export function preparedTargets(): PreparedTargets {
  return once('prepared-targets', () => new PreparedTargets());
}
