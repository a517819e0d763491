'use client';

import { useMemo, useState } from 'react';
import { type Column, columnsOf } from '@/components/data-table/column-helper';
import { PagedTable } from '@/components/data-table/paged-table';
import { EmptyState } from '@/components/ui/empty-state';
import { TextLink } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Job } from '@/lib/jobs/schema';
import { KINDS } from './describe-job';
import { JobDialog } from './job-dialog';
import { JobProgress, JobState, JobTarget } from './job-parts';
import { useJobs } from './use-jobs';

/** The bulk retries, event replays and replays of incoming events of a project: how far they are, and how they have ended. */
export function JobsPage() {
  const { pages, cancel } = useJobs();
  const [shownId, setShownId] = useState<string | null>(null);
  const columns = useMemo(() => jobColumns(setShownId), []);
  return (
    <>
      <PageHeader
        title="Jobs"
        description="What runs in the background: retries of many deliveries, and replays. The last hundred of each kind stay here."
      />
      <PagedTable
        label="Jobs"
        columns={columns}
        pages={pages}
        getRowId={({ id }) => id}
        empty={
          <EmptyState
            title="No jobs yet"
            sentence={
              <>
                Retry many deliveries from their list, or let an endpoint catch up on its page: the progress appears
                here.{' '}
                <TextLink href="/docs/guides/missed-events" prefetch={false}>
                  About missed events
                </TextLink>
              </>
            }
          />
        }
      />
      <JobDialog job={pages.rows?.find(({ id }) => id === shownId)} onClose={() => setShownId(null)} cancel={cancel} />
    </>
  );
}

const jobColumns = (show: (id: string) => void): Column<Job>[] =>
  columnsOf<Job>([
    {
      header: 'Job',
      primary: true,
      className: 'min-w-0',
      cell: ({ id, kind }) => (
        <button
          type="button"
          data-row-link=""
          className="rounded-sm text-left font-medium after:absolute after:inset-0"
          onClick={() => show(id)}
        >
          {KINDS[kind]}
        </button>
      ),
    },
    {
      header: 'Endpoint or source',
      className: 'min-w-0 sm:max-w-64',
      cell: (job) => (
        <span className="block min-w-0 truncate">
          <JobTarget job={job} />
        </span>
      ),
    },
    { header: 'State', cell: (job) => <JobState job={job} /> },
    { header: 'Progress', className: 'sm:w-56', cell: (job) => <JobProgress job={job} /> },
    { header: 'Started', align: 'end', cell: ({ createdAt }) => <RelativeTime at={createdAt} inRow /> },
  ]);
