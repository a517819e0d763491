import { addMs, DAY_MS } from '@/lib/platform/clock';

/** A branch whose rows are kept by UTC day, and the table that catches what no day is made for. */
export interface Branch {
  /** Qualified name of the table that is partitioned by day. */
  parent: string;
  /** Start of the names of its days. */
  prefix: string;
  defaultTable: string;
}

const branch = (parent: string, prefix: string): Branch => ({
  parent,
  prefix: `${prefix}_p`,
  defaultTable: `partitions.${prefix}_default`,
});

/** Every branch (DESIGN 4): successes and failures apart, since they leave at different ages. */
export const BRANCHES: readonly Branch[] = [
  branch('partitions.delivery_attempts_succeeded', 'delivery_attempts_succeeded'),
  branch('partitions.delivery_attempts_failed', 'delivery_attempts_failed'),
  branch('public.tunnel_request_log', 'tunnel_request_log'),
];

/** Days made beyond today: a retention container dead for a week loses nothing to the default partition. */
export const DAYS_AHEAD = 8;

/** One UTC day of a branch. */
export interface DayPartition {
  table: string;
  from: Date;
  to: Date;
}

/** The partitions a branch should have from today on. */
export function daysAhead(of: Branch, at: Date): DayPartition[] {
  const today = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  return Array.from({ length: DAYS_AHEAD + 1 }, (_, day) => {
    const from = addMs(new Date(today), day * DAY_MS);
    return { table: of.prefix + from.toISOString().slice(0, 10).replaceAll('-', ''), from, to: addMs(from, DAY_MS) };
  });
}
