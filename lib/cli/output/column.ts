import { formatAge } from './format-age';
import { formatSize } from './format-size';
import { sanitize } from './sanitize';
import type { Style } from './style';

type Cell = string | number | boolean | null | undefined;

/** A column of a table, or a field of a record. */
export interface Column<T> {
  header: string;
  value(row: T): Cell;
  /**
   * `state`: colored by what it means. `time`: an RFC 3339 time, shown as an age on a terminal. `id`: never cut, because people
   * copy it. `url`: in a narrow table without its scheme, then without its middle. `size`: bytes. `duration`: milliseconds.
   */
  kind?: 'text' | 'state' | 'time' | 'id' | 'url' | 'size' | 'duration';
  /** A table that is wider than the terminal leaves out the columns with the highest numbers first; without a number, none. */
  spare?: number;
}

/** Returns the text of a cell for a program: nothing is shortened. */
export function plainCell<T>(column: Column<T>, row: T): string {
  return sanitize(String(column.value(row) ?? ''));
}

/** Returns the text of a cell for a person, without color. */
export function readableCell<T>(column: Column<T>, row: T, now: Date): string {
  const value = column.value(row);
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (column.kind === 'time') return formatAge(new Date(String(value)), now);
  if (column.kind === 'size') return formatSize(Number(value));
  return column.kind === 'duration' ? `${value} ms` : sanitize(String(value));
}

const GOOD = /^(ACTIVE|enabled|online|SUCCEEDED|DELIVERED|COMPLETED|verified|yes|ok|2\d\d)$/i;
const BAD = /^(FAILED|failing|EXHAUSTED|DEAD|REVOKED|EXPIRED|disabled|unverified|no|[45]\d\d)$/i;
const PENDING = /^(PENDING|QUEUED|ROTATING|RETRYING|IN_PROGRESS|RUNNING|SCHEDULED|CANCELED|offline|3\d\d)$/i;

/** Colors the text of a cell; `text` may be padded. */
export function paintCell<T>(column: Column<T>, text: string, style: Style): string {
  if (column.kind === 'time') return style.dim(text);
  if (column.kind !== 'state') return text;
  const word = text.trim();
  if (GOOD.test(word)) return style.green(text);
  if (BAD.test(word)) return style.red(text);
  return PENDING.test(word) ? style.yellow(text) : text;
}
