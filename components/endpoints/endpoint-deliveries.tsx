'use client';

import { useId } from 'react';
import { LiveTable } from '@/components/data-table/live-table';
import { NoMatches } from '@/components/data-table/paged-table';
import { useLivePages } from '@/components/data-table/use-live-pages';
import { useUrlFilters } from '@/components/data-table/use-url-filters';
import { DELIVERY_COLUMNS } from '@/components/deliveries/delivery-columns';
import { StateFilter } from '@/components/deliveries/state-filter';
import { useProjectId, useProjectPath } from '@/components/projects/use-projects';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import type { Delivery } from '@/lib/delivery/schema';

const NAMES = ['status'] as const;
const ROWS = 10;
const POLL_MS = 3000;
const COLUMNS = DELIVERY_COLUMNS.filter(({ header }) => header !== 'Target');
const NOUN = ['delivery', 'deliveries'] as const;

/** Loads the newest deliveries of an endpoint, with the state that the URL filters them by. */
export function useEndpointDeliveries(endpointId: string) {
  const projectId = useProjectId();
  const path = useProjectPath('deliveries');
  const { filters, setFilters } = useUrlFilters(NAMES);
  const query = { endpointId, status: filters.status };
  const pages = useLivePages<Delivery>(path, query, { projectId, kinds: ['deliveries'], pollMs: POLL_MS, limit: ROWS });
  return { path, status: filters.status, setStatus: (status?: string) => setFilters({ status }), pages };
}

/** The newest deliveries of an endpoint, by their state. */
export function EndpointDeliveries({
  endpointId,
  list: { path, status, setStatus, pages },
}: {
  endpointId: string;
  list: ReturnType<typeof useEndpointDeliveries>;
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
            href={`${path}?endpointId=${endpointId}${status === undefined ? '' : `&status=${status}`}`}
            className="rounded-sm font-medium text-accent-text text-sm hover:underline"
          >
            View all deliveries
          </Link>
        </div>
      </div>
      <LiveTable
        label="Deliveries"
        columns={COLUMNS}
        pages={pages}
        noun={NOUN}
        rowHref={({ id }) => `${path}/${id}`}
        empty={
          status === undefined ? (
            <EmptyState title="No deliveries yet" sentence="Each event with a matching subscription creates one." />
          ) : (
            <NoMatches
              title="No matching deliveries"
              sentence="No delivery of this endpoint has this state."
              onClear={() => setStatus()}
            />
          )
        }
      />
    </section>
  );
}
