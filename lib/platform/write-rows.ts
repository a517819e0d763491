import { database } from './db';
import type { Page } from './pagination';
import { countMatches, type Scan, type ScannedPage } from './sql/bounded-scan';

/** The rows of a downloaded list at most: the newest. */
export const MAX_DOWNLOAD_ROWS = 100_000;
/** The rows that are looked at for a file, at most. */
const MAX_EXAMINED_ROWS = 1_000_000;
/** A page takes some milliseconds of the thread in one piece. */
const PAGE_ROWS = 100;
/** Pages of a file that are not full: each has looked at 10,000 rows. */
const MAX_SHORT_PAGES = 100;

export type RowFormat = 'csv' | 'ndjson';
type Cell = string | number | boolean | null | undefined;
/** The columns of the CSV file, by their name in its header. */
export type CsvColumns<Row> = Record<string, (row: Row) => Cell>;

/**
 * Writes a list as CSV (RFC 4180) or as one JSON value per line, page by page, so that memory holds one page only. Holds no
 * connection between pages, however slowly the client reads.
 *
 * @param read returns a page of the rows that match, newest first
 */
export async function* writeRows<Row extends { id: string }>(
  read: (page: Page) => Promise<ScannedPage<Row>>,
  format: RowFormat,
  columns: CsvColumns<Row>,
  maxRows = MAX_DOWNLOAD_ROWS,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(Object.keys(columns));
  let [cursor, left, shortPages]: [string | undefined, number, number] = [undefined, maxRows, 0];
  while (left > 0 && shortPages < MAX_SHORT_PAGES) {
    const limit = Math.min(left, PAGE_ROWS);
    const { rows, next } = await read({ limit, cursor });
    const lines = rows.map((row) => (format === 'csv' ? toCsv(row, columns) : `${JSON.stringify(row)}\n`));
    if (lines.length > 0) yield lines.join('');
    if (next === null) return;
    left -= rows.length;
    if (rows.length < limit) shortPages++;
    cursor = next;
  }
}

/** Whether a file of the rows that match ends before it has all of them. */
export async function endsEarly(scan: Scan): Promise<boolean> {
  const limits = { upTo: MAX_DOWNLOAD_ROWS, maxExamined: MAX_EXAMINED_ROWS };
  return !(await countMatches(database(), scan, limits)).isExact;
}

function toCsv<Row>(row: Row, columns: CsvColumns<Row>): string {
  return csvLine(Object.values(columns).map((read) => read(row)?.toString()));
}

/** The first characters that make a spreadsheet read a cell as a formula, full-width forms included, whatever space or quote is before. */
const FORMULA = /^(?:["\s]*[=+\-@＝＋－＠]|[\t\r\n])/;
/** Where many of the world's spreadsheets begin a cell, whatever is in quotes: those of languages with a decimal comma. */
const FORMULA_OF_PART = /;(?=["\s]*[=+\-@＝＋－＠]|[\t\r\n])/g;

/**
 * Formats a line of CSV with every cell in quotes. A cell that a spreadsheet would run as a formula starts with an
 * apostrophe, and so does what follows a semicolon.
 */
export function csvLine(cells: readonly (string | null | undefined)[]): string {
  const quoted = cells.map((cell) => {
    const text = (cell ?? '').replaceAll(FORMULA_OF_PART, ";'");
    return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  });
  return `${quoted.join(',')}\r\n`;
}
