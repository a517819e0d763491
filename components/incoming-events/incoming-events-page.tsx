'use client';

import { FilterBar } from '@/components/data-table/filter-bar';
import { FilteredListPage, useFilteredList } from '@/components/data-table/filtered-list';
import { SearchHint } from '@/components/data-table/search-match';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { idFault, TextFilter } from '@/components/data-table/text-filter';
import { TIME_FILTERS, TimeFilter } from '@/components/data-table/time-filter';
import { listCurl } from '@/components/keys/samples';
import { useProjectPath } from '@/components/projects/use-projects';
import { KeptNote } from '@/components/retention/retention-notes';
import { useSourceNames } from '@/components/sources/use-sources';
import { Button } from '@/components/ui/button';
import { shortId } from '@/components/ui/copyable-id';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { IncomingEventListItem } from '@/lib/incoming/schema';
import { incomingEventColumns } from './incoming-event-columns';
import { IncomingTypeFilter, incomingTypeFault } from './incoming-type-filter';
import { CurrentReplay, ReplayMatching, useNewestReplay } from './replay';

const SIGNATURES = [
  { value: ANY, label: 'Any signature' },
  { value: 'true', label: 'Verified' },
  { value: 'false', label: 'Unverified' },
  { value: 'none', label: 'Unsigned' },
];

const FILTERS = ['q', 'eventType', 'sourceId', 'verified', ...TIME_FILTERS] as const;

const NOUN = ['event', 'events'] as const;
const OPTIONS = {
  kinds: ['incomingEvents', 'deliveries'],
  faults: { eventType: incomingTypeFault, sourceId: idFault },
} as const;

/** The incoming events of a project, newest first. */
export function IncomingEventsPage() {
  const list = useFilteredList<IncomingEventListItem, (typeof FILTERS)[number]>('incoming-events', FILTERS, OPTIONS);
  const { path, filters, active, setFilters, clear, bind, period, pages } = list;
  const { rows: sources = [], find, isLoading } = useSourceNames();
  const sourcesPath = useProjectPath('sources');
  const replays = useNewestReplay();
  const baseUrl = useBaseUrl();
  const { q, eventType, sourceId, verified } = filters;
  const [first] = sources;
  const isListed = sourceId === undefined || find(sourceId) !== undefined;
  return (
    <FilteredListPage
      // Rows that get their sources' names later would resize the columns.
      list={isLoading ? { ...list, pages: { ...pages, rows: undefined } } : list}
      title="Incoming events"
      description="Requests received by your sources, stored byte for byte."
      actions={
        <ReplayMatching
          filters={{ q, eventType, sourceId, verified, ...period }}
          rows={pages.rows}
          hasMore={pages.hasMore}
          start={replays.start}
        />
      }
      notice={<CurrentReplay replays={replays} />}
      columns={incomingEventColumns}
      noun={NOUN}
      noMatch={
        <>
          No incoming event matches all of these filters. {q === undefined ? null : <SearchHint noun="body" />}
          <KeptNote data="incomingEvents" from={period.from} />
        </>
      }
      empty={
        <EmptyState
          title="No incoming events yet"
          sentence="Requests appear here as soon as a provider sends them to a source’s URL."
          action={
            <Button asChild variant="primary">
              {first === undefined ? (
                <Link href={sourcesPath}>Create a source</Link>
              ) : (
                <Link href={`${sourcesPath}/${first.id}`}>Set up {first.name}</Link>
              )}
            </Button>
          }
          code={{ label: 'List incoming events with the API', code: listCurl(baseUrl, path) }}
        />
      }
    >
      <FilterBar active={active} onClear={clear}>
        <TextFilter
          label="Search incoming events"
          placeholder="ID, address, or text in the body"
          width="sm:w-72"
          {...bind('q')}
        />
        <IncomingTypeFilter {...bind('eventType')} />
        <SelectFilter
          label="Source"
          width="w-52"
          options={[
            { value: ANY, label: 'Any source' },
            ...sources.map((source) => ({ value: source.id, label: source.name })),
            ...(isListed ? [] : [{ value: sourceId, label: shortId(sourceId) }]),
          ]}
          {...bind('sourceId')}
        />
        <SelectFilter label="Signature" width="w-40" options={SIGNATURES} {...bind('verified')} />
        <TimeFilter label="Received" filters={filters} setFilters={setFilters} />
      </FilterBar>
    </FilteredListPage>
  );
}
