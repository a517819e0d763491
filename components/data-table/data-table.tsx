'use client';

import { type ColumnDef, type RowData, useTable } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Table, TableBody, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { features } from './column-helper';
import { DataRow } from './data-row';
import { SkeletonRows } from './skeleton-rows';
import { useRowNavigation } from './use-row-navigation';

const NO_ROWS: never[] = [];

export interface DataTableProps<Row extends RowData> {
  /** Names the table for those who listen: "Events". */
  label: string;
  // biome-ignore lint/suspicious/noExplicitAny: each column has a value type of its own
  columns: ColumnDef<typeof features, Row, any>[];
  /** Undefined while the first page is on its way. */
  rows: Row[] | undefined;
  getRowId: (row: Row) => string;
  /** Where a row leads; without it rows are no links. */
  rowHref?: (row: Row) => string;
  error?: unknown;
  onRetry?: () => void;
  /** Shown in place of the table when there is no row at all. */
  empty: ReactNode;
  /** Stands under the rows, such as LoadMore. */
  footer?: ReactNode;
  /** Ids of rows to highlight once, such as rows that were just added. */
  highlighted?: ReadonlySet<string>;
}

/** The one table: skeleton, error, empty or rows; rows are real links, and cards on narrow screens. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, columns, rows, getRowId, rowHref, error, onRetry, empty, footer, highlighted } = props;
  const table = useTable({ features, columns, data: rows ?? NO_ROWS, getRowId });
  const onKeyDown = useRowNavigation();
  if (rows === undefined && error !== undefined) {
    return (
      <Frame>
        <ErrorPanel
          what={`The ${label.toLowerCase()} could not be loaded`}
          error={error}
          {...(onRetry === undefined ? {} : { onRetry })}
        />
      </Frame>
    );
  }
  if (rows !== undefined && rows.length === 0) return <Frame>{empty}</Frame>;
  return (
    <Frame>
      <div className="sm:overflow-x-auto">
        <Table aria-label={label} aria-busy={rows === undefined}>
          <TableHead>
            {table.getHeaderGroups().map((group) => (
              <TableRow key={group.id}>
                {group.headers.map((header) => (
                  <TableHeader
                    key={header.id}
                    scope="col"
                    className={header.column.columnDef.meta?.align === 'end' ? 'text-right' : ''}
                  >
                    <table.FlexRender header={header} />
                  </TableHeader>
                ))}
              </TableRow>
            ))}
          </TableHead>
          <TableBody onKeyDown={onKeyDown}>
            {rows === undefined ? (
              <SkeletonRows columns={columns.length} />
            ) : (
              table
                .getRowModel()
                .rows.map((row) => (
                  <DataRow
                    key={row.id}
                    row={row}
                    href={rowHref?.(row.original)}
                    highlighted={highlighted?.has(row.id) ?? false}
                    renderCell={(cell) => <table.FlexRender cell={cell} />}
                  />
                ))
            )}
          </TableBody>
        </Table>
      </div>
      {footer}
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return <div className="min-w-0 overflow-hidden rounded-lg border bg-surface shadow-raised">{children}</div>;
}
