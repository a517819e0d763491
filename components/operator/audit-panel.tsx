'use client';

import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { columnsOf } from '@/components/data-table/column-helper';
import { PagedTable } from '@/components/data-table/paged-table';
import { ANY } from '@/components/data-table/select-filter';
import { usePages } from '@/components/data-table/use-pages';
import { ACTION_OPTIONS, actorLabel, targetLabel } from '@/components/orgs/audit/action-labels';
import { ActionSummary } from '@/components/orgs/audit/action-summary';
import { Button } from '@/components/ui/button';
import { CopyableId } from '@/components/ui/copyable-id';
import { EmptyState } from '@/components/ui/empty-state';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { RelativeTime } from '@/components/ui/relative-time';
import { Select } from '@/components/ui/select';
import { NoValue } from '@/components/ui/stat';
import type { AuditLogEntry } from '@/lib/audit/schema';

const TOP = 'sm:align-top sm:pt-2.5 max-sm:items-start max-sm:before:pt-px';

const auditColumns = columnsOf<AuditLogEntry>([
  {
    header: 'Action',
    primary: true,
    className: 'sm:align-top max-sm:pr-24',
    cell: (entry) => <ActionSummary entry={entry} className="sm:min-w-40" />,
  },
  { header: 'Actor', className: TOP, cell: ({ actor }) => <Named what={actorLabel(actor)} id={actor.id} /> },
  {
    header: 'Target',
    className: TOP,
    cell: ({ target: { type, id, name } }) => <Named what={targetLabel(type)} name={name} id={id} />,
  },
  {
    header: 'Organization',
    className: TOP,
    cell: ({ organizationId: id, organizationName: name }) =>
      id === null ? <NoValue /> : <Named what={name ?? 'Deleted organization'} copied="organization" id={id} />,
  },
  {
    header: 'IP address',
    className: TOP,
    cell: ({ ipAddress }) => (
      <code className="block break-all font-mono text-xs sm:min-w-28">{ipAddress ?? <NoValue />}</code>
    ),
  },
  {
    header: 'When',
    align: 'end',
    unlabelled: true,
    className: `${TOP} max-sm:absolute max-sm:top-2.5 max-sm:right-0`,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-muted" />,
  },
]);

interface NamedProps {
  what: string;
  name?: string | undefined;
  id: string | null;
  /** What the ID is of, for the button that copies it. */
  copied?: string;
}

/** What it is, its name, and its ID to copy into a filter. */
function Named({ what, name, id, copied = what }: NamedProps) {
  return (
    <div className="min-w-0">
      <p className="wrap-anywhere">{what}</p>
      {name === undefined ? null : <p className="wrap-anywhere text-muted text-xs">{name}</p>}
      {id === null ? null : <CopyableId id={id} label={`Copy the ID of this ${copied}`} short className="text-muted" />}
    </div>
  );
}

/** Those that are typed. Times are in the reader's zone. */
const FIELDS = [
  { name: 'organizationId', label: 'Organization ID', type: 'text' },
  { name: 'actorId', label: 'Actor ID', type: 'text' },
  { name: 'from', label: 'From', type: 'datetime-local' },
  { name: 'to', label: 'To', type: 'datetime-local' },
] as const;

type AuditFilters = Record<'action' | (typeof FIELDS)[number]['name'], string>;

export const NO_FILTERS: AuditFilters = { action: ANY, organizationId: '', actorId: '', from: '', to: '' };

/** The audit log of all organizations, including deleted ones. */
export function AuditPanel() {
  const [filters, setFilters] = useState(NO_FILTERS);
  const pages = usePages<AuditLogEntry>('/audit-log', toQuery(filters), { pinned: true });
  const isActive = Object.values(filters).join() !== Object.values(NO_FILTERS).join();
  const change = (name: keyof AuditFilters, value: string) => setFilters({ ...filters, [name]: value });
  return (
    <>
      <search aria-label="Filters" className="mb-3 grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-3">
        <Field label="Action">
          {(control) => (
            <Select
              {...control}
              options={[{ value: ANY, label: 'Any action' }, ...ACTION_OPTIONS]}
              value={filters.action}
              onValueChange={(action) => change('action', action)}
            />
          )}
        </Field>
        {FIELDS.map(({ name, label, type }) => (
          <Field
            key={name}
            label={label}
            error={type === 'text' && !isIdOrEmpty(filters[name]) ? 'Enter a complete ID.' : undefined}
          >
            {(control) => (
              <Input
                {...control}
                type={type}
                value={filters[name]}
                spellCheck={false}
                autoComplete="off"
                onChange={(event) => change(name, event.target.value)}
                className={type === 'text' ? 'font-mono sm:text-xs' : undefined}
              />
            )}
          </Field>
        ))}
        <div className="flex flex-wrap gap-2 sm:self-end">
          <Button onClick={() => void pages.reload()}>
            <RotateCw aria-hidden="true" />
            Refresh
          </Button>
          {isActive ? (
            <Button variant="ghost" onClick={() => setFilters(NO_FILTERS)}>
              Clear filters
            </Button>
          ) : null}
        </div>
      </search>
      <PagedTable
        label="Audit log"
        columns={auditColumns}
        pages={pages}
        getRowId={(entry) => entry.id}
        empty={<EmptyState title="No matching entries" sentence="No entry matches all of these filters." />}
      />
    </>
  );
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a typed id is complete or empty. */
export function isIdOrEmpty(typed: string): boolean {
  return typed.trim() === '' || ID.test(typed.trim());
}

/** Returns the query parameters of the API. An incomplete id filters nothing. */
export function toQuery(filters: AuditFilters): Record<string, string | undefined> {
  return {
    action: filters.action === ANY ? undefined : filters.action,
    organizationId: idOf(filters.organizationId),
    actorId: idOf(filters.actorId),
    from: instantOf(filters.from, 0),
    // To the end of the named minute.
    to: instantOf(filters.to, 59_999),
  };
}

function idOf(typed: string): string | undefined {
  return ID.test(typed.trim()) ? typed.trim() : undefined;
}

function instantOf(local: string, plusMs: number): string | undefined {
  const at = Date.parse(local);
  // The browser accepts years of five digits, the API does not.
  return Number.isNaN(at) || at < 0 || at > 8.64e13 ? undefined : new Date(at + plusMs).toISOString();
}
