import { currentSearchPath } from '@/lib/platform/cells/current-cell';
import { SECOND_MS } from '@/lib/platform/clock';
import { withoutShare } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';
import { addMismatches } from './event-types-sql';

interface Counted {
  project: string;
  name: string;
  count: number;
  at: Date;
}

/** Counts wait so long for others: a write for each event would contend for the row of its type. */
const FLUSH_MS = SECOND_MS;
/** Types of one statement. */
const MAX_TYPES = 1_000;

/** By search path: that of the cell whose projects they are of. No entry is empty. */
const pending = () => once('mismatches', () => new Map<string, Map<string, Counted>>());

/** Counts a stored event that differs from its type, in the background. */
export function countMismatch(project: string, name: string, at: Date): void {
  const path = currentSearchPath();
  let types = pending().get(path);
  if (types === undefined) {
    types = new Map();
    pending().set(path, types);
    setTimeout(() => flush(path), FLUSH_MS);
  }
  const key = `${project}:${name}`;
  const known = types.get(key);
  if (known === undefined) types.set(key, { project, name, count: 1, at });
  else {
    known.count += 1;
    known.at = at;
  }
}

/** Runs in the cell of the path, as the call that scheduled it did. */
function flush(path: string): void {
  const counted = [...(pending().get(path)?.values() ?? [])];
  pending().delete(path);
  void withoutShare(async () => {
    for (let start = 0; start < counted.length; start += MAX_TYPES) await add(counted.slice(start, start + MAX_TYPES));
  }).catch((error: unknown) => log().warn({ err: error }, 'could not count events that differ from their types'));
}

async function add(counted: readonly Counted[]): Promise<void> {
  await addMismatches.run(database(), {
    projects: counted.map(({ project }) => project),
    names: counted.map(({ name }) => name),
    counts: counted.map(({ count }) => count),
    ats: counted.map(({ at }) => at),
  });
}
