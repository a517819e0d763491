import { LRUCache } from 'lru-cache';
import { once } from '@/lib/platform/globals';
import type { Target } from './types';

/** About a kilobyte each. */
const MAX_KEPT = 5_000;

/**
 * A cache of targets. Each is valid until its row changes. To prepare a target its secrets must be decrypted, which takes more time
 * than all other work for a small event.
 */
class PreparedTargets {
  private readonly kept = new LRUCache<string, Target>({ max: MAX_KEPT });

  /** Finds a target if it is cached in this version. */
  find(id: string, version: string): Target | undefined {
    const target = this.kept.get(id);
    return target?.version === version ? target : undefined;
  }

  /** Returns the cached target of a row, or makes it. */
  prepare<Row extends { id: string; version: string }>(row: Row, make: (row: Row) => Target): Target {
    const kept = this.find(row.id, row.version);
    if (kept !== undefined) return kept;
    const made = make(row);
    // A target with a fault is tried again: the missing encryption key may be restored.
    if (made.fault === null) this.kept.set(made.id, made);
    return made;
  }
}

/** Returns the cache of this process. */
export function preparedTargets(): PreparedTargets {
  return once('prepared-targets', () => new PreparedTargets());
}
