'use client';

import { type ComponentProps, useId } from 'react';
import { WINDOWS } from '@/components/events/time-window';
import { Input } from '@/components/ui/input';
import { fromTimeInput, toTimeInput } from '@/components/ui/time-zone';
import { ANY, SelectFilter } from './select-filter';

const CUSTOM = 'custom';
const OPTIONS = [
  { value: ANY, label: 'Any time' },
  ...Object.entries(WINDOWS).map(([value, { label }]) => ({ value, label })),
  { value: CUSTOM, label: 'Custom…' },
];

export const TIME_FILTERS = ['since', 'from', 'to'] as const;
type TimeFilters = Record<(typeof TIME_FILTERS)[number], string | undefined>;

/** A filter by time: a window that ends now, or a custom one with a start, an end or both, in the preferred zone. */
export function TimeFilter({
  label,
  filters: { since, from, to },
  setFilters,
}: {
  label: string;
  filters: TimeFilters;
  setFilters: (change: TimeFilters) => void;
}) {
  const isCustom = from !== undefined || to !== undefined;
  const choose = (chosen: string | undefined) => {
    if (chosen !== CUSTOM) return setFilters({ since: chosen, from: undefined, to: undefined });
    const yesterday = new Date(Date.now() - WINDOWS['24h'].ms);
    yesterday.setSeconds(0, 0);
    setFilters({ since: undefined, from: yesterday.toISOString(), to: undefined });
  };
  return (
    <>
      <SelectFilter label={label} width="w-32" options={OPTIONS} value={isCustom ? CUSTOM : since} onChange={choose} />
      {isCustom ? (
        <>
          <Time label="From" value={from} onChange={(at) => setFilters({ since, from: at, to })} />
          <Time label="To" value={to} onChange={(at) => setFilters({ since, from, to: at })} />
        </>
      ) : null}
    </>
  );
}

function Time({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | undefined;
  onChange: (at: string | undefined) => void;
}) {
  return (
    <LabelledInput
      label={label}
      type="datetime-local"
      className="w-52 max-sm:w-full"
      value={toTimeInput(value ?? '')}
      onChange={(event) => {
        const at = fromTimeInput(event.target.value);
        onChange(Number.isNaN(at.getTime()) ? undefined : at.toISOString());
      }}
    />
  );
}

/** An input with its label beside it. */
export function LabelledInput({ label, ...rest }: ComponentProps<typeof Input> & { label: string }) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="text-muted text-sm max-sm:w-10 max-sm:shrink-0">
        {label}
      </label>
      <Input id={id} {...rest} />
    </div>
  );
}
