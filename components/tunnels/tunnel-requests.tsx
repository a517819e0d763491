'use client';

import { useMemo } from 'react';
import { LiveTable } from '@/components/data-table/live-table';
import { NoMatches } from '@/components/data-table/no-matches';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { windowStart } from '@/components/events/time-window';
import { LiveMark } from '@/components/live/live-mark';
import { CopyButton } from '@/components/ui/copy-button';
import { EmptyState } from '@/components/ui/empty-state';
import { shellQuote } from '@/components/ui/shell-quote';
import type { Tunnel, TunnelRequest } from '@/lib/tunnel/schema';
import { tunnelRequestColumns } from './tunnel-request-columns';
import { TUNNEL_REQUEST_FILTERS, TunnelRequestFilters } from './tunnel-request-filters';
import { requestsPath } from './use-tunnel-request';

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
