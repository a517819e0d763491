'use client';

import { CircleAlert, CircleCheck } from 'lucide-react';
import { Fragment, useLayoutEffect, useRef, useState } from 'react';
import { cn } from '@/components/ui/cn';
import type { PartitionedTable } from '@/lib/admin/schema';
import { formatCount } from './format-size';
import { dayColumnsOf, formatDay, labelOf, monthsOf } from './partition-days';
import { describeDay, HATCHED, PartitionStrip } from './partition-strip';

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
