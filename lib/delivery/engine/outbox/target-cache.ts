import { loadTargets } from '@/lib/delivery/engine/targets';
import type { Target } from '@/lib/delivery/engine/types';
import type { Sql } from '@/lib/platform/db';
import type { NamedTarget } from './take-entries';

/** About a kilobyte each. */
const MAX_KEPT = 5_000;

/**
 * Targets as they were read last, each good for as long as its row has not changed. Reading one means opening its sealed
 * secrets, which costs more than all the rest of a small event.
 */
export class TargetCache {
  /** The one used last is the last. */
  private readonly kept = new Map<string, Target>();

  /** The targets of that very version, by id. One that has been disabled or deleted since is left out. */
  async read(sql: Sql, named: readonly NamedTarget[]): Promise<Map<string, Target>> {
    const found = new Map<string, Target>();
    const unknown = new Set<string>();
    for (const { id, version } of named) {
      if (found.has(id) || unknown.has(id)) continue;
      const target = this.kept.get(id);
      if (target?.version === version) found.set(id, target);
      else unknown.add(id);
    }
    if (unknown.size > 0) {
      for (const [id, loaded] of await loadTargets(sql, [...unknown])) {
        if ('target' in loaded) found.set(id, loaded.target);
        else this.kept.delete(id);
      }
    }
    for (const target of found.values()) this.keep(target);
    return found;
  }

  private keep(target: Target): void {
    this.kept.delete(target.id);
    this.kept.set(target.id, target);
    if (this.kept.size <= MAX_KEPT) return;
    const [oldest] = this.kept.keys();
    if (oldest !== undefined) this.kept.delete(oldest);
  }
}
