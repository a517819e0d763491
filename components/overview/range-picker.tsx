'use client';

import { CalendarRange } from 'lucide-react';
import { formatRange } from '@/components/charts/format-bucket';
import { cn } from '@/components/ui/cn';
import { RANGES, type RangeName } from '@/lib/stats/range-policy';
import { CustomRange } from './custom-range';
import type { ChosenRange } from './use-overview';

const LABELS: Record<RangeName, string> = {
  '1h': 'Last hour',
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

/** Chooses the range of the overview: one of five, or two times. */
export function RangePicker({
  chosen,
  choose,
  chooseTimes,
}: {
  chosen: ChosenRange;
  choose: (name: RangeName) => void;
  chooseTimes: (times: { from: string; to: string }) => void;
}) {
  const item =
    'inline-flex h-7 items-center gap-1.5 whitespace-nowrap rounded-md px-2.5 font-medium text-xs text-muted hover:text-text aria-pressed:bg-raised aria-pressed:text-text aria-pressed:shadow-raised';
  return (
    <fieldset className="flex max-w-full items-center gap-0.5 rounded-lg bg-sunken p-0.5">
      <legend className="sr-only">Range</legend>
      {(Object.keys(RANGES) as RangeName[]).map((name) => (
        <button
          key={name}
          type="button"
          title={LABELS[name]}
          aria-label={`${name}: ${LABELS[name].toLowerCase()}`}
          aria-pressed={chosen.name === name}
          className={item}
          onClick={() => choose(name)}
        >
          {name}
        </button>
      ))}
      <CustomRange chosen={chosen} onChoose={chooseTimes}>
        <button type="button" aria-pressed={chosen.name === null} className={cn(item, 'min-w-0')}>
          <CalendarRange aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="truncate">{chosen.from && chosen.to ? formatRange(chosen.from, chosen.to) : 'Custom'}</span>
        </button>
      </CustomRange>
    </fieldset>
  );
}
