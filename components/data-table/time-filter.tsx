'use client';

import { useId, useState } from 'react';
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
  setFilters: (change: Partial<TimeFilters>) => void;
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
          <Time label="From" value={from} isOnly={to === undefined} onChange={(at) => setFilters({ from: at })} />
          <Time label="To" value={to} isOnly={from === undefined} onChange={(at) => setFilters({ to: at })} />
        </>
      ) : null}
    </>
  );
}

/** Years that a person may still be typing, such as 0002, come before it. */
const EARLIEST = '2000-01-01T00:00';
const LATEST = '2999-12-31T23:59';

/** One end of the range. What is typed counts when the field loses the focus, or on Enter: a part of a time is another time. */
function Time({
  label,
  value,
  isOnly,
  onChange,
}: {
  label: string;
  value: string | undefined;
  /** The range has no other end, and would be none without this one. */
  isOnly: boolean;
  onChange: (at: string | undefined) => void;
}) {
  const id = useId();
  const shown = toTimeInput(value ?? '');
  const [typed, setTyped] = useState<string | null>(null);
  const commit = (field: HTMLInputElement) => {
    setTyped(null);
    const at = fromTimeInput(field.value);
    const isTime = field.validity.valid && !Number.isNaN(at.getTime());
    if (isTime && field.value !== shown) onChange(at.toISOString());
    else if (field.value === '' && !field.validity.badInput && value !== undefined && !isOnly) onChange(undefined);
  };
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="text-muted text-sm max-sm:w-10 max-sm:shrink-0">
        {label}
      </label>
      <Input
        id={id}
        type="datetime-local"
        className="w-52 max-sm:w-full"
        min={EARLIEST}
        max={LATEST}
        value={typed ?? shown}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={(event) => commit(event.target)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit(event.currentTarget);
        }}
      />
    </div>
  );
}
