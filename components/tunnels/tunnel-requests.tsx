'use client';

import { History } from 'lucide-react';
import { useMemo } from 'react';
import { columnHelperFor } from '@/components/data-table/column-helper';
import { FilterBar } from '@/components/data-table/filter-bar';
import { LiveTable } from '@/components/data-table/live-table';
import { NoMatches } from '@/components/data-table/no-matches';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { type UrlFilters, useUrlFilters } from '@/components/data-table/use-url-filters';
import { WINDOWS, windowStart } from '@/components/events/time-window';
import { LiveMark } from '@/components/live/live-mark';
import { formatBytes } from '@/components/orgs/download/format-bytes';
import { CopyButton } from '@/components/ui/copy-button';
import { EmptyState } from '@/components/ui/empty-state';
import { formatDuration } from '@/components/ui/format-time';
import { NoValue } from '@/components/ui/no-value';
import { RelativeTime } from '@/components/ui/relative-time';
import { shellQuote } from '@/components/ui/shell-quote';
import type { Tunnel, TunnelRequest } from '@/lib/tunnel/schema';
import { RequestOutcome } from './request-outcome';
import { requestsPath } from './use-tunnel-request';

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
  ...Object.entries(WINDOWS)
    .filter(([value]) => value === '1h' || value === '24h')
    .map(([value, { label }]) => ({ value, label })),
];

const TUNNEL_REQUEST_FILTERS = ['method', 'status', 'since'] as const;

const column = columnHelperFor<TunnelRequest>();

const tunnelRequestColumns = column.columns([
  column.accessor('path', {
    header: 'Request',
    meta: { primary: true, className: 'min-w-0 max-sm:pr-20 sm:max-w-60 md:max-w-96' },
    cell: ({ row }) => (
      <span className="flex min-w-0 items-center gap-2 font-mono text-xs" title={row.original.path}>
        <span className="shrink-0 font-semibold">{row.original.method}</span>
        <span className="truncate font-normal">{row.original.path}</span>
        {row.original.replayOf === null ? null : (
          <span className="inline-flex shrink-0 items-center gap-1 font-sans text-muted">
            <History aria-hidden="true" className="size-3" />
            Replay
          </span>
        )}
      </span>
    ),
  }),
  column.accessor('responseStatus', {
    header: 'Status',
    meta: { unlabelled: true },
    cell: ({ row }) => <RequestOutcome request={row.original} />,
  }),
  column.accessor('durationMs', {
    header: 'Duration',
    meta: { align: 'end', unlabelled: true, className: 'max-sm:absolute max-sm:top-9 max-sm:right-0' },
    cell: ({ row }) => (
      <span className="whitespace-nowrap tabular-nums max-sm:text-muted">
        {row.original.durationMs === null ? <NoValue /> : formatDuration(row.original.durationMs)}
      </span>
    ),
  }),
  column.accessor('responseSize', {
    header: 'Size in / out',
    meta: { align: 'end', className: 'max-sm:hidden' },
    cell: ({ row }) => (
      <span className="whitespace-nowrap text-muted tabular-nums">
        {formatBytes(row.original.requestSize)} /{' '}
        {row.original.responseSize === null ? <NoValue /> : formatBytes(row.original.responseSize)}
      </span>
    ),
  }),
  column.accessor('createdAt', {
    header: 'Received',
    meta: { align: 'end', unlabelled: true, className: 'max-sm:absolute max-sm:top-2.5 max-sm:right-0' },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} inRow className="text-muted" />,
  }),
]);

const NOUN = ['request', 'requests'] as const;
const KINDS = ['tunnelRequests'] as const;
const POLL_MS = 2000;

/** The live log of a tunnel, newest first. */
export function TunnelRequests({ projectId, tunnel }: { projectId: string; tunnel: Tunnel }) {
  const filtering = useUrlFilters(TUNNEL_REQUEST_FILTERS);
  const { method, status, since } = filtering.filters;
  // Fixed until the filter changes: a start that moves with the clock would be a new list every second.
  const from = useMemo(() => windowStart(since, new Date()), [since]);
  const requests = useLivePages<TunnelRequest>(
    requestsPath(projectId, tunnel.id),
    { method, status, from },
    { projectId, kinds: KINDS, pollMs: POLL_MS },
  );
  return (
    <section aria-labelledby="requests" className="min-w-0">
      <header className="relative mb-3 flex flex-wrap items-start justify-between gap-x-4">
        <div>
          <h2 id="requests" className="font-semibold text-base">
            Requests
          </h2>
          <p className="text-muted text-sm">Every request to the URL, kept for 7 days.</p>
        </div>
        <LiveMark status={requests.status} className="sm:-mr-2.5" />
      </header>
      <TunnelRequestFilters {...filtering} />
      <LiveTable
        label="Requests"
        columns={tunnelRequestColumns}
        pages={requests}
        noun={NOUN}
        rowHref={({ id }) => `/projects/${projectId}/tunnels/${tunnel.id}/requests/${id}`}
        empty={
          filtering.active ? (
            <NoMatches
              title="No matching requests"
              sentence="No request has this combination of method, status and time."
              onClear={filtering.clear}
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

function TunnelRequestFilters({
  filters,
  active,
  setFilters,
  clear,
}: UrlFilters<(typeof TUNNEL_REQUEST_FILTERS)[number]>) {
  return (
    <FilterBar active={active} onClear={clear}>
      <SelectFilter
        label="Method"
        width="w-36"
        options={METHODS}
        value={filters.method}
        onChange={(method) => setFilters({ method })}
      />
      <SelectFilter
        label="Status"
        width="w-44"
        options={STATUSES}
        value={filters.status}
        onChange={(status) => setFilters({ status })}
      />
      <SelectFilter
        label="Received"
        width="w-40"
        options={TIMES}
        value={filters.since}
        onChange={(since) => setFilters({ since })}
      />
    </FilterBar>
  );
}
