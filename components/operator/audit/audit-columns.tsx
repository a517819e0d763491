'use client';

import { columnHelperFor } from '@/components/data-table/column-helper';
import { actorLabel, targetLabel } from '@/components/orgs/audit/action-labels';
import { ActionSummary } from '@/components/orgs/audit/action-summary';
import { CopyableId } from '@/components/ui/copyable-id';
import { NoValue } from '@/components/ui/no-value';
import { RelativeTime } from '@/components/ui/relative-time';
import type { AuditLogEntry } from '@/lib/audit/schema';

const column = columnHelperFor<AuditLogEntry>();
const TOP = 'sm:align-top sm:pt-2.5 max-sm:items-start max-sm:before:pt-px';

export const auditColumns = column.columns([
  column.accessor('action', {
    header: 'Action',
    meta: { primary: true, className: 'sm:align-top max-sm:pr-24' },
    cell: ({ row }) => <ActionSummary entry={row.original} className="sm:min-w-40" />,
  }),
  column.accessor('actor', {
    header: 'Actor',
    meta: { className: TOP },
    cell: ({ row }) => {
      const { actor } = row.original;
      return <Named what={actorLabel(actor)} id={actor.id} />;
    },
  }),
  column.accessor('target', {
    header: 'Target',
    meta: { className: TOP },
    cell: ({ row }) => {
      const { type, id, name } = row.original.target;
      return <Named what={targetLabel(type)} name={name} id={id} />;
    },
  }),
  column.accessor('organizationId', {
    header: 'Organization',
    meta: { className: TOP },
    cell: ({ row }) => {
      const { organizationId, organizationName } = row.original;
      if (organizationId === null) return <NoValue />;
      return <Named what={organizationName ?? 'Deleted organization'} copied="organization" id={organizationId} />;
    },
  }),
  column.accessor('ipAddress', {
    header: 'IP address',
    meta: { className: TOP },
    cell: ({ row }) => (
      <code className="block break-all font-mono text-xs sm:min-w-28">{row.original.ipAddress ?? <NoValue />}</code>
    ),
  }),
  column.accessor('createdAt', {
    header: 'When',
    meta: { align: 'end', unlabelled: true, className: `${TOP} max-sm:absolute max-sm:top-2.5 max-sm:right-0` },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} className="text-muted" />,
  }),
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
