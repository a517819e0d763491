'use client';

import { NewRowsPill } from './new-rows-pill';
import { PagedTable, type PagedTableProps } from './paged-table';
import type { LivePages } from './use-live-pages';

export interface LiveTableProps<Row extends { id: string }>
  extends Omit<PagedTableProps<Row>, 'pages' | 'getRowId' | 'highlighted'> {
  pages: LivePages<Row>;
  /** What a row is called: singular and plural. */
  noun: readonly [string, string];
}

/** A table of a live list. New rows wait behind a button, so that no row moves under the pointer. */
export function LiveTable<Row extends { id: string }>({ pages, noun, ...table }: LiveTableProps<Row>) {
  const show = async (byKey: boolean) => {
    await pages.showNew();
    // The button is gone, and the focus of the keyboard with it.
    if (byKey) pages.listRef.current?.querySelector<HTMLElement>('a[data-row-link]')?.focus();
  };
  return (
    <div ref={pages.listRef}>
      <NewRowsPill count={pages.newCount} hasMore={pages.hasMoreNew} noun={noun} onShow={(byKey) => void show(byKey)} />
      <PagedTable {...table} pages={pages} getRowId={(row) => row.id} highlighted={pages.highlighted} />
    </div>
  );
}
