'use client';

import { type ReactNode, useMemo } from 'react';
import { periodOf } from '@/components/events/time-window';
import { LiveMark } from '@/components/live/live-mark';
import { useProjectId, useProjectPath } from '@/components/projects/use-projects';
import { PageHeader } from '@/components/ui/page-header';
import type { ChangeKind } from '@/lib/changes/types';
import { DownloadMenu } from './download-menu';
import { LiveTable, type LiveTableProps } from './live-table';
import { NoMatches } from './paged-table';
import { dropFaulty } from './url-filters';
import { useLivePages } from './use-live-pages';
import { useUrlFilters } from './use-url-filters';

interface ListOptions {
  /** The rows that the list shows something of. */
  kinds: readonly ChangeKind[];
  pollMs?: number;
  /** Says what is wrong with a filter; the list ignores one that has a fault. */
  faults?: Record<string, (value: string) => string | undefined>;
}

/**
 * Loads a live list of the project with the filters of the URL.
 * @param tail the end of its path: "events"
 * @param names the filters; must be stable (module scope)
 */
export function useFilteredList<Row extends { id: string }, Name extends string>(
  tail: string,
  names: readonly Name[],
  { kinds, pollMs = 3000, faults = {} }: ListOptions,
) {
  const projectId = useProjectId();
  const path = useProjectPath(tail);
  const filtering = useUrlFilters(names);
  const { since, from, to, ...filters } = filtering.filters as Record<string, string | undefined>;
  // Fixed until the filter changes: a start that moves with the clock would be a new list every second.
  const period = useMemo(() => periodOf({ since, from, to }, new Date()), [since, from, to]);
  const query = dropFaulty<typeof filters>({ ...filters, ...period }, faults);
  const pages = useLivePages<Row>(path, query, { projectId, kinds, pollMs });
  /** Connects a control to a filter. */
  const bind = (name: Name) => ({
    value: filtering.filters[name],
    onChange: (value: string | undefined) => filtering.setFilters({ [name]: value } as Record<Name, typeof value>),
  });
  return { ...filtering, path, query, period, pages, bind };
}

interface FilteredListPageProps<Row extends { id: string }>
  extends Pick<LiveTableProps<Row>, 'columns' | 'noun' | 'selection' | 'empty'> {
  list: Pick<ReturnType<typeof useFilteredList<Row, string>>, 'path' | 'query' | 'pages' | 'active' | 'clear'>;
  /** Heads the page and names the table. */
  title: string;
  description: string;
  /** Buttons after the download. */
  actions?: ReactNode;
  /** Shown above the filters. */
  notice?: ReactNode;
  /** Explains that no row passes the filters. */
  noMatch: ReactNode;
  /** The FilterBar. */
  children: ReactNode;
}

/** A page with a live list, its filters and a download. */
export function FilteredListPage<Row extends { id: string }>({
  list: { path, query, pages, active, clear },
  title,
  description,
  actions,
  notice,
  noMatch,
  empty,
  children,
  ...table
}: FilteredListPageProps<Row>) {
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={
          <>
            <LiveMark status={pages.status} />
            <DownloadMenu
              path={path}
              query={query}
              disabledReason={
                query.q === undefined ? undefined : 'A file can’t be searched for text. Clear the search to download.'
              }
            />
            {actions}
          </>
        }
      />
      {notice}
      {children}
      <LiveTable
        {...table}
        label={title}
        pages={pages}
        rowHref={({ id }) => `${path}/${id}`}
        empty={
          active ? <NoMatches title={`No matching ${title.toLowerCase()}`} sentence={noMatch} onClear={clear} /> : empty
        }
      />
    </>
  );
}
