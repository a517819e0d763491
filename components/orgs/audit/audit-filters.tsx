'use client';

import { useId } from 'react';
import { FilterBar } from '@/components/data-table/filter-bar';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import type { UrlFilters } from '@/components/data-table/use-url-filters';
import { nameOf } from '@/components/orgs/members/member-name';
import { Input } from '@/components/ui/input';
import { Switch } from '@/components/ui/switch';
import { AUDIT_ACTIONS } from '@/lib/audit/types';
import type { Member } from '@/lib/orgs/schema';
import { ACTION_LABELS, actionLabel } from './action-labels';

export const AUDIT_FILTERS = ['action', 'actorId', 'from', 'to', 'signIns'] as const;

/** The value of `signIns` that leaves them out. */
export const HIDDEN = 'hidden';

const ACTIONS = AUDIT_ACTIONS.map((value) => ({ value: value as string, label: ACTION_LABELS[value] })).toSorted(
  (a, b) => a.label.localeCompare(b.label, 'en'),
);

export interface AuditFiltersProps extends UrlFilters<(typeof AUDIT_FILTERS)[number]> {
  /** The members to choose from. Other actors can be filtered by clicking their name in the log. */
  members: readonly Member[];
}

export function AuditFilters({ filters, active, setFilters, clear, members }: AuditFiltersProps) {
  const isMember = members.some(({ userId }) => userId === filters.actorId);
  const isAction = filters.action === undefined || ACTIONS.some(({ value }) => value === filters.action);
  return (
    <FilterBar active={active} onClear={clear}>
      <SelectFilter
        label="Action"
        width="w-52"
        options={[
          { value: ANY, label: 'Any action' },
          ...ACTIONS,
          ...(isAction ? [] : [{ value: filters.action ?? '', label: actionLabel(filters.action ?? '') }]),
        ]}
        value={filters.action}
        onChange={(action) => setFilters({ action })}
      />
      <SelectFilter
        label="Actor"
        width="w-44"
        options={[
          { value: ANY, label: 'Any actor' },
          ...members.map((member) => ({
            value: member.userId,
            label: nameOf(member),
            ...(member.name === null ? {} : { description: member.email }),
          })),
          ...(filters.actorId && !isMember ? [{ value: filters.actorId, label: `…${filters.actorId.slice(-8)}` }] : []),
        ]}
        value={filters.actorId}
        onChange={(actorId) => setFilters({ actorId })}
      />
      <Day label="From" value={filters.from} onChange={(from) => setFilters({ from })} max={filters.to} />
      <Day label="To" value={filters.to} onChange={(to) => setFilters({ to })} min={filters.from} />
      <SignIns value={filters.signIns} onChange={(signIns) => setFilters({ signIns })} />
    </FilterBar>
  );
}

function SignIns({ value, onChange }: { value: string | undefined; onChange: (signIns: string | undefined) => void }) {
  const id = useId();
  return (
    <div className="flex h-9 items-center gap-2">
      <Switch
        id={id}
        checked={value === HIDDEN}
        onCheckedChange={(isHidden) => onChange(isHidden ? HIDDEN : undefined)}
      />
      <label htmlFor={id} className="text-sm">
        Hide sign-ins
      </label>
    </div>
  );
}

function Day({
  label,
  value,
  onChange,
  ...bounds
}: {
  label: string;
  value: string | undefined;
  onChange: (day: string | undefined) => void;
  min?: string | undefined;
  max?: string | undefined;
}) {
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="text-muted text-sm max-sm:w-10 max-sm:shrink-0">
        {label}
      </label>
      <Input
        id={id}
        type="date"
        className="w-38 max-sm:w-full"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || undefined)}
        {...(bounds.min ? { min: bounds.min } : {})}
        {...(bounds.max ? { max: bounds.max } : {})}
      />
    </div>
  );
}
