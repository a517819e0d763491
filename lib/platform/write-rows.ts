import { csvLine } from '@/lib/platform/csv';
import type { Page } from '@/lib/platform/pagination';

/** The rows of a downloaded list at most: the newest. */
export const MAX_DOWNLOAD_ROWS = 100_000;
const PAGE_ROWS = 500;

export type RowFormat = 'csv' | 'ndjson';
type Cell = string | number | boolean | null | undefined;
/** The columns of the CSV file, by their name in its header. */
export type CsvColumns<Row> = Record<string, (row: Row) => Cell>;

/**
 * Writes a list as CSV (RFC 4180) or as one JSON value per line, page by page, so that memory holds one page only. Holds no
 * connection between pages, however slowly the client reads.
 *
 * @param read returns up to `limit` rows below the cursor, newest first
 */
export async function* writeRows<Row extends { id: string }>(
  read: (page: Page) => Promise<Row[]>,
  format: RowFormat,
  columns: CsvColumns<Row>,
  maxRows = MAX_DOWNLOAD_ROWS,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(Object.keys(columns));
  let cursor: string | undefined;
  for (let left = maxRows; left > 0; left -= PAGE_ROWS) {
    const limit = Math.min(left, PAGE_ROWS);
    const rows = await read({ limit, cursor });
    const lines = rows.map((row) => (format === 'csv' ? toCsv(row, columns) : `${JSON.stringify(row)}\n`));
    if (lines.length > 0) yield lines.join('');
    if (rows.length < limit) return;
    cursor = rows.at(-1)?.id;
  }
}

function toCsv<Row>(row: Row, columns: CsvColumns<Row>): string {
  return csvLine(Object.values(columns).map((read) => read(row)?.toString()));
}
