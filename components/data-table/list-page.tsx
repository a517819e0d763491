'use client';

import type { ReactNode } from 'react';
import { EmptyState, type EmptyStateProps } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { PagedTable, type PagedTableProps } from './paged-table';

export interface ListPageProps<Row extends { id: string }>
  extends Omit<PagedTableProps<Row>, 'label' | 'getRowId' | 'empty'> {
  /** Heads the page and names the table. */
  title: string;
  description: ReactNode;
  /** Adds a row. */
  createButton: ReactNode;
  /** Explains the empty list; its action is `createButton` unless it names another. */
  empty: EmptyStateProps;
}

/** A page with a list that people add to. The header of an empty list has no button: the explanation has it. */
export function ListPage<Row extends { id: string }>({
  title,
  description,
  createButton,
  empty,
  ...table
}: ListPageProps<Row>) {
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={table.pages.rows?.length === 0 ? null : createButton}
      />
      <PagedTable
        {...table}
        label={title}
        getRowId={(row) => row.id}
        empty={<EmptyState action={createButton} {...empty} />}
      />
    </>
  );
}
