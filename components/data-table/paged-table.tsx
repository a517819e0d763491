'use client';

import type { RowData } from '@tanstack/react-table';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState, type EmptyStateProps } from '@/components/ui/empty-state';
import { InlineError } from '@/components/ui/inline-error';
import { PageHeader } from '@/components/ui/page-header';
import { DataTable, type DataTableProps } from './data-table';
import type { Pages } from './use-pages';

export interface PagedTableProps<Row>
  extends Omit<DataTableProps<Row>, 'rows' | 'busy' | 'error' | 'onRetry' | 'footer'> {
  pages: Pages<Row>;
  /** Replaces the Load more button when every row is shown. */
  footer?: DataTableProps<Row>['footer'];
}

/** A table of a paged list, with its error, its retry and a Load more button. */
export function PagedTable<Row extends RowData>({ pages, footer, empty, ...table }: PagedTableProps<Row>) {
  const mayHaveMatches = pages.rows?.length === 0 && pages.hasMore;
  return (
    <DataTable
      {...table}
      empty={mayHaveMatches ? <KeepLooking pages={pages} /> : empty}
      rows={pages.rows}
      busy={pages.isStale}
      error={pages.error}
      onRetry={() => void pages.reload()}
      footer={footer ?? (pages.rows === undefined ? null : <LoadMore pages={pages} />)}
    />
  );
}

type MorePages = Pick<Pages<unknown>, 'hasMore' | 'isLoadingMore' | 'moreError' | 'loadMore' | 'size'>;

/** The button that loads the next page of a list. Renders nothing after the last page. */
export function LoadMore({ pages }: { pages: Omit<MorePages, 'size'> }) {
  if (!pages.hasMore) return null;
  return (
    <div className="border-t px-4 py-2.5 text-center">
      <Button size="sm" variant="ghost" loading={pages.isLoadingMore} onClick={pages.loadMore}>
        Load more
      </Button>
      <InlineError what="We couldn’t load the next page" error={pages.moreError} className="mt-2 text-left" />
    </div>
  );
}

/** Pages that one click looks through. Each looks at thousands of rows. */
const PAGES_PER_CLICK = 20;

/** Explains that the newest rows do not match, and looks through older ones until a row matches. */
function KeepLooking({ pages }: { pages: MorePages }) {
  const { size, hasMore, isLoadingMore, moreError, loadMore } = pages;
  const [lastPage, setLastPage] = useState(0);
  const isLooking = isLoadingMore || (hasMore && size < lastPage && moreError === undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads one page after another
  useEffect(() => {
    if (isLooking && !isLoadingMore) loadMore();
  }, [isLooking, isLoadingMore, size]);
  return (
    <EmptyState
      title="No match among the newest rows"
      sentence="Older rows may match. Looking through them can take a while."
      action={
        <>
          <Button loading={isLooking} onClick={() => setLastPage(size + PAGES_PER_CLICK)}>
            Keep looking
          </Button>
          <InlineError what="We couldn’t load the next page" error={moreError} className="mt-2 text-left" />
        </>
      }
    />
  );
}

/** Explains that no row passes the filters, and clears them. */
export function NoMatches({ title, sentence, onClear }: { title: string; sentence: ReactNode; onClear: () => void }) {
  return <EmptyState title={title} sentence={sentence} action={<Button onClick={onClear}>Clear filters</Button>} />;
}

interface ListPageProps<Row extends { id: string }> extends Omit<PagedTableProps<Row>, 'label' | 'getRowId' | 'empty'> {
  /** Heads the page and names the table. */
  title: string;
  description: ReactNode;
  /** Adds a row. */
  createButton: ReactNode;
  /** Explains the empty list; its action is `createButton` unless it names another. */
  empty: EmptyStateProps;
  /** Explains that no row passes the filters; without it, the list is not filtered. */
  noMatch?: ReactNode;
  /** The FilterBar. */
  children?: ReactNode;
}

/** A page with a list that people add to. The header of an empty list has no button: the explanation has it. */
export function ListPage<Row extends { id: string }>({
  title,
  description,
  createButton,
  empty,
  noMatch,
  children,
  ...table
}: ListPageProps<Row>) {
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={table.pages.rows?.length === 0 && noMatch === undefined ? null : createButton}
      />
      {children}
      <PagedTable
        {...table}
        label={title}
        getRowId={(row) => row.id}
        empty={noMatch ?? <EmptyState action={createButton} {...empty} />}
      />
    </>
  );
}
