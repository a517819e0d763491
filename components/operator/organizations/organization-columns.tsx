'use client';

import { Trash2 } from 'lucide-react';
import { columnHelperFor } from '@/components/data-table/column-helper';
import { formatCount } from '@/components/operator/format-size';
import { Badge } from '@/components/ui/badge';
import { CopyableId } from '@/components/ui/copyable-id';
import { RelativeTime } from '@/components/ui/relative-time';
import type { OrganizationOverview } from '@/lib/admin/schema';
import { useOpenOrganization } from './open-organization';

const column = columnHelperFor<OrganizationOverview>();

export const organizationColumns = column.columns([
  column.accessor('name', {
    header: 'Organization',
    meta: { primary: true },
    cell: ({ row }) => <OpenButton organization={row.original} />,
  }),
  column.accessor('id', {
    header: 'ID',
    cell: ({ row }) => <CopyableId id={row.original.id} label={`Copy the ID of ${row.original.name}`} short />,
  }),
  column.accessor('deletedAt', { header: 'State', cell: ({ row }) => <OrganizationState {...row.original} /> }),
  column.accessor('memberCount', { header: 'Members', cell: ({ row }) => formatCount(row.original.memberCount) }),
  column.accessor('projectCount', { header: 'Projects', cell: ({ row }) => formatCount(row.original.projectCount) }),
  column.accessor('createdAt', {
    header: 'Created',
    meta: { align: 'end' },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} />,
  }),
]);

function OpenButton({ organization }: { organization: OrganizationOverview }) {
  const open = useOpenOrganization();
  return (
    <button
      type="button"
      onClick={() => open(organization.id)}
      className="wrap-anywhere min-h-6 rounded-sm text-left font-medium text-accent-text hover:underline"
    >
      {organization.name}
    </button>
  );
}

export function OrganizationState({ deletedAt }: Pick<OrganizationOverview, 'deletedAt'>) {
  return deletedAt === null ? (
    <Badge>Active</Badge>
  ) : (
    <Badge tone="warning" icon={Trash2}>
      Being deleted
    </Badge>
  );
}
