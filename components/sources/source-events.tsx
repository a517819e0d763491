'use client';

import { LiveTable } from '@/components/data-table/live-table';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { incomingEventColumnsOfSource } from '@/components/incoming-events/incoming-event-columns';
import { incomingEventsPath } from '@/components/incoming-events/use-incoming-events';
import { LiveMark } from '@/components/live/live-mark';
import { Link } from '@/components/ui/link';
import type { IncomingEvent } from '@/lib/incoming/schema';
import { useSourceScope } from './source-context';

const SHOWN = 10;
const KINDS = ['incomingEvents', 'deliveries'] as const;
const POLL_MS = 3000;

/** The newest incoming events of a source, live, with a link to all. */
export function SourceEvents() {
  const { projectId, source } = useSourceScope();
  const events = useLivePages<IncomingEvent>(
    incomingEventsPath(projectId),
    { sourceId: source.id },
    { projectId, kinds: KINDS, pollMs: POLL_MS },
  );
  const all = `/projects/${projectId}/incoming-events?sourceId=${source.id}`;
  return (
    <section aria-labelledby="incoming-events" className="mt-2">
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 id="incoming-events" className="font-semibold text-base">
          Incoming events
        </h2>
        <span className="flex items-center gap-3">
          <LiveMark status={events.status} className="max-sm:static" />
          <Link href={all} className="rounded-sm font-medium text-accent-text text-sm hover:underline">
            View all
          </Link>
        </span>
      </div>
      <LiveTable
        label="Incoming events"
        columns={incomingEventColumnsOfSource}
        pages={{ ...events, rows: events.rows?.slice(0, SHOWN), hasMore: false }}
        noun={['event', 'events']}
        rowHref={(event) => `/projects/${projectId}/incoming-events/${event.id}`}
        empty={<p className="px-4 py-8 text-center text-muted text-sm">Events appear here as soon as they arrive.</p>}
      />
    </section>
  );
}
