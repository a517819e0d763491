'use client';

import { RotateCw } from 'lucide-react';
import { actionLabel } from '@/components/orgs/audit/action-labels';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { AUDIT_ACTIONS } from '@/lib/audit/types';
import { type AuditFilterValues, isIdOrEmpty, NO_FILTERS } from './audit-query';

const ANY = 'any';
const ACTIONS = [
  { value: ANY, label: 'Any action' },
  ...AUDIT_ACTIONS.map((value) => ({ value: value as string, label: actionLabel(value) })).toSorted((a, b) =>
    a.label.localeCompare(b.label, 'en'),
  ),
];

/** The filters of the audit log. */
export function AuditFilters({
  filters,
  onChange,
  onReload,
}: {
  filters: AuditFilterValues;
  onChange: (filters: AuditFilterValues) => void;
  onReload: () => void;
}) {
  const active = Object.entries(filters).some(([name, value]) => value !== NO_FILTERS[name as keyof AuditFilterValues]);
  const change = (part: Partial<AuditFilterValues>) => onChange({ ...filters, ...part });
  return (
    <search aria-label="Filters" className="mb-3 grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-3">
      <Field label="Action">
        {(control) => (
          <Select
            {...control}
            options={ACTIONS}
            value={filters.action ?? ANY}
            onValueChange={(action) => change({ action: action === ANY ? undefined : action })}
          />
        )}
      </Field>
      <IdField
        label="Organization ID"
        value={filters.organizationId}
        onChange={(organizationId) => change({ organizationId })}
      />
      <IdField label="Actor ID" value={filters.actorId} onChange={(actorId) => change({ actorId })} />
      <TimeField label="From" value={filters.from} onChange={(from) => change({ from })} />
      <TimeField label="To" value={filters.to} onChange={(to) => change({ to })} />
      <div className="flex flex-wrap gap-2 sm:self-end">
        <Button onClick={onReload}>
          <RotateCw aria-hidden="true" />
          Refresh
        </Button>
        {active ? (
          <Button variant="ghost" onClick={() => onChange(NO_FILTERS)}>
            Clear filters
          </Button>
        ) : null}
      </div>
    </search>
  );
}

interface TypedProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function IdField({ label, value, onChange }: TypedProps) {
  return (
    <Field label={label} error={isIdOrEmpty(value) ? undefined : 'Enter a complete ID.'}>
      {(control) => (
        <Input
          {...control}
          value={value}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
          className="font-mono sm:text-xs"
        />
      )}
    </Field>
  );
}

function TimeField({ label, value, onChange }: TypedProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Input {...control} type="datetime-local" value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
