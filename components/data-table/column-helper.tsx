import { createColumnHelper, metaHelper, type RowData, tableFeatures } from '@tanstack/react-table';
import type { ReactNode } from 'react';

export interface ColumnMeta {
  /** This cell holds the row's link and heads its card. */
  primary?: boolean;
  align?: 'end';
  /** Leaves out the column name in a card, where the cell explains itself. */
  unlabelled?: boolean;
  /** Classes that hide the column in narrow tables, in its heading too. */
  hidden?: string;
  className?: string;
}

/** The API filters, orders and pages, so the table needs no feature but its columns. */
export const features = tableFeatures({ columnMeta: metaHelper<ColumnMeta>() });

/** The last column of a table: the menu or the button of each row, in the corner of its card. */
export const ACTIONS_COLUMN = {
  id: 'actions',
  header: () => <span className="sr-only">Actions</span>,
  meta: { align: 'end', unlabelled: true, className: 'max-sm:absolute max-sm:top-2 max-sm:right-0' },
} as const;

/** Returns the helper that types the columns of one kind of row. Call it at module scope: columns must be stable. */
export function columnHelperFor<Row extends RowData>() {
  return createColumnHelper<typeof features, Row>();
}

export interface Column<Row> extends ColumnMeta {
  header: string;
  cell: (row: Row) => ReactNode;
}

/**
 * Returns the columns of a table.
 * @param actions the menu or the button of each row, in a last column
 */
export function columnsOf<Row extends RowData>(columns: readonly Column<Row>[], actions?: (row: Row) => ReactNode) {
  const helper = columnHelperFor<Row>();
  return [
    ...columns.map(({ header, cell, ...meta }) =>
      helper.display({ id: header, header, meta, cell: ({ row }) => cell(row.original) }),
    ),
    ...(actions === undefined ? [] : [helper.display({ ...ACTIONS_COLUMN, cell: ({ row }) => actions(row.original) })]),
  ];
}
