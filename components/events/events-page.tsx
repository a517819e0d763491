'use client';

import { useMemo } from 'react';
import { DownloadMenu } from '@/components/data-table/download-menu';
import { idFault } from '@/components/data-table/id-filter';
import { LiveTable } from '@/components/data-table/live-table';
import { NoMatches } from '@/components/data-table/no-matches';
import { dropFaulty } from '@/components/data-table/url-filters';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { curlSample, KEY_VARIABLE } from '@/components/keys/samples';
import { LiveMark } from '@/components/live/live-mark';
import { KeptNote } from '@/components/retention/kept-note';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { EventListItem } from '@/lib/events/schema';
import { eventColumns } from './event-columns';
import { EVENT_FILTERS, EventFilters } from './event-filters';
import { typeFault } from './suggest-types';
import { periodOf } from './time-window';
import { eventsPath } from './use-events';

const NOUN = ['event', 'events'] as const;
const KINDS = ['events', 'deliveries'] as const;
const POLL_MS = 3000;

/** The events of a project, newest first. */
export function EventsPage({ projectId }: { projectId: string }) {
  const filtering = useUrlFilters(EVENT_FILTERS);
  const { type, status, endpointId, since, from: start, to: end, id } = filtering.filters;
  // Fixed until the filter changes: a start that moves with the clock would be a new list every second.
  const period = useMemo(() => periodOf({ since, from: start, to: end }, new Date()), [since, start, end]);
  const query = dropFaulty(
    { type, status, endpointId, id, ...period },
    { type: typeFault, id: idFault, endpointId: idFault },
  );
  const events = useLivePages<EventListItem>(eventsPath(projectId), query, {
    ...{ projectId, kinds: KINDS, pollMs: POLL_MS },
  });
  return (
    <>
      <PageHeader
        title="Events"
        description="Events your servers sent, and the state of their deliveries."
        actions={
          <>
            <LiveMark status={events.status} />
            <DownloadMenu path={eventsPath(projectId)} query={query} />
          </>
        }
      />
      <EventFilters {...filtering} projectId={projectId} />
      <LiveTable
        label="Events"
        columns={eventColumns}
        pages={events}
        noun={NOUN}
        rowHref={(event) => `/projects/${projectId}/events/${event.id}`}
        empty={
          filtering.active ? (
            <NoMatches
              title="No matching events"
              sentence={
                <>
                  No event matches all of these filters. For all types below a prefix, use <code>order.*</code>.{' '}
                  <KeptNote projectId={projectId} data="events" from={period.from} />
                </>
              }
              onClear={filtering.clear}
            />
          ) : (
            <NoEvents projectId={projectId} />
          )
        }
      />
    </>
  );
}

function NoEvents({ projectId }: { projectId: string }) {
  const baseUrl = useBaseUrl();
  return (
    <EmptyState
      title="No events yet"
      sentence="Events appear here when your servers send them with an API key."
      action={
        <Button asChild variant="primary">
          <Link href={`/?project=${projectId}`}>Continue setup</Link>
        </Button>
      }
      code={{ label: 'Send an event', code: curlSample(baseUrl, KEY_VARIABLE) }}
    />
  );
}
