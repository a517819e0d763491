import type { Terminal } from '@/lib/cli/terminal';
import { type Column, plainCell } from './column';
import { sanitize, sanitizeLines } from './sanitize';
import type { Style } from './style';
import { formatRecord, formatRow, formatTable } from './table';

/**
 * Writes one thing with all that belongs to it as text: fields, tables and blocks of text, with titles on a terminal. Elsewhere
 * each is lines separated by tabs that begin with the name of what they show.
 */
export class Details {
  constructor(
    private readonly terminal: Terminal,
    private readonly style: Style,
  ) {}

  /** Writes the fields of an object; leaves out those without a value. */
  fields<T>(row: T, columns: Column<T>[]): void {
    const { stdout } = this.terminal;
    const given = columns.filter((column) => (column.value(row) ?? '') !== '');
    if (stdout.isTTY) stdout.write(formatRecord(row, given, this.style, new Date()));
    else for (const column of given) stdout.write(`${column.header.toLowerCase()}\t${plainCell(column, row)}\n`);
  }

  /** Writes rows. @param name of one row, such as "delivery" */
  table<T>(title: string, name: string, rows: T[], columns: Column<T>[]): void {
    const { stdout } = this.terminal;
    this.#title(title);
    if (!stdout.isTTY) for (const row of rows) stdout.write(`${name}\t${formatRow(row, columns)}`);
    else if (rows.length > 0) stdout.write(formatTable(rows, columns, stdout.columns, this.style, new Date()));
  }

  /** Writes text of several lines, such as JSON. */
  text(title: string, name: string, text: string): void {
    this.#title(title);
    this.terminal.stdout.write(
      this.terminal.stdout.isTTY ? `${sanitizeLines(text.trimEnd())}\n` : `${name}\t${sanitize(text)}\n`,
    );
  }

  #title(title: string): void {
    if (this.terminal.stdout.isTTY) this.terminal.stdout.write(`\n${this.style.bold(title)}\n`);
  }
}
