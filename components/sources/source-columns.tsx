import { columnHelperFor } from '@/components/data-table/column-helper';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Source } from '@/lib/incoming/schema';
import { ProviderMark } from './provider-mark';
import { PROVIDERS } from './providers';
import { SignatureCheck } from './signature-check';
import { SourceState } from './source-state';

const column = columnHelperFor<Source>();

export const sourceColumns = column.columns([
  column.accessor('name', {
    header: 'Name',
    meta: { primary: true, className: 'min-w-0 sm:max-w-72' },
    cell: ({ row }) => (
      <span className="flex min-w-0 items-center gap-2.5">
        <ProviderMark provider={row.original.provider} />
        <span className="truncate">{row.original.name}</span>
      </span>
    ),
  }),
  column.accessor('provider', {
    header: 'Provider',
    meta: { className: 'max-sm:hidden whitespace-nowrap text-muted' },
    cell: ({ row }) => PROVIDERS[row.original.provider].name,
  }),
  column.accessor('hasSecret', {
    header: 'Signature check',
    cell: ({ row }) => <SignatureCheck {...row.original} />,
  }),
  column.accessor('enabled', {
    header: 'State',
    cell: ({ row }) => <SourceState enabled={row.original.enabled} />,
  }),
  column.accessor('createdAt', {
    header: 'Created',
    meta: { align: 'end', hidden: 'max-sm:hidden' },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} inRow />,
  }),
]);
