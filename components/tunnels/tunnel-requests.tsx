'use client';

import { History } from 'lucide-react';
import { columnsOf } from '@/components/data-table/column-helper';
import { FilterBar } from '@/components/data-table/filter-bar';
import { useFilteredList } from '@/components/data-table/filtered-list';
import { LiveTable } from '@/components/data-table/live-table';
import { NoMatches } from '@/components/data-table/paged-table';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { WINDOWS } from '@/components/events/time-window';
import { LiveMark } from '@/components/live/live-mark';
import { RequestOutcome } from '@/components/projects/state-badges';
import { CopyButton } from '@/components/ui/copy-button';
import { EmptyState } from '@/components/ui/empty-state';
import { formatBytes } from '@/components/ui/format-figures';
import { formatDuration } from '@/components/ui/format-time';
import { RelativeTime } from '@/components/ui/relative-time';
import { shellQuote } from '@/components/ui/shell-quote';
import { NoValue } from '@/components/ui/stat';
import type { Tunnel, TunnelRequest } from '@/lib/tunnel/schema';

const METHODS = [
  { value: ANY, label: 'Any method' },
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map((value) => ({ value, label: value })),
];

const STATUSES = [
  { value: ANY, label: 'Any status' },
  { value: '2xx', label: '2xx success' },
  { value: '3xx', label: '3xx redirect' },
  { value: '4xx', label: '4xx client error' },
  { value: '5xx', label: '5xx server error' },
  { value: 'none', label: 'No response' },
];

/** The log is kept for seven days. */
const TIMES = [
  { value: ANY, label: 'Any time' },
  { value: '1h', label: WINDOWS['1h'].label },
  { value: '24h', label: WINDOWS['24h'].label },
];

const FILTERS = ['method', 'status', 'since'] as const;

const tunnelRequestColumns = columnsOf<TunnelRequest>([
  {
    header: 'Request',
    primary: true,
    className: 'min-w-0 max-sm:pr-20 sm:max-w-60 md:max-w-96',
    cell: ({ method, path, replayOf }) => (
      <span className="flex min-w-0 items-center gap-2 font-mono text-xs" title={path}>
        <span className="shrink-0 font-semibold">{method}</span>
        <span className="truncate font-normal">{path}</span>
        {replayOf === null ? null : (
          <span className="inline-flex shrink-0 items-center gap-1 font-sans text-muted">
            <History aria-hidden="true" className="size-3" />
            Replay
          </span>
        )}
      </span>
    ),
  },
  { header: 'Status', unlabelled: true, cell: (request) => <RequestOutcome {...request} /> },
  {
    header: 'Duration',
    align: 'end',
    unlabelled: true,
    className: 'max-sm:absolute max-sm:top-9 max-sm:right-0',
    cell: ({ durationMs }) => (
      <span className="whitespace-nowrap tabular-nums max-sm:text-muted">
        {durationMs === null ? <NoValue /> : formatDuration(durationMs)}
      </span>
    ),
  },
  {
    header: 'Size in / out',
    align: 'end',
    className: 'max-sm:hidden',
    cell: ({ requestSize, responseSize }) => (
      <span className="whitespace-nowrap text-muted tabular-nums">
        {formatBytes(requestSize)} / {responseSize === null ? <NoValue /> : formatBytes(responseSize)}
      </span>
    ),
  },
  {
    header: 'Received',
    align: 'end',
    unlabelled: true,
    className: 'max-sm:absolute max-sm:top-2.5 max-sm:right-0',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} inRow className="text-muted" />,
  },
]);

const NOUN = ['request', 'requests'] as const;
const OPTIONS = { kinds: ['tunnelRequests'], pollMs: 2000 } as const;

/** The live log of a tunnel, newest first. */
export function TunnelRequests({ tunnel }: { tunnel: Tunnel }) {
  const list = useFilteredList<TunnelRequest, (typeof FILTERS)[number]>(
    `tunnels/${tunnel.id}/requests`,
    FILTERS,
    OPTIONS,
  );
  const { path, pages, active, clear, bind } = list;
  return (
    <section aria-labelledby="requests" className="min-w-0">
      <header className="relative mb-3 flex flex-wrap items-start justify-between gap-x-4">
        <div>
          <h2 id="requests" className="font-semibold text-base">
            Requests
          </h2>
          <p className="text-muted text-sm">Every request to the URL, kept for 7 days.</p>
        </div>
        <LiveMark status={pages.status} className="sm:-mr-2.5" />
      </header>
      <FilterBar active={active} onClear={clear}>
        <SelectFilter label="Method" width="w-36" options={METHODS} {...bind('method')} />
        <SelectFilter label="Status" width="w-44" options={STATUSES} {...bind('status')} />
        <SelectFilter label="Received" width="w-40" options={TIMES} {...bind('since')} />
      </FilterBar>
      <LiveTable
        label="Requests"
        columns={tunnelRequestColumns}
        pages={pages}
        noun={NOUN}
        rowHref={({ id }) => `${path}/${id}`}
        empty={
          active ? (
            <NoMatches
              title="No matching requests"
              sentence="No request has this combination of method, status and time."
              onClear={clear}
            />
          ) : (
            <EmptyState
              title="No requests yet"
              sentence="Requests to the public URL appear here as they arrive."
              {...(tunnel.url === null ? {} : inviteTo(tunnel.url, tunnel.basicAuth))}
            />
          )
        }
      />
    </section>
  );
}

/** Offers the URL and a command that calls it. curl asks for the password. */
function inviteTo(url: string, basicAuth: Tunnel['basicAuth']) {
  const user = basicAuth === null ? '' : `-u ${shellQuote(basicAuth.username)} `;
  return {
    action: (
      <CopyButton variant="primary" size="md" text={url} label="Copy the public URL">
        Copy URL
      </CopyButton>
    ),
    code: { label: 'Send a request', code: `curl ${user}${shellQuote(url)}` },
  };
}
