'use client';

import { columnsOf } from '@/components/data-table/column-helper';
import { FoundText } from '@/components/data-table/search-match';
import { VerifiedBadge } from '@/components/projects/state-badges';
import { ProviderMark } from '@/components/sources/providers';
import { useSourceNames } from '@/components/sources/use-sources';
import { CopyableId, shortId } from '@/components/ui/copyable-id';
import { formatBytes } from '@/components/ui/format-figures';
import { RelativeTime } from '@/components/ui/relative-time';
import { NoValue } from '@/components/ui/stat';
import type { IncomingEvent, IncomingEventListItem } from '@/lib/incoming/schema';

const SIGNATURE = {
  header: 'Signature',
  unlabelled: true,
  cell: (event: IncomingEvent) => <VerifiedBadge {...event} />,
};
const TYPE = {
  header: 'Type',
  unlabelled: true,
  className: 'min-w-0 sm:max-w-56',
  cell: ({ eventType }: IncomingEvent) => (
    <code className="block truncate font-mono text-xs" title={eventType ?? undefined}>
      {eventType ?? <NoValue label="No type" />}
    </code>
  ),
};
const CONTENT = {
  header: 'Content type',
  className: 'max-lg:hidden min-w-0 sm:max-w-48',
  cell: ({ contentType }: IncomingEvent) => (
    <code className="block truncate font-mono text-muted text-xs" title={contentType ?? undefined}>
      {contentType ?? <NoValue label="No content type" />}
    </code>
  ),
};
const SIZE = {
  header: 'Size',
  className: 'max-sm:hidden whitespace-nowrap tabular-nums text-muted',
  cell: ({ size }: IncomingEvent) => formatBytes(size),
};
const RECEIVED = {
  header: 'Received',
  align: 'end' as const,
  unlabelled: true,
  className: 'max-sm:absolute max-sm:top-2.5 max-sm:right-0',
  cell: ({ createdAt }: IncomingEvent) => <RelativeTime at={createdAt} inRow className="text-muted" />,
};

/** The incoming events of a project. */
export const incomingEventColumns = columnsOf<IncomingEventListItem>([
  {
    header: 'Source',
    primary: true,
    className: 'min-w-0 max-sm:pr-24 sm:max-w-64',
    cell: ({ sourceId }) => <SourceName sourceId={sourceId} />,
  },
  {
    ...TYPE,
    cell: (event) => (
      <div className="min-w-0">
        {TYPE.cell(event)}
        <FoundText match={event.match} />
      </div>
    ),
  },
  SIGNATURE,
  CONTENT,
  SIZE,
  {
    header: 'ID',
    className: 'max-sm:hidden',
    cell: ({ id }) => <CopyableId id={id} label="Copy incoming event ID" short className="relative z-10 text-muted" />,
  },
  RECEIVED,
]);

/** The incoming events of one source, which their rows need not name. */
export const incomingEventColumnsOfSource = columnsOf<IncomingEvent>([
  {
    header: 'ID',
    primary: true,
    className: 'whitespace-nowrap',
    cell: ({ id }) => <code className="font-mono text-xs">{shortId(id)}</code>,
  },
  TYPE,
  SIGNATURE,
  CONTENT,
  SIZE,
  RECEIVED,
]);

/** The name and mark of a source, or the end of its id after it is deleted. `className` is of the name. */
export function SourceName({ sourceId, className = 'truncate' }: { sourceId: string; className?: string }) {
  const { rows, find } = useSourceNames();
  const source = find(sourceId);
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <ProviderMark provider={source?.provider ?? 'NONE'} />
      <span className={className} title={source?.name}>
        {source?.name ?? (rows === undefined ? '…' : `Source ${shortId(sourceId)}`)}
      </span>
    </span>
  );
}
