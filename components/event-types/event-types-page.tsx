'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { FilterBar } from '@/components/data-table/filter-bar';
import { NoMatches } from '@/components/data-table/paged-table';
import { ANY, SelectFilter } from '@/components/data-table/select-filter';
import { TextFilter } from '@/components/data-table/text-filter';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { createCurl } from '@/components/keys/samples';
import { useDisabledReason, useProjectPath } from '@/components/projects/use-projects';
import { CreateButton } from '@/components/ui/action-buttons';
import { Card } from '@/components/ui/card';
import { Dialog } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorPanel } from '@/components/ui/error-panel';
import { formatCount } from '@/components/ui/format-figures';
import { TextLink } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import { PageSkeleton } from '@/components/ui/skeleton';
import { NoValue } from '@/components/ui/stat';
import { RowsTable, type TableColumn } from '@/components/ui/table';
import { useBaseUrl } from '@/components/ui/use-base-url';
import type { CatalogueType } from '@/lib/events/schema';
import { filterTypes, groupTypes, type TypeGroup } from './group-types';
import { TypeStatus } from './type-status';
import { MAX_SHOWN, saveType, typeMembers, useCatalogue } from './use-event-types';

const EventTypeForm = dynamic(() => import('./event-type-form').then((part) => part.EventTypeForm));

const FILTERS = ['q', 'status'] as const;
const STATUSES = [
  { value: ANY, label: 'Any status' },
  { value: 'ACTIVE', label: 'Active' },
  { value: 'DEPRECATED', label: 'Deprecated' },
  { value: 'SEEN', label: 'Not defined' },
];

/** The event types of a project, by group. */
export function EventTypesPage() {
  const path = useProjectPath('event-types');
  const catalogue = useCatalogue();
  const { filters, setFilters, active, clear } = useUrlFilters(FILTERS);
  const disabledReason = useDisabledReason('event_type.manage');
  const router = useRouter();
  const [isCreating, setCreating] = useState(false);
  const newType = (
    <CreateButton label="New event type" disabledReason={disabledReason} onClick={() => setCreating(true)} />
  );
  return (
    <>
      <PageHeader
        title="Event types"
        description="What you send: the catalogue that your developers agree on and your customers read."
        actions={newType}
      />
      {catalogue.data === undefined ? (
        catalogue.error ? (
          <ErrorPanel
            what="We couldn’t load the event types"
            error={catalogue.error}
            onRetry={() => void catalogue.mutate()}
          />
        ) : (
          <PageSkeleton parts={['h-9 w-64 max-w-full', 'h-96 w-full']} />
        )
      ) : catalogue.data.length === 0 ? (
        <NoTypes path={path} />
      ) : (
        <>
          <FilterBar active={active} onClear={clear}>
            <TextFilter
              label="Search event types"
              placeholder="Name, description or group"
              value={filters.q}
              onChange={(q) => setFilters({ q })}
            />
            <SelectFilter
              label="Status"
              width="sm:w-40"
              options={STATUSES}
              value={filters.status}
              onChange={(status) => setFilters({ status })}
            />
          </FilterBar>
          <Groups types={filterTypes(catalogue.data, filters)} path={path} onClear={clear} />
          {catalogue.data.length < MAX_SHOWN ? null : (
            <p className="mt-4 text-muted text-sm">Only the first {formatCount(catalogue.data.length)} are shown.</p>
          )}
        </>
      )}
      <Dialog open={isCreating} onOpenChange={setCreating} title="New event type" size="lg">
        <EventTypeForm
          send={async (values) => router.push(`${path}/${(await saveType(path, 'POST', typeMembers(values))).name}`)}
        />
      </Dialog>
    </>
  );
}

function NoTypes({ path }: { path: string }) {
  const baseUrl = useBaseUrl();
  return (
    <Card flush>
      <EmptyState
        title="No event types yet"
        sentence={
          <>
            Types appear here once events are sent. Define them with a description, a schema and an example, so that
            your customers know what they get.{' '}
            <TextLink href="/docs/guides/event-types" prefetch={false}>
              About event types
            </TextLink>
          </>
        }
        code={{
          label: 'Define an event type with the API',
          code: createCurl(baseUrl, path, '{"name": "order.paid", "description": "An order was paid in full."}'),
        }}
      />
    </Card>
  );
}

function Groups({ types, path, onClear }: { types: CatalogueType[]; path: string; onClear: () => void }) {
  const groups = groupTypes(types);
  if (groups.length === 0) {
    return (
      <Card flush>
        <NoMatches title="No matching event types" sentence="Nothing has this text and status." onClear={onClear} />
      </Card>
    );
  }
  return (
    <div className="grid gap-5">
      {groups.map((group) => (
        <Card
          key={`${group.title} ${group.isSeen}`}
          title={titleOf(group, groups.length)}
          {...(group.isSeen
            ? { description: 'Sent, and not in the catalogue. Define them, or find out who sends them.' }
            : {})}
          flush
        >
          <RowsTable
            label={titleOf(group, groups.length)}
            columns={columnsOf(path)}
            rows={group.types}
            keyOf={({ name }) => name}
          />
        </Card>
      ))}
    </div>
  );
}

function titleOf({ title, isSeen }: TypeGroup, count: number): string {
  if (isSeen) return 'Not defined';
  return title ?? (count === 1 ? 'All types' : 'Without a group');
}

const columnsOf = (path: string): TableColumn<CatalogueType>[] => [
  {
    header: 'Type',
    className: 'min-w-0 sm:w-2/5',
    cell: ({ name }) => (
      <TextLink href={`${path}/${name}`} className="wrap-anywhere font-mono text-xs">
        {name}
      </TextLink>
    ),
  },
  {
    header: 'Description',
    className: 'min-w-0 sm:max-w-96',
    cell: ({ description }) =>
      description === null ? (
        <NoValue />
      ) : (
        <span title={description} className="block min-w-0 truncate">
          {description}
        </span>
      ),
  },
  { header: 'Status', className: 'sm:w-32', cell: ({ status }) => <TypeStatus status={status} /> },
  {
    header: 'Last sent',
    align: 'end',
    className: 'sm:w-36',
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? <NoValue /> : <RelativeTime at={lastSeenAt} />),
  },
];
