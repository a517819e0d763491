import { columnHelperFor } from '@/components/data-table/column-helper';
import { RelativeTime } from '@/components/ui/relative-time';
import type { AuditLogEntry } from '@/lib/audit/schema';
import { ActionCell, ActorCell, TargetCell } from './audit-cells';

const column = columnHelperFor<AuditLogEntry>();
const TOP = 'sm:align-top sm:pt-2.5 max-sm:items-start';

export const auditColumns = column.columns([
  column.accessor('action', {
    header: 'Action',
    meta: { primary: true, className: 'sm:align-top max-sm:pr-24' },
    cell: ({ row }) => <ActionCell entry={row.original} />,
  }),
  column.accessor('actor', {
    header: 'Actor',
    meta: { className: `${TOP} max-sm:before:pt-px` },
    cell: ({ row }) => <ActorCell entry={row.original} />,
  }),
  column.accessor('target', {
    header: 'Target',
    meta: { className: `${TOP} max-sm:before:pt-0.75 sm:max-w-72` },
    cell: ({ row }) => <TargetCell entry={row.original} />,
  }),
  column.accessor('createdAt', {
    header: 'Time',
    meta: { align: 'end', unlabelled: true, className: `${TOP} max-sm:absolute max-sm:top-3.5 max-sm:right-0` },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} className="text-muted" />,
  }),
]);
