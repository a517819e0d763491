import type { Config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { countDefaultRows } from '@/lib/retention/partitions/default-partition';
import { type ListedDay, measureDays } from '@/lib/retention/partitions/list-partitions';
import { BRANCHES, type Branch, hasFullyExpired, utcDayOf } from '@/lib/retention/partitions/partitions';
import { policyOf } from '@/lib/retention/retention-policy';
import { measureTable } from './retained-data-sql';
import type { DayState, PartitionDay, PartitionedTable } from './schema';

/** Describes each table that is partitioned by UTC day: its days, and the rows of its default partition. */
export function describePartitions(settings: Config, now: Date): Promise<PartitionedTable[]> {
  const policy = policyOf(settings);
  return Promise.all(BRANCHES.map((branch) => describeBranch(branch, branch.daysKept(policy), now)));
}

async function describeBranch(branch: Branch, keptDays: number, now: Date): Promise<PartitionedTable> {
  const [listed, defaultRows, defaultSizeBytes] = await Promise.all([
    measureDays(branch),
    countDefaultRows(branch),
    sizeOf(branch.defaultTable),
  ]);
  const days = new Map<string, PartitionDay>();
  for (const partition of listed) {
    const day = utcDayOf(partition.from).from.toISOString().slice(0, 10);
    // A day in several partitions is shown as one.
    const { estimatedRows = 0, sizeBytes = 0 } = days.get(day) ?? {};
    days.set(day, {
      day,
      estimatedRows: estimatedRows + partition.estimatedRows,
      sizeBytes: sizeBytes + partition.sizeBytes,
      state: stateOf(partition, keptDays, now),
    });
  }
  return { table: branch.name, keptDays, defaultRows, defaultSizeBytes, days: [...days.values()].reverse() };
}

async function sizeOf(table: string): Promise<number> {
  return Number((await measureTable.first(database(), table))?.bytes ?? 0);
}

function stateOf(partition: ListedDay, keptDays: number, now: Date): DayState {
  if (partition.from > now) return 'ahead';
  if (utcDayOf(partition.from).to > now) return 'today';
  return hasFullyExpired(partition, now, keptDays) ? 'expired' : 'kept';
}
