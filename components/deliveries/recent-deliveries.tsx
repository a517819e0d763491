'use client';

import { useId } from 'react';
import type { Column } from '@/components/data-table/column-helper';
import { LiveTable } from '@/components/data-table/live-table';
import { NoMatches } from '@/components/data-table/paged-table';
import { withQuery } from '@/components/data-table/url-filters';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { useProjectId, useProjectPath } from '@/components/projects/use-projects';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import type { Delivery } from '@/lib/delivery/schema';
import { StateFilter } from './state-filter';

const NAMES = ['status'] as const;
const ROWS = 10;
const POLL_MS = 3000;
const NOUN = ['delivery', 'deliveries'] as const;

/** What the deliveries belong to, such as an endpoint. */
type Of = { endpointId: string } | { customer: string };

/** Loads the newest deliveries of an endpoint or a customer, with the state that the URL filters them by. */
export function useRecentDeliveries(of: Of) {
  const projectId = useProjectId();
  const path = useProjectPath('deliveries');
  const { filters, setFilters } = useUrlFilters(NAMES);
  const { status } = filters;
  const query = { ...of, status };
  const pages = useLivePages<Delivery>(path, query, { projectId, kinds: ['deliveries'], pollMs: POLL_MS, limit: ROWS });
  return { path, query, status, setStatus: (next?: string) => setFilters({ status: next }), pages };
}

/** The newest deliveries of an endpoint or a customer, by their state. */
export function RecentDeliveries({
  noun,
  columns,
  list: { path, query, status, setStatus, pages },
}: {
  /** What the deliveries belong to, such as an endpoint. */
  noun: 'endpoint' | 'customer';
  columns: readonly Column<Delivery>[];
  list: ReturnType<typeof useRecentDeliveries>;
}) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="min-w-0">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={headingId} className="font-semibold text-base">
          Deliveries
        </h2>
        <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
          <StateFilter label="State" value={status} onChange={setStatus} />
          <Link
            href={withQuery(path, query)}
            className="rounded-sm font-medium text-accent-text text-sm hover:underline"
          >
            View all deliveries
          </Link>
        </div>
      </div>
      <LiveTable
        label="Deliveries"
        columns={columns}
        pages={pages}
        noun={NOUN}
        rowHref={({ id }) => `${path}/${id}`}
        empty={
          status === undefined ? (
            <EmptyState title="No deliveries yet" sentence="Each event with a matching subscription creates one." />
          ) : (
            <NoMatches
              title="No matching deliveries"
              sentence={`No delivery of this ${noun} has this state.`}
              onClear={() => setStatus()}
            />
          )
        }
      />
    </section>
  );
}
