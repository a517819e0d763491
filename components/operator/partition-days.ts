import { DATA_CLASS_LABELS } from '@/components/retention/retention-labels';
import type { PartitionDay, PartitionedTable } from '@/lib/admin/schema';
import type { DataClass } from '@/lib/retention/schema';

const DAY_MS = 86_400_000;

/** Returns every day from the oldest to the newest partition of any table: the shared columns of the map. */
export function dayColumnsOf(tables: readonly Pick<PartitionedTable, 'days'>[]): string[] {
  const days = tables.flatMap((table) => table.days.map(({ day }) => day)).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * DAY_MS).toISOString().slice(0, 10),
  );
}

export type Shade = 0 | 1 | 2 | 3 | 4;

/** Returns how dark a day is: 0 when empty, else by its share of the fullest day of its table. */
export function shadeOf({ estimatedRows }: Pick<PartitionDay, 'estimatedRows'>, mostRows: number): Shade {
  if (estimatedRows === 0 || mostRows === 0) return 0;
  return Math.min(4, Math.max(1, Math.ceil((estimatedRows / mostRows) * 4))) as Shade;
}

/** Returns a label for the first column of each month, unless the month has too few columns for it. */
export function monthsOf(columns: readonly string[]): { day: string; label: string }[] {
  const starts = columns.filter((day, index) => index === 0 || day.endsWith('-01'));
  return starts.flatMap((day, index) => {
    const next = starts[index + 1];
    const shown =
      next === undefined ? columns.length - columns.indexOf(day) : columns.indexOf(next) - columns.indexOf(day);
    if (shown < 7) return [];
    const label = new Date(day).toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
    return [{ day, label }];
  });
}

/** Formats a UTC day: "Sat, 21 Nov 2026". */
export function formatDay(day: string): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(day).toLocaleDateString('en-GB', parts);
}

const CLASS_OF: Record<string, DataClass> = {
  delivery_attempts_succeeded: 'succeededAttempts',
  delivery_attempts_failed: 'failedAttempts',
  tunnel_request_log: 'tunnelRequests',
};

/** Returns the label of a table: its data class, or its name when it has none. */
export function labelOf(table: string): string {
  const data = CLASS_OF[table];
  return data === undefined ? table : DATA_CLASS_LABELS[data].label;
}
