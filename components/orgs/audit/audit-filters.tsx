'use client';

import { useId } from 'react';
import { FilterBar } from '@/components/data-table/filter-bar';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { TIME_FILTERS, TimeFilter } from '@/components/data-table/time-filter';
import type { UrlFilters } from '@/components/data-table/use-url-filters';
import { nameOf } from '@/components/orgs/members/use-members';
import { Switch } from '@/components/ui/switch';
import type { AuditLogEntry } from '@/lib/audit/schema';
import type { Member } from '@/lib/orgs/schema';
import { ACTION_OPTIONS, actionLabel } from './action-labels';

export const AUDIT_FILTERS = ['action', 'actorId', 'targetId', ...TIME_FILTERS, 'signIns'] as const;

/** The value of `signIns` that leaves them out. */
export const HIDDEN = 'hidden';

interface AuditFiltersProps extends UrlFilters<(typeof AUDIT_FILTERS)[number]> {
  /** The members to choose from. The API keys and customers among the actors of the entries follow. */
  members: readonly Member[];
  entries: readonly AuditLogEntry[];
}

export function AuditFilters({ filters, active, setFilters, clear, members, entries }: AuditFiltersProps) {
  const actors = [
    ...members.map((member) => ({
      value: member.userId,
      label: nameOf(member),
      ...(member.name === null ? {} : { description: member.email }),
    })),
    ...othersOf(entries),
  ];
  const isListed = actors.some(({ value }) => value === filters.actorId);
  const isAction = filters.action === undefined || ACTION_OPTIONS.some(({ value }) => value === filters.action);
  return (
    <FilterBar active={active} onClear={clear}>
      <SelectFilter
        label="Action"
        width="w-52"
        options={[
          { value: ANY, label: 'Any action' },
          ...ACTION_OPTIONS,
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
          ...actors,
          ...(filters.actorId && !isListed ? [{ value: filters.actorId, label: `…${filters.actorId.slice(-8)}` }] : []),
        ]}
        value={filters.actorId}
        onChange={(actorId) => setFilters({ actorId })}
      />
      {filters.targetId === undefined ? null : (
        <SelectFilter
          label="Target"
          width="w-52"
          options={[
            { value: ANY, label: 'Any target' },
            { value: filters.targetId, label: targetName(filters.targetId, entries[0]?.target) },
          ]}
          value={filters.targetId}
          onChange={(targetId) => setFilters({ targetId })}
        />
      )}
      <TimeFilter label="Time" filters={filters} setFilters={setFilters} />
      <SignIns value={filters.signIns} onChange={(signIns) => setFilters({ signIns })} />
    </FilterBar>
  );
}

/** Returns the actors of the entries that are no members, each once: API keys, and customers whose portals were used. */
function othersOf(entries: readonly AuditLogEntry[]) {
  const others = entries.flatMap(({ actor: { type, id, name, hint } }) => {
    const description = type === 'PORTAL' ? 'Portal' : hint;
    return type !== 'USER' && id !== null && name !== undefined ? [{ value: id, label: name, description }] : [];
  });
  return [...new Map(others.map((each) => [each.value, each])).values()];
}

/** The first entry has the name of the chosen target. */
function targetName(id: string, target: AuditLogEntry['target'] | undefined): string {
  const name = target?.id === id ? target.name : undefined;
  return name ?? `…${id.slice(-8)}`;
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
