'use client';

import { columnHelperFor } from '@/components/data-table/column-helper';
import { CopyableId } from '@/components/ui/copyable-id';
import { RelativeTime } from '@/components/ui/relative-time';
import type { AuditLogEntry } from '@/lib/audit/schema';

const column = columnHelperFor<AuditLogEntry>();

export const auditColumns = column.columns([
  column.accessor('action', {
    header: 'Action',
    meta: { primary: true, className: 'max-sm:pr-24' },
    cell: ({ row }) => <ActionCell entry={row.original} />,
  }),
  column.accessor('actor', { header: 'Actor', cell: ({ row }) => <ActorCell actor={row.original.actor} /> }),
  column.accessor('target', {
    header: 'Target',
    cell: ({ row }) => <Named what={row.original.target.type} id={row.original.target.id} />,
  }),
  column.accessor('organizationId', {
    header: 'Organization',
    cell: ({ row }) => <IdOrNone id={row.original.organizationId} label="Copy organization ID" />,
  }),
  column.accessor('ipAddress', {
    header: 'IP address',
    cell: ({ row }) => <code className="break-all font-mono text-xs">{row.original.ipAddress ?? '–'}</code>,
  }),
  column.accessor('createdAt', {
    header: 'When',
    meta: { align: 'end', unlabelled: true, className: 'max-sm:absolute max-sm:top-2.5 max-sm:right-0' },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} className="text-muted" />,
  }),
]);

function ActionCell({ entry: { action, details } }: { entry: AuditLogEntry }) {
  const facts = Object.keys(details).length === 0 ? null : JSON.stringify(details);
  return (
    <div className="min-w-0 py-1">
      <p className="wrap-anywhere font-medium font-mono text-xs">{action}</p>
      {facts === null ? null : (
        <p title={facts} className="wrap-anywhere line-clamp-2 max-w-64 font-mono text-muted text-xs">
          {facts}
        </p>
      )}
    </div>
  );
}

const ACTORS: Record<AuditLogEntry['actor']['type'], string> = {
  USER: 'User',
  API_KEY: 'API key',
  OPERATOR: 'Operator',
  SYSTEM: 'System',
};

function ActorCell({ actor: { type, id, email } }: { actor: AuditLogEntry['actor'] }) {
  return <Named what={email ?? ACTORS[type]} id={id} />;
}

function Named({ what, id }: { what: string; id: string | null }) {
  return (
    <div className="min-w-0 py-1">
      <p className="wrap-anywhere">{what}</p>
      {id === null ? null : <CopyableId id={id} label={`Copy the ID of this ${what}`} short />}
    </div>
  );
}

function IdOrNone({ id, label }: { id: string | null; label: string }) {
  return id === null ? <span className="text-muted">none</span> : <CopyableId id={id} label={label} short />;
}
