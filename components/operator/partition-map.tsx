'use client';

import { CircleAlert, CircleCheck } from 'lucide-react';
import { Fragment, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { DATA_CLASS_LABELS } from '@/components/retention/retention-labels';
import { cn } from '@/components/ui/cn';
import { formatBytes, formatCount } from '@/components/ui/format-figures';
import type { PartitionDay, PartitionedTable } from '@/lib/admin/schema';
import type { DataClass } from '@/lib/retention/schema';

/** The style of an expired day. */
const HATCHED =
  'bg-[repeating-linear-gradient(135deg,var(--border-strong)_0_1.5px,transparent_1.5px_4px)] outline outline-border-strong -outline-offset-1';

const SAMPLES = [
  { look: 'bg-gradient-to-r from-accent/25 to-accent w-8', word: 'fewer to more rows' },
  { look: 'bg-accent/45 border-text border-b-3', word: 'today' },
  { look: 'border border-border-strong border-dashed', word: 'created ahead' },
  { look: HATCHED, word: 'expired' },
] as const;

interface ChosenCell {
  table: string;
  index: number;
}

/** All partitions: one row per table, one cell per day, and the default partition at the end. */
export function PartitionMap({ tables }: { tables: readonly PartitionedTable[] }) {
  const columns = dayColumnsOf(tables);
  const [chosen, setChosen] = useState<ChosenCell | null>(null);
  const scrolled = useRef<HTMLDivElement>(null);
  // On narrow screens the map scrolls; today is near its right end.
  useLayoutEffect(() => {
    if (scrolled.current !== null) scrolled.current.scrollLeft = scrolled.current.scrollWidth;
  }, []);
  return (
    <div className="grid gap-3 p-4">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
        <div ref={scrolled} className="overflow-x-auto px-1 pb-2">
          <div className="grid min-w-max">
            <Months columns={columns} />
            {tables.map((table) => (
              <Fragment key={table.table}>
                <p className="sticky left-0 flex h-7 w-max items-end gap-2 pb-1 text-xs">
                  <span className="font-medium">{labelOf(table.table)}</span>
                  <span className="text-muted max-sm:hidden">
                    {table.keptDays.toLocaleString('en-GB')} {table.keptDays === 1 ? 'day' : 'days'}
                  </span>
                </p>
                <PartitionStrip
                  table={table}
                  columns={columns}
                  chosen={chosen?.table === table.table ? chosen.index : null}
                  onChoose={(index) => setChosen({ table: table.table, index })}
                />
              </Fragment>
            ))}
          </div>
        </div>
        <div className="grid content-start">
          <p className="h-5 text-muted text-xs">Default</p>
          {tables.map((table) => (
            <DefaultCell key={table.table} table={table} />
          ))}
        </div>
      </div>
      <ChosenDay chosen={chosen} tables={tables} columns={columns} />
      <PartitionLegend />
    </div>
  );
}

function Months({ columns }: { columns: readonly string[] }) {
  const months = new Map(monthsOf(columns).map(({ day, label }) => [day, label]));
  return (
    <div aria-hidden="true" className="flex h-5 gap-px text-muted text-xs">
      {columns.map((day) => (
        <span key={day} className="relative min-w-1.5 flex-1">
          <span className="absolute left-0 whitespace-nowrap">{months.get(day)}</span>
        </span>
      ))}
    </div>
  );
}

/** The default partition: red, with text and an icon, when it is not empty. */
function DefaultCell({ table: { table, defaultRows } }: { table: PartitionedTable }) {
  const isEmpty = defaultRows === 0;
  const Icon = isEmpty ? CircleCheck : CircleAlert;
  return (
    <p
      className={cn(
        'mt-7 flex h-8 min-w-18 items-center justify-center gap-1 whitespace-nowrap rounded-sm border px-2 text-xs tabular-nums',
        isEmpty ? 'text-muted' : 'border-danger-text bg-danger-subtle font-medium text-danger-text',
      )}
    >
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="sr-only">Default partition of {table}: </span>
      {formatCount(defaultRows)} {defaultRows === 1 ? 'row' : 'rows'}
    </p>
  );
}

function ChosenDay({
  chosen,
  tables,
  columns,
}: {
  chosen: ChosenCell | null;
  tables: readonly PartitionedTable[];
  columns: readonly string[];
}) {
  const name = chosen === null ? undefined : columns[chosen.index];
  if (chosen === null || name === undefined) {
    return <p className="min-h-10 text-muted text-sm sm:min-h-5">Point at a day, or use the arrow keys.</p>;
  }
  const day = tables.find(({ table }) => table === chosen.table)?.days.find((candidate) => candidate.day === name);
  return (
    <p className="min-h-10 text-sm sm:min-h-5">
      <span className="font-medium">{formatDay(name)}</span>, <code className="font-mono text-xs">{chosen.table}</code>:{' '}
      {describeDay(day)}
    </p>
  );
}

/** Explains how days are drawn. Hidden from screen readers, which hear the state of each day. */
function PartitionLegend() {
  return (
    <p aria-hidden="true" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-xs">
      {SAMPLES.map(({ look, word }) => (
        <span key={word} className="flex items-center gap-1.5">
          <span className={cn('h-3.5 w-2.5 rounded-xs', look)} />
          {word}
        </span>
      ))}
    </p>
  );
}

const SHADES: Record<Shade, string> = {
  0: 'bg-sunken',
  1: 'bg-accent/25',
  2: 'bg-accent/45',
  3: 'bg-accent/70',
  4: 'bg-accent',
};

const STATE_LABELS: Record<PartitionDay['state'], string> = {
  ahead: 'created ahead',
  today: 'today',
  kept: 'kept',
  expired: 'expired, deleted by the next cleanup',
};

/** Describes a day: "about 1,200 rows, 3.4 MB, kept". */
function describeDay(day: PartitionDay | undefined): string {
  if (day === undefined) return 'no partition';
  return `about ${formatCount(day.estimatedRows)} rows, ${formatBytes(day.sizeBytes)}, ${STATE_LABELS[day.state]}`;
}

/**
 * The days of one table. An invisible range input covers them: it supports arrow keys, Home, End, touch and screen
 * readers with one tab stop per table.
 */
function PartitionStrip({
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

const DAY_MS = 86_400_000;

/** Returns every day from the oldest to the newest partition of any table: the shared columns of the map. */
export function dayColumnsOf(tables: readonly Pick<PartitionedTable, 'days'>[]): string[] {
  const days = tables.flatMap((table) => table.days.map(({ day }) => day)).sort();
  const first = days[0];
  const last = days.at(-1);
  if (first === undefined || last === undefined) return [];
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * DAY_MS).toISOString().slice(0, 10),
  );
}

type Shade = 0 | 1 | 2 | 3 | 4;

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
