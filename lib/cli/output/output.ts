import type { CliErrorFields } from '@/lib/cli/cli-error';
import type { Terminal } from '@/lib/cli/terminal';
import { escapeUnsafe, sanitize, sanitizeLines, toJson } from '@/lib/platform/terminal/sanitize';
import { type Style, styleFor } from '@/lib/platform/terminal/style';
import { type Column, plainCell } from './column';
import { compactJson, indentJson } from './format-body';
import { formatRecord, formatRow, formatTable } from './table';

/** Rows of a table that are laid out together: a list of any length needs bounded memory. */
const ROWS_AT_ONCE = 100;

export interface ListOptions {
  /** Rows to show at most; undefined shows all. */
  limit: number | undefined;
  /** Said when there are none, such as "No endpoints yet." */
  empty: string;
}

/**
 * Writes results to standard output and words to standard error. With --json a result is JSON; otherwise it is a table on a
 * terminal, and text separated by tabs elsewhere.
 */
export class Output {
  /** The colors of standard output. */
  readonly style: Style;
  readonly #words: Style;

  constructor(
    private readonly terminal: Terminal,
    readonly isJson: boolean,
  ) {
    this.style = styleFor(terminal.stdout, terminal.env);
    this.#words = styleFor(terminal.stderr, terminal.env);
  }

  /** Writes a list, row by row as it arrives. Says so when the limit hides rows. */
  async list<T>(
    rows: AsyncIterable<T> | Iterable<T>,
    columns: Column<T>[],
    { limit, empty }: ListOptions,
  ): Promise<void> {
    const write = this.isJson ? this.#jsonRows<T>() : this.#textRows(columns);
    let count = 0;
    let hasMore = false;
    for await (const row of rows) {
      if (count === limit) {
        hasMore = true;
        break;
      }
      count += 1;
      write.row(row);
    }
    write.end();
    if (count === 0 && !this.isJson) this.note(empty);
    if (hasMore) this.note(`Only the first ${count} are shown. Show more with --limit N or --all.`);
  }

  /** Writes one object. */
  record<T extends object>(row: T, columns: Column<T>[]): void {
    if (this.isJson) this.#json(row);
    else this.#textRecord(row, columns);
  }

  /** Writes the fields of an object that have a value. With tables and blocks after it, it shows one thing as text. */
  fields<T extends object>(row: T, columns: Column<T>[]): void {
    const given = columns.filter((column) => (column.value(row) ?? '') !== '');
    this.#textRecord(row, given);
  }

  /** Writes rows as text, with a title on a terminal. @param name of one row, such as "delivery" */
  table<T>(title: string, name: string, rows: T[], columns: Column<T>[]): void {
    const { stdout } = this.terminal;
    if (stdout.isTTY) this.heading(title);
    if (!stdout.isTTY) for (const row of rows) stdout.write(`${name}\t${formatRow(row, columns)}`);
    else if (rows.length > 0) stdout.write(formatTable(rows, columns, stdout.columns, this.style, new Date()));
  }

  /** Writes text of several lines, such as JSON, with a title on a terminal. @param name of it in one line elsewhere */
  block(title: string, name: string, text: string): void {
    if (this.terminal.stdout.isTTY) this.heading(title);
    this.text(this.terminal.stdout.isTTY ? sanitizeLines(text.trimEnd()) : `${name}\t${sanitize(text)}`);
  }

  heading(title: string): void {
    this.text(`\n${this.style.bold(title)}`);
  }

  /** Writes the headers of an HTTP message below a heading. */
  headers(title: string, headers: readonly (readonly [string, string])[]): void {
    this.heading(title);
    for (const [name, value] of headers) this.text(`${this.style.dim(`${sanitize(name)}:`)} ${sanitize(value)}`);
  }

  #textRecord<T>(row: T, columns: Column<T>[]): void {
    const { stdout } = this.terminal;
    if (stdout.isTTY) stdout.write(formatRecord(row, columns, this.style, new Date()));
    else for (const column of columns) stdout.write(`${column.header.toLowerCase()}\t${plainCell(column, row)}\n`);
  }

  /** Writes one value, such as a secret, alone in its line. Its JSON is an object that names it. */
  value(object: object, text: string): void {
    if (this.isJson) this.#json(object);
    else this.terminal.stdout.write(`${sanitize(text)}\n`);
  }

  /** Writes JSON of the server, digit by digit: reading and writing its value would round large numbers. */
  json(text: string): void {
    const { stdout } = this.terminal;
    stdout.write(`${escapeUnsafe(stdout.isTTY ? indentJson(text) : compactJson(text))}\n`);
  }

  /** As item, for JSON of the server in place of an object. */
  jsonItem(json: string, text: string): void {
    this.terminal.stdout.write(this.isJson ? `${escapeUnsafe(compactJson(json))}\n` : `${text}\n`);
  }

  /** Writes an item of a stream: a line of NDJSON or of text. The caller sanitizes the text, which may have color. */
  item(object: object, text: string): void {
    this.terminal.stdout.write(this.isJson ? `${toJson(object)}\n` : `${text}\n`);
  }

  /** Says what an action did. Its JSON, or `data` in a line of its own, goes to standard output, its words to standard error. */
  done(object: object, text: string, data?: string): void {
    if (this.isJson) {
      this.#json(object);
      return;
    }
    this.#say(`${this.#words.green('✓')} ${sanitize(text)}`);
    if (data !== undefined) this.terminal.stdout.write(`${sanitizeLines(data)}\n`);
  }

  /** Writes text of a result that has no columns, such as a body. It must be safe for a terminal already. */
  text(text: string): void {
    this.terminal.stdout.write(`${text}\n`);
  }

  /** Writes bytes as they are. For programs: they may contain anything. */
  bytes(bytes: Uint8Array): void {
    this.terminal.stdout.write(bytes);
  }

  /** Writes bytes as fast as standard output takes them. A terminal gets them as text that cannot control it. */
  async stream(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const { stdout } = this.terminal;
    const decoder = new TextDecoder();
    for await (const chunk of chunks) {
      stdout.write(stdout.isTTY ? sanitizeLines(decoder.decode(chunk, { stream: true })) : chunk);
      await stdout.flush();
    }
    if (stdout.isTTY) stdout.write('\n');
  }

  /** Writes a line for a person, to standard error. It may have text of the server. */
  note(text: string): void {
    this.#say(sanitize(text));
  }

  #say(text: string): void {
    this.terminal.stderr.write(`${text}\n`);
  }

  /** Suggests what to do next to a person at a terminal. */
  hint(text: string): void {
    if (!this.isJson && this.terminal.stderr.isTTY) this.note(text);
  }

  /** Writes an error: as words, or as one line of JSON. */
  error(fields: CliErrorFields): void {
    if (this.isJson) this.#say(toJson({ error: fields }));
    else this.#errorWords(fields);
  }

  #errorWords({ message, reason, next, requestId }: CliErrorFields): void {
    const { red, bold, dim } = this.#words;
    this.#say(`${red(bold('Error:'))} ${sanitize(message)}`);
    if (reason !== undefined) this.#say(indent(sanitizeLines(reason)));
    if (next !== undefined) this.#say(`${bold('Next:')}  ${sanitize(next)}`);
    if (requestId !== undefined) this.#say(dim(`Request ID: ${sanitize(requestId)}`));
  }

  #json(value: unknown): void {
    const { stdout } = this.terminal;
    stdout.write(`${toJson(value, stdout.isTTY ? 2 : undefined)}\n`);
  }

  /** One array, so that `jq` reads it as a whole. */
  #jsonRows<T>() {
    const { stdout } = this.terminal;
    let separator = '[';
    return {
      row: (row: T) => {
        stdout.write(`${separator}\n${toJson(row)}`);
        separator = ',';
      },
      end: () => stdout.write(separator === '[' ? '[]\n' : '\n]\n'),
    };
  }

  #textRows<T>(columns: Column<T>[]) {
    const { stdout } = this.terminal;
    if (!stdout.isTTY) return { row: (row: T) => stdout.write(formatRow(row, columns)), end: () => {} };
    let rows: T[] = [];
    const flush = () => {
      if (rows.length > 0) stdout.write(formatTable(rows, columns, stdout.columns, this.style, new Date()));
      rows = [];
    };
    return { row: (row: T) => void (rows.push(row) >= ROWS_AT_ONCE && flush()), end: flush };
  }
}

function indent(text: string): string {
  return text.replace(/^/gm, '       ');
}
