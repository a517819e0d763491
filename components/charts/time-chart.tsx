'use client';

import { Fragment, type PointerEvent, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { chooseLabels, durationScaleFor, type Scale, type Series, scaleFor, type TimeAxis } from './chart-scale';
import { formatAxisTime, formatBucket } from './format-bucket';

export interface TimeChartProps {
  /** Names the chart for screen readers. */
  label: string;
  kind: 'bars' | 'lines';
  axis: TimeAxis;
  series: readonly Series[];
  format: (value: number) => string;
  /** Formats the values beside the lines, which have little space; default: `format`. */
  formatTick?: (value: number) => string;
  /** Milliseconds get a logarithmic scale with lines at round durations. */
  unit?: 'count' | 'ms';
  /** Opens the rows of a bucket. */
  onOpen?: (index: number) => void;
  className?: string;
}

/**
 * A chart over time. An invisible range input covers it: so the pointer, arrow keys and screen readers reach each bucket, with one
 * tab stop, and Enter opens its rows.
 */
export function TimeChart(props: TimeChartProps) {
  const { label, kind, axis, series, format, formatTick = format, unit, onOpen, className = 'h-56' } = props;
  const [active, setActive] = useState<number | null>(null);
  const count = axis.starts.length;
  const scale = unit === 'ms' ? durationScaleFor(...rangeOf(series)) : scaleFor(highestOf(series, kind, count));
  const shown = active === null ? null : Math.min(active, count - 1);
  const point = (event: PointerEvent<HTMLInputElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setActive(Math.min(Math.max(Math.floor(((event.clientX - left) / width) * count), 0), count - 1));
  };
  const at = shown ?? count - 1;
  const Plot = kind === 'bars' ? StackedBars : LinePlot;
  return (
    <div className="select-none">
      <div className={cn('relative mt-2 ml-11', className)}>
        <Grid scale={scale} format={formatTick} />
        <Plot series={series} scale={scale} count={count} active={shown} />
        <div className="absolute inset-0 rounded-sm has-focus-visible:outline-2 has-focus-visible:outline-accent-text has-focus-visible:outline-offset-3">
          <input
            type="range"
            min={0}
            max={count - 1}
            value={at}
            aria-label={label}
            aria-valuetext={describeBucket(axis, series, at, format)}
            className={cn(
              'absolute inset-0 m-0 size-full touch-pan-y opacity-0',
              onOpen ? 'cursor-pointer' : 'cursor-crosshair',
            )}
            onChange={(event) => setActive(Number(event.target.value))}
            onFocus={(event) => {
              if (event.currentTarget.matches(':focus-visible')) setActive(at);
            }}
            onBlur={() => setActive(null)}
            onPointerMove={point}
            onPointerLeave={() => setActive(null)}
            onClick={() => onOpen?.(at)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') onOpen?.(at);
              if (event.key === 'Escape') setActive(null);
            }}
          />
        </div>
        {shown === null ? null : <Bubble axis={axis} series={series} index={shown} format={format} />}
      </div>
      <Times axis={axis} />
    </div>
  );
}

function highestOf(series: readonly Series[], kind: TimeChartProps['kind'], count: number): number {
  const valuesAt = (index: number) => series.map(({ values }) => values[index] ?? 0);
  const highest = (values: number[]) =>
    kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  return Math.max(1, ...Array.from({ length: count }, (_, index) => highest(valuesAt(index))));
}

function rangeOf(series: readonly Series[]): [number, number] {
  const values = series.flatMap((each) => each.values).filter((value) => value !== null);
  return [Math.min(...values), Math.max(...values)];
}

function describeBucket(axis: TimeAxis, series: readonly Series[], index: number, format: TimeChartProps['format']) {
  const parts = series.map(({ label, values }) => {
    const value = values[index];
    return `${label} ${value === null || value === undefined ? 'none' : format(value)}`;
  });
  return `${formatBucket(axis.starts[index] ?? '', axis.bucketSeconds)}: ${parts.join(', ')}`;
}

function Grid({ scale: { ticks, shareOf }, format }: { scale: Scale; format: TimeChartProps['format'] }) {
  return (
    <div aria-hidden="true" className="absolute inset-0">
      {ticks.map((tick, nth) => (
        <div
          key={tick}
          className={cn('absolute inset-x-0 border-t', nth > 0 && 'border-dashed')}
          style={{ bottom: `${shareOf(tick) * 100}%` }}
        >
          <span className="absolute right-full -translate-y-1/2 whitespace-nowrap pr-2 text-[0.6875rem] text-muted tabular-nums leading-none">
            {tick === 0 ? '0' : format(tick)}
          </span>
        </div>
      ))}
    </div>
  );
}

function Times({ axis: { starts, bucketSeconds } }: { axis: TimeAxis }) {
  const spanMs = starts.length * bucketSeconds * 1000;
  const labels = chooseLabels(starts.length, 6);
  return (
    <div aria-hidden="true" className="relative mt-2 ml-11 h-4">
      {labels.map((index, nth) => (
        <span
          key={starts[index]}
          className={cn(
            'absolute whitespace-nowrap text-[0.6875rem] text-muted tabular-nums leading-none',
            nth > 0 && '-translate-x-1/2',
            nth % 2 === 1 && 'max-sm:hidden',
          )}
          style={{ left: nth === 0 ? 0 : `${((index + 0.5) / starts.length) * 100}%` }}
        >
          {formatAxisTime(starts[index] ?? '', spanMs)}
        </span>
      ))}
    </div>
  );
}

/** What a bucket holds, beside it. Screen readers hear it from the range input. */
function Bubble({
  axis,
  series,
  index,
  format,
}: {
  axis: TimeAxis;
  series: readonly Series[];
  index: number;
  format: TimeChartProps['format'];
}) {
  const place = (index + 0.5) / axis.starts.length;
  return (
    <div
      aria-hidden="true"
      className={cn(
        'pointer-events-none absolute top-0 z-10 w-max max-w-60 rounded-md bg-surface px-3 py-2 text-xs shadow-floating',
        place > 0.5 ? '-translate-x-full -ml-3' : 'ml-3',
      )}
      style={{ left: `${place * 100}%` }}
    >
      <p className="mb-1 text-muted">{formatBucket(axis.starts[index] ?? '', axis.bucketSeconds)}</p>
      {series.toReversed().map(({ label, color, values }) => {
        const value = values[index];
        return (
          <p key={label} className="flex items-center gap-2 py-0.5">
            <span className="size-2 shrink-0 rounded-full" style={{ background: `var(${color})` }} />
            <span className="flex-1">{label}</span>
            <span className="pl-3 font-medium tabular-nums">
              {value === null || value === undefined ? '–' : format(value)}
            </span>
          </p>
        );
      })}
    </div>
  );
}

/** Columns of stacked values, the first series at the bottom. The parent gives the height. */
function StackedBars({
  series,
  scale,
  count,
  active,
}: {
  series: readonly Series[];
  scale: Scale;
  count: number;
  active: number | null;
}) {
  return (
    <div aria-hidden="true" className="absolute inset-0 flex items-stretch gap-[max(1px,0.25%)]">
      {Array.from({ length: count }, (_, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
          key={index}
          className={cn(
            'flex min-w-0 flex-1 flex-col-reverse overflow-hidden rounded-t-[3px] transition-opacity duration-100',
            active !== null && active !== index && 'opacity-45',
          )}
        >
          {series.map(({ label, color, values }) => {
            const share = scale.shareOf(values[index] ?? 0);
            return share === 0 ? null : (
              <span
                key={label}
                className="w-full shrink-0"
                // A single failure among thousands must be seen.
                style={{ height: `max(2px, ${share * 100}%)`, background: `var(${color})` }}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** Lines over buckets. On a scale from zero the first series also has an area. The parent gives the size; strokes do not scale. */
function LinePlot({
  series,
  scale,
  count,
  active,
}: {
  series: readonly Series[];
  scale: Scale;
  count: number;
  active: number | null;
}) {
  const x = (index: number) => ((index + 0.5) / count) * 100;
  const y = (value: number) => 100 - scale.shareOf(value) * 100;
  return (
    <div aria-hidden="true" className="absolute inset-0">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full overflow-visible">
        <title>Chart</title>
        {series.map(({ label, color, values }, nth) => (
          <Fragment key={label}>
            {stretches(values).map((stretch) => {
              const points = stretch.map(({ index, value }) => `${x(index)},${y(value)}`).join(' L');
              const first = stretch[0];
              const last = stretch.at(-1);
              return (
                <Fragment key={first?.index}>
                  {nth === 0 && scale.ticks[0] === 0 && stretch.length > 1 ? (
                    <path
                      d={`M${x(first?.index ?? 0)},100 L${points} L${x(last?.index ?? 0)},100 Z`}
                      fill={`var(${color})`}
                      opacity={0.12}
                    />
                  ) : null}
                  <path
                    d={`M${points}${stretch.length === 1 ? ` L${points}` : ''}`}
                    fill="none"
                    stroke={`var(${color})`}
                    strokeWidth={stretch.length === 1 ? 5 : 1.75}
                    strokeLinejoin="round"
                    strokeLinecap="round"
                    vectorEffect="non-scaling-stroke"
                  />
                </Fragment>
              );
            })}
          </Fragment>
        ))}
      </svg>
      {active === null ? null : (
        <>
          <span className="absolute inset-y-0 w-px bg-border-strong/60" style={{ left: `${x(active)}%` }} />
          {series.map(({ label, color, values }) => {
            const value = values[active];
            return value === null || value === undefined ? null : (
              <span
                key={label}
                className="absolute size-2 -translate-x-1/2 -translate-y-1/2 rounded-full ring-2 ring-surface"
                style={{ left: `${x(active)}%`, top: `${y(value)}%`, background: `var(${color})` }}
              />
            );
          })}
        </>
      )}
    </div>
  );
}

/** Splits values where they are missing. */
function stretches(values: Series['values']): { index: number; value: number }[][] {
  const result: { index: number; value: number }[][] = [];
  let current: { index: number; value: number }[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) current = [];
    else {
      if (current.length === 0) result.push(current);
      current.push({ index, value });
    }
  }
  return result;
}
