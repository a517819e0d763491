'use client';

import type { PointerEvent } from 'react';
import { cn } from '@/components/ui/cn';
import type { PartitionDay, PartitionedTable } from '@/lib/admin/schema';
import { formatBytes, formatCount } from './format-size';
import { formatDay, type Shade, shadeOf } from './partition-days';

const SHADES: Record<Shade, string> = {
  0: 'bg-sunken',
  1: 'bg-accent/25',
  2: 'bg-accent/45',
  3: 'bg-accent/70',
  4: 'bg-accent',
};
/** The style of an expired day. */
export const HATCHED =
  'bg-[repeating-linear-gradient(135deg,var(--border-strong)_0_1.5px,transparent_1.5px_4px)] outline outline-border-strong -outline-offset-1';

const STATE_LABELS: Record<PartitionDay['state'], string> = {
  ahead: 'created ahead',
  today: 'today',
  kept: 'kept',
  expired: 'expired, deleted by the next cleanup',
};

/** Describes a day: "about 1,200 rows, 3.4 MB, kept". */
export function describeDay(day: PartitionDay | undefined): string {
  if (day === undefined) return 'no partition';
  return `about ${formatCount(day.estimatedRows)} rows, ${formatBytes(day.sizeBytes)}, ${STATE_LABELS[day.state]}`;
}

/**
 * The days of one table. An invisible range input covers them: it supports arrow keys, Home, End, touch and screen
 * readers with one tab stop per table.
 */
export function PartitionStrip({
  table: { table, days },
  columns,
  chosen,
  onChoose,
}: {
  table: PartitionedTable;
  columns: readonly string[];
  /** The index of the selected day; null when no day of this table is selected. */
  chosen: number | null;
  onChoose: (index: number) => void;
}) {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const mostRows = Math.max(0, ...days.map(({ estimatedRows }) => estimatedRows));
  const today = columns.findIndex((day) => byDay.get(day)?.state === 'today');
  const at = chosen ?? Math.max(today, 0);
  const day = columns[at] ?? '';
  const point = (event: PointerEvent<HTMLInputElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * columns.length);
    onChoose(Math.min(Math.max(index, 0), columns.length - 1));
  };
  return (
    <div className="relative flex h-8 gap-px rounded-sm has-focus-visible:outline-2 has-focus-visible:outline-accent-text has-focus-visible:outline-offset-3">
      {columns.map((name, index) => (
        <DayCell key={name} day={byDay.get(name)} mostRows={mostRows} isChosen={index === chosen} />
      ))}
      <input
        type="range"
        min={0}
        max={Math.max(columns.length - 1, 0)}
        value={at}
        aria-label={`Days of ${table}`}
        aria-valuetext={`${formatDay(day)}: ${describeDay(byDay.get(day))}`}
        className="absolute inset-0 m-0 size-full cursor-crosshair opacity-0"
        onChange={(event) => onChoose(Number(event.target.value))}
        onFocus={() => onChoose(at)}
        onPointerMove={point}
        onPointerDown={point}
      />
    </div>
  );
}

function DayCell({ day, mostRows, isChosen }: { day: PartitionDay | undefined; mostRows: number; isChosen: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'min-w-1.5 flex-1 rounded-xs',
        day === undefined ? 'bg-transparent' : styleOf(day, mostRows),
        isChosen && 'outline-2 outline-text outline-offset-1',
      )}
    />
  );
}

function styleOf(day: PartitionDay, mostRows: number): string {
  if (day.state === 'expired') return HATCHED;
  const shade = SHADES[shadeOf(day, mostRows)];
  if (day.state === 'ahead') {
    return cn(day.estimatedRows === 0 ? 'bg-transparent' : shade, 'border border-border-strong border-dashed');
  }
  return day.state === 'today' ? cn(shade, 'border-text border-b-3') : shade;
}
