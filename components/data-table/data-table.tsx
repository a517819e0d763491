'use client';

import { type ColumnDef, type RowData, useTable } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { ErrorPanel } from '@/components/ui/error-panel';
import { Table, TableBody, TableHead, TableHeader, TableRow } from '@/components/ui/table';
import { type ColumnMeta, features } from './column-helper';
import { DataRow } from './data-row';
import { SelectBox } from './select-box';
import { SkeletonRows } from './skeleton-rows';
import { useRowNavigation } from './use-row-navigation';
import type { RowSelection } from './use-row-selection';

const NO_ROWS: never[] = [];

export interface DataTableProps<Row extends RowData> {
  /** Names the table for screen readers: "Events". */
  label: string;
  // biome-ignore lint/suspicious/noExplicitAny: each column has its own value type
  columns: ColumnDef<typeof features, Row, any>[];
  /** Undefined while the first page is loading. */
  rows: Row[] | undefined;
  /** Whether other rows are loading. */
  busy?: boolean;
  getRowId: (row: Row) => string;
  /** The page of a row; without it rows are not links. */
  rowHref?: (row: Row) => string;
  error?: unknown;
  onRetry?: () => void;
  /** Replaces the table when there are no rows. */
  empty: ReactNode;
  /** Shown below the rows, such as LoadMore. */
  footer?: ReactNode;
  /** Gives each row a checkbox, named by `nameOf`. */
  selection?: (RowSelection & { nameOf: (row: Row) => string }) | undefined;
  /** Ids of rows to highlight once, such as rows that were just added. */
  highlighted?: ReadonlySet<string>;
}

/** A table with its loading, error and empty states. Rows become cards on narrow screens. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, columns, rows, busy = false, getRowId, rowHref, error, onRetry, empty, footer } = props;
  const { highlighted, selection } = props;
  const table = useTable({ features, columns, data: rows ?? NO_ROWS, getRowId });
  const onKeyDown = useRowNavigation();
  if (rows === undefined && error !== undefined) {
    return (
      <Frame>
        <ErrorPanel
          what={`We couldn’t load the ${label.toLowerCase()}`}
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
        <Table aria-label={label} aria-busy={busy || rows === undefined}>
          <TableHead>
            {table.getHeaderGroups().map((group) => (
              <TableRow key={group.id}>
                {selection === undefined ? null : (
                  <TableHeader scope="col" className="w-0 pr-0 max-sm:hidden">
                    <SelectBox
                      label={`Select all loaded ${label.toLowerCase()}`}
                      isSelected={selection.isAll}
                      isSome={selection.selected.size > 0 && !selection.isAll}
                      onToggle={selection.toggleAll}
                    />
                  </TableHeader>
                )}
                {group.headers.map((header) => (
                  <TableHeader key={header.id} scope="col" className={headerClass(header.column.columnDef.meta)}>
                    <table.FlexRender header={header} />
                  </TableHeader>
                ))}
              </TableRow>
            ))}
          </TableHead>
          <TableBody onKeyDown={onKeyDown}>
            {rows === undefined ? (
              <SkeletonRows
                hidden={[...(selection === undefined ? [] : ['']), ...columns.map(({ meta }) => meta?.hidden ?? '')]}
              />
            ) : (
              table
                .getRowModel()
                .rows.map((row) => (
                  <DataRow
                    key={row.id}
                    row={row}
                    columns={columns}
                    href={rowHref?.(row.original)}
                    highlighted={highlighted?.has(row.id) ?? false}
                    isSelected={selection?.selected.has(row.id)}
                    selectLabel={selection === undefined ? '' : selection.nameOf(row.original)}
                    onSelect={selection?.toggle}
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

function headerClass(meta: ColumnMeta | undefined): string {
  return cn(meta?.align === 'end' && 'text-right', meta?.hidden);
}

function Frame({ children }: { children: ReactNode }) {
  return <div className="min-w-0 overflow-hidden rounded-lg border bg-surface shadow-raised">{children}</div>;
}
