import { useId } from 'react';
import type { OwnData } from '@/lib/retention/schema';
import { DATA_CLASS_LABELS, formatDays } from './retention-labels';

const ROW = 38;
const BAR = 8;
const AXIS = 26;
const DAY_MS = 86_400_000;

/**
 * A timeline with today at the right, a bar for the time each data class is kept, and a ring at the organization's oldest
 * row. It uses percentages instead of a view box, so that text keeps its size on every screen.
 */
export function RetentionTimeline({ classes, now }: { classes: readonly OwnData[]; now: Date }) {
  const gradient = useId();
  const aged = classes.flatMap((own) => (own.days === null ? [] : [{ ...own, days: own.days }]));
  const rows = aged.sort((a, b) => a.days - b.days);
  const maxDays = Math.max(1, ...rows.map(({ days }) => days));
  const height = rows.length * ROW;
  return (
    <figure>
      <svg
        role="img"
        aria-label="How long each kind of data is kept, counted back from today. The table below contains the same data."
        width="100%"
        height={height + AXIS}
        className="block overflow-visible"
      >
        <defs>
          <linearGradient id={gradient}>
            <stop offset="0" stopColor="var(--accent)" stopOpacity="0.3" />
            <stop offset="1" stopColor="var(--accent)" />
          </linearGradient>
        </defs>
        <Axis maxDays={maxDays} height={height} />
        {rows.map((own, index) => (
          <Row key={own.data} own={own} top={index * ROW} maxDays={maxDays} fill={`url(#${gradient})`} now={now} />
        ))}
      </svg>
      <figcaption className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-xs">
        <span className="flex items-center gap-1.5">
          <span aria-hidden="true" className="h-2 w-6 rounded-full bg-gradient-to-r from-accent/30 to-accent" />
          kept
        </span>
        <span className="flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2.5 rounded-full border-2 border-text bg-surface" />
          oldest row of your organization
        </span>
      </figcaption>
    </figure>
  );
}

function Row({
  own: { data, days, oldestAt },
  top,
  maxDays,
  fill,
  now,
}: {
  own: OwnData & { days: number };
  top: number;
  maxDays: number;
  fill: string;
  now: Date;
}) {
  const start = positionPercent(days, maxDays);
  const y = top + 20;
  const oldest = oldestAt === null ? null : (now.getTime() - new Date(oldestAt).getTime()) / DAY_MS;
  return (
    <>
      <text x="0" y={top + 12} className="fill-text font-medium text-xs">
        {DATA_CLASS_LABELS[data].label}
        <tspan dx="8" className="fill-muted font-normal tabular-nums">
          {formatDays(days)}
        </tspan>
      </text>
      <rect x="0" y={y} width="100%" height={BAR} rx={BAR / 2} className="fill-sunken" />
      <rect x={`${start}%`} y={y} width={`${100 - start}%`} height={BAR} rx={BAR / 2} fill={fill} />
      {oldest === null ? null : (
        <circle
          cx={`${positionPercent(oldest, maxDays)}%`}
          cy={y + BAR / 2}
          r="5"
          strokeWidth="2"
          className="fill-surface stroke-text"
        />
      )}
    </>
  );
}

function Axis({ maxDays, height }: { maxDays: number; height: number }) {
  const text = 'fill-muted text-xs';
  return (
    <>
      {ticksOf(maxDays).map((days) => (
        <g key={days}>
          <line
            x1={`${positionPercent(days, maxDays)}%`}
            x2={`${positionPercent(days, maxDays)}%`}
            y1="0"
            y2={height}
            strokeDasharray="2 4"
            className="stroke-border"
          />
          <text x={`${positionPercent(days, maxDays)}%`} y={height + 16} textAnchor="middle" className={text}>
            {days.toLocaleString('en-GB')}
          </text>
        </g>
      ))}
      <text x="0" y={height + 16} className={text}>
        {formatDays(maxDays)} ago
      </text>
      <text x="100%" y={height + 16} textAnchor="end" className={text}>
        today
      </text>
    </>
  );
}

const STEPS = [1, 2, 7, 14, 30, 60, 90, 180, 365, 730, 1825, 3650, 7300, 14_600] as const;
const MAX_TICKS = 4;

/** Returns the position of a day in percent: 0 for the oldest shown day, 100 for today. */
export function positionPercent(daysAgo: number, maxDays: number): number {
  return 100 - (Math.min(Math.max(daysAgo, 0), maxDays) / maxDays) * 100;
}

/** Returns round numbers of days ago for the axis: at most three, without today and the oldest day. */
export function ticksOf(maxDays: number): number[] {
  const step = STEPS.find((candidate) => maxDays / candidate <= MAX_TICKS) ?? maxDays;
  const count = Math.ceil(maxDays / step) - 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => (index + 1) * step);
}
