'use client';

import { useMemo, useState } from 'react';
import { DownloadMenu } from '@/components/data-table/download-menu';
import { FilterBar } from '@/components/data-table/filter-bar';
import { IdFilter, idFault } from '@/components/data-table/id-filter';
import { LiveTable } from '@/components/data-table/live-table';
import { NoMatches } from '@/components/data-table/no-matches';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { TIME_FILTERS, TimeFilter } from '@/components/data-table/time-filter';
import { dropFaulty } from '@/components/data-table/url-filters';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { type UrlFilters, useUrlFilters } from '@/components/data-table/use-url-filters';
import { periodOf } from '@/components/events/time-window';
import { KEY_VARIABLE } from '@/components/keys/samples';
import { LiveMark } from '@/components/live/live-mark';
import { KeptNote } from '@/components/retention/kept-note';
import { useSourceNames } from '@/components/sources/use-sources';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { IncomingEvent, Source } from '@/lib/incoming/schema';
import { incomingEventColumns } from './incoming-event-columns';
import { ReplayMatching } from './replay-matching';
import { ReplayProgress } from './replay-progress';
import { incomingEventsPath } from './use-incoming-events';
import { useNewestReplay } from './use-replays';

const SIGNATURES = [
  { value: ANY, label: 'Any signature' },
  { value: 'true', label: 'Verified' },
  { value: 'false', label: 'Unverified' },
  { value: 'none', label: 'Unsigned' },
];

const INCOMING_EVENT_FILTERS = ['sourceId', 'verified', ...TIME_FILTERS, 'id'] as const;

type IncomingEventFilterName = (typeof INCOMING_EVENT_FILTERS)[number];

const NOUN = ['event', 'events'] as const;
const KINDS = ['incomingEvents', 'deliveries'] as const;
const POLL_MS = 3000;

/** The incoming events of a project, newest first. */
export function IncomingEventsPage({ projectId }: { projectId: string }) {
  const filtering = useUrlFilters(INCOMING_EVENT_FILTERS);
  const { sources, sourceOf, isLoading } = useSourceNames(projectId);
  const replays = useNewestReplay(projectId);
  const { sourceId, verified, since, from: start, to: end, id } = filtering.filters;
  // Fixed until the filter changes: a start that moves with the clock would be a new list every second.
  const { from, to } = useMemo(() => periodOf({ since, from: start, to: end }, new Date()), [since, start, end]);
  const query = dropFaulty({ sourceId, verified, from, to, id }, { id: idFault, sourceId: idFault });
  const events = useLivePages<IncomingEvent>(incomingEventsPath(projectId), query, {
    ...{ projectId, kinds: KINDS, pollMs: POLL_MS },
  });
  return (
    <>
      <PageHeader
        title="Incoming events"
        description="Requests received by your sources, stored byte for byte."
        actions={
          <>
            <LiveMark status={events.status} />
            <DownloadMenu path={incomingEventsPath(projectId)} query={query} />
            <ReplayMatching
              projectId={projectId}
              filters={{ sourceId, verified, from, to, id }}
              source={sourceOf(sourceId ?? null)}
              rows={events.rows}
              hasMore={events.hasMore}
              start={replays.start}
            />
          </>
        }
      />
      <CurrentReplay projectId={projectId} replays={replays} sourceOf={sourceOf} />
      <IncomingEventFilters {...filtering} sources={sources ?? []} />
      <LiveTable
        label="Incoming events"
        columns={incomingEventColumns}
        // Rows that get their sources' names later would resize the columns.
        pages={isLoading ? { ...events, rows: undefined } : events}
        noun={NOUN}
        rowHref={(event) => `/projects/${projectId}/incoming-events/${event.id}`}
        empty={
          filtering.active ? (
            <NoMatches
              title="No matching incoming events"
              sentence={
                <>
                  No incoming event matches all of these filters.{' '}
                  <KeptNote projectId={projectId} data="incomingEvents" from={from} />
                </>
              }
              onClear={filtering.clear}
            />
          ) : (
            <NoIncomingEvents projectId={projectId} source={sources?.[0]} />
          )
        }
      />
    </>
  );
}

/** The running replay, or one that ended while the page was open, until it is closed. */
function CurrentReplay({
  projectId,
  replays: { replay, cancel },
  sourceOf,
}: {
  projectId: string;
  replays: ReturnType<typeof useNewestReplay>;
  sourceOf: (id: string) => Source | undefined;
}) {
  const [shown, setShown] = useState<string | null>(null);
  const [closed, setClosed] = useState<string | null>(null);
  if (replay?.status === 'RUNNING' && replay.id !== shown) setShown(replay.id);
  if (replay === undefined || replay.id !== shown || replay.id === closed) return null;
  return (
    <ReplayProgress
      projectId={projectId}
      replay={replay}
      sourceName={sourceOf(replay.sourceId)?.name}
      cancel={() => cancel(replay.id)}
      onClose={() => setClosed(replay.id)}
    />
  );
}

/** Points to the setup of a source, or to creating the first. */
function NoIncomingEvents({ projectId, source }: { projectId: string; source: Source | undefined }) {
  const baseUrl = useBaseUrl();
  const sourcesPath = `/projects/${projectId}/sources`;
  return (
    <EmptyState
      title="No incoming events yet"
      sentence="Requests appear here as soon as a provider sends them to a source’s URL."
      action={
        <Button asChild variant="primary">
          {source === undefined ? (
            <Link href={sourcesPath}>Create a source</Link>
          ) : (
            <Link href={`${sourcesPath}/${source.id}`}>Set up {source.name}</Link>
          )}
        </Button>
      }
      code={{
        label: 'List incoming events with the API',
        code: `curl ${baseUrl}/api/v1/projects/${projectId}/incoming-events -H "X-API-Key: ${KEY_VARIABLE}"`,
      }}
    />
  );
}

function IncomingEventFilters({
  filters,
  active,
  setFilters,
  clear,
  sources,
}: UrlFilters<IncomingEventFilterName> & { sources: Source[] }) {
  const known = sources.map(({ id, name }) => ({ value: id, label: name }));
  const gone = filters.sourceId && !sources.some(({ id }) => id === filters.sourceId);
  return (
    <FilterBar active={active} onClear={clear}>
      <SelectFilter
        label="Source"
        width="w-52"
        options={[
          { value: ANY, label: 'Any source' },
          ...known,
          ...(gone ? [{ value: filters.sourceId ?? '', label: `…${filters.sourceId?.slice(-8)}` }] : []),
        ]}
        value={filters.sourceId}
        onChange={(sourceId) => setFilters({ sourceId })}
      />
      <SelectFilter
        label="Signature"
        width="w-40"
        options={SIGNATURES}
        value={filters.verified}
        onChange={(verified) => setFilters({ verified })}
      />
      <TimeFilter label="Received" filters={filters} setFilters={setFilters} />
      <IdFilter label="Incoming event ID" value={filters.id} onChange={(id) => setFilters({ id })} />
    </FilterBar>
  );
}
