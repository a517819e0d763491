import { createColumnHelper, metaHelper, type RowData, tableFeatures } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { TableColumn } from '@/components/ui/table';

/** A column of a table of rows that the API filters, orders and pages. */
export interface Column<Row> extends TableColumn<Row> {
  /** This cell holds the row's link and heads its card. */
  primary?: boolean;
  /** Leaves out the column name in a card, where the cell explains itself. */
  unlabelled?: boolean;
  /** Classes that hide the column in narrow tables, in its heading too. */
  hidden?: string;
}

/**
 * Returns the columns of a table. At module scope they are stable, so that a row renders only when it changes.
 * @param actions the menu or the button of each row, in a last column and in the corner of its card
 */
export function columnsOf<Row>(columns: readonly Column<Row>[], actions?: (row: Row) => ReactNode): Column<Row>[] {
  if (actions === undefined) return [...columns];
  const className = 'max-sm:absolute max-sm:top-2 max-sm:right-0';
  const last = { header: 'Actions', isHeaderHidden: true, align: 'end', unlabelled: true, className } as const;
  return [...columns, { ...last, cell: actions }];
}

/** The API filters, orders and pages, so a table needs no feature but its columns. */
export const features = tableFeatures({ columnMeta: metaHelper<Pick<Column<never>, 'align' | 'hidden'>>() });

/** Returns the columns in the form that the table takes. */
export function toColumnDefs<Row extends RowData>(columns: readonly Column<Row>[]) {
  const helper = createColumnHelper<typeof features, Row>();
  return columns.map(({ header, isHeaderHidden, align, hidden, cell }) =>
    helper.display({
      id: header,
      header: isHeaderHidden ? () => <span className="sr-only">{header}</span> : header,
      meta: { ...(align === undefined ? {} : { align }), ...(hidden === undefined ? {} : { hidden }) },
      cell: ({ row }) => cell(row.original),
    }),
  );
}
