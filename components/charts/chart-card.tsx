'use client';

import { ChartColumn, Table2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { RowsTable, type TableColumn } from '@/components/ui/table';
import type { Series } from './chart-scale';
import { formatBucket } from './format-bucket';
import { TimeChart, type TimeChartProps } from './time-chart';

/** A chart with its title and legend, which can be read as a table. */
export function ChartCard({
  title,
  description,
  controls,
  empty,
  ...chart
}: Omit<TimeChartProps, 'label'> & {
  title: string;
  description?: ReactNode;
  controls?: ReactNode;
  /** Shown in place of a chart without values. */
  empty: string;
}) {
  const [asTable, setAsTable] = useState(false);
  const isEmpty = chart.series.every(({ values }) => values.every((value) => !value));
  const name = asTable ? `Show ${title} as chart` : `Show ${title} as table`;
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border bg-surface p-4 shadow-raised sm:p-5">
      <header className="mb-4 flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold text-base">{title}</h2>
          {description ? <p className="text-muted text-xs">{description}</p> : null}
        </div>
        <div className="flex shrink-0 items-center gap-1">
          {controls}
          <Button variant="ghost" size="icon" aria-label={name} title={name} onClick={() => setAsTable(!asTable)}>
            {asTable ? <ChartColumn aria-hidden="true" /> : <Table2 aria-hidden="true" />}
          </Button>
        </div>
      </header>
      <Legend series={chart.series} />
      {asTable ? (
        <ChartTable title={title} {...chart} />
      ) : isEmpty ? (
        <p className={`grid place-items-center text-muted text-sm ${chart.className ?? 'h-56'}`}>{empty}</p>
      ) : (
        <TimeChart label={title} {...chart} />
      )}
    </section>
  );
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className="mb-3 flex min-h-6 flex-wrap items-center gap-x-5 gap-y-1 text-xs">
      {series.map(({ label, color, total, href }) => (
        <li key={label} className="flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2 rounded-full" style={{ background: `var(${color})` }} />
          {href === undefined ? (
            <span className="text-muted">{label}</span>
          ) : (
            <Link
              href={href}
              prefetch={false}
              className="inline-flex min-h-6 items-center gap-1 rounded-sm text-muted hover:text-text hover:underline"
            >
              {label} <span className="font-medium text-text tabular-nums">{total}</span>
            </Link>
          )}
          {href === undefined && total ? <span className="font-medium tabular-nums">{total}</span> : null}
        </li>
      ))}
    </ul>
  );
}

function ChartTable({
  title,
  axis,
  series,
  format,
}: Pick<TimeChartProps, 'axis' | 'series' | 'format'> & { title: string }) {
  const rows = axis.starts.map((startsAt, index) => ({ startsAt, index }));
  const columns: TableColumn<(typeof rows)[number]>[] = [
    {
      header: 'Time',
      className: 'whitespace-nowrap',
      cell: ({ startsAt }) => formatBucket(startsAt, axis.bucketSeconds),
    },
    ...series.map(({ label, values }) => ({
      header: label,
      className: 'tabular-nums',
      cell: ({ index }: (typeof rows)[number]) => {
        const value = values[index];
        return value === null || value === undefined ? '–' : format(value);
      },
    })),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section aria-label={`${title}, table`} tabIndex={0} className="max-h-64 overflow-auto rounded-md border">
      <RowsTable label={title} columns={columns} rows={rows.toReversed()} keyOf={({ startsAt }) => startsAt} />
    </section>
  );
}
