import { createColumnHelper, metaHelper, type RowData, tableFeatures } from '@tanstack/react-table';

export interface ColumnMeta {
  /** This cell holds the row's link, and stands on top when the row is a card. */
  primary?: boolean;
  align?: 'end';
  /** The cell says what it is by itself: no name before it when the row is a card. */
  unlabelled?: boolean;
  className?: string;
}

/** The API filters, orders and pages, so the table has no feature of its own beyond drawing columns. */
export const features = tableFeatures({ columnMeta: metaHelper<ColumnMeta>() });

/** The helper that types the columns of one kind of row. Call it at module scope: columns must be stable. */
export function columnHelperFor<Row extends RowData>() {
  return createColumnHelper<typeof features, Row>();
}
