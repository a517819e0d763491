'use client';

import { DataTable, type DataTableProps } from './data-table';
import { KeepLooking, LoadMore } from './load-more';
import type { Pages } from './use-pages';

export interface PagedTableProps<Row>
  extends Omit<DataTableProps<Row>, 'rows' | 'busy' | 'error' | 'onRetry' | 'footer'> {
  pages: Pages<Row>;
  /** Replaces the Load more button when every row is shown. */
  footer?: DataTableProps<Row>['footer'];
}

/** A table of a paged list, with its error, its retry and a Load more button. */
export function PagedTable<Row>({ pages, footer, empty, ...table }: PagedTableProps<Row>) {
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
