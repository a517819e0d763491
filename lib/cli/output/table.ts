import type { Style } from '@/lib/platform/terminal/style';
import { type Column, paintCell, plainCell, readableCell } from './column';

/** One cell for each code unit. */
const SIMPLE = /^[\x20-\x7e…]*$/;

const GAP = '  ';
const NARROWEST = 8;
const NARROWEST_URL = 20;

interface LaidOut<T> {
  column: Column<T>;
  cells: string[];
  /** The cells of the terminal that the widest text takes. */
  wanted: number;
  /** The least that it can be cut to. */
  least: number;
}

/** Returns a table for a person: a header, aligned columns, and no row wider than the terminal if it can be avoided. */
export function formatTable<T>(rows: T[], columns: Column<T>[], width: number, style: Style, now: Date): string {
  const given = columns.filter((column) => !column.isOptional || rows.some((row) => (column.value(row) ?? '') !== ''));
  const shown = withoutSpare(
    given.map((column) => layOut(column, rows, now)),
    width,
  );
  const widths = fitWidths(shown, width - GAP.length * (shown.length - 1));
  const toLine = (paint: (each: LaidOut<T>, text: string) => string, textOf: (each: LaidOut<T>) => string) =>
    shown
      .map((each, i) => {
        const text = textOf(each);
        const cells = widths[i] ?? 0;
        const cut = each.column.kind === 'url' ? cutUrl(text, cells) : cutToWidth(text, cells);
        return paint(each, i === shown.length - 1 ? cut : padToWidth(cut, cells));
      })
      .join(GAP)
      .trimEnd();
  const header = toLine(
    (_column, text) => style.bold(text),
    ({ column }) => column.header,
  );
  const lines = rows.map((_row, i) =>
    toLine(
      ({ column }, text) => paintCell(column, text, style),
      ({ cells }) => cells[i] ?? '',
    ),
  );
  return `${[header, ...lines].join('\n')}\n`;
}

function layOut<T>(column: Column<T>, rows: T[], now: Date): LaidOut<T> {
  const cells = rows.map((row) => readableCell(column, row, now));
  const wanted = Math.max(textWidth(column.header), ...cells.map(textWidth));
  const narrowest = column.kind === 'url' ? NARROWEST_URL : NARROWEST;
  return { column, cells, wanted, least: column.kind === 'id' ? wanted : Math.min(wanted, narrowest) };
}

/** Leaves out spare columns until the others fit. */
function withoutSpare<T>(columns: LaidOut<T>[], width: number): LaidOut<T>[] {
  const least = columns.reduce((sum, each) => sum + each.least + GAP.length, -GAP.length);
  const most = Math.max(...columns.map(({ column }) => column.spare ?? 0));
  if (least <= width || most === 0) return columns;
  const kept = columns.filter(({ column }) => (column.spare ?? 0) < most);
  return withoutSpare(kept, width);
}

/** Takes cells from the widest columns until all fit; no column becomes too narrow to read, even where that is too wide. */
function fitWidths(columns: { wanted: number; least: number }[], available: number): number[] {
  const widths = columns.map(({ wanted }) => wanted);
  for (let over = widths.reduce((sum, each) => sum + each, 0) - available; over > 0; over -= 1) {
    const flexible = columns.flatMap(({ least }, i) => ((widths[i] ?? 0) > least ? [i] : []));
    const most = Math.max(...flexible.map((i) => widths[i] ?? 0));
    const widest = flexible.find((i) => widths[i] === most);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** Returns a row for programs: cells separated by tabs. */
export function formatRow<T>(row: T, columns: Column<T>[]): string {
  return `${columns.map((column) => plainCell(column, row)).join('\t')}\n`;
}

/** Returns the fields of one row, one in a line. */
export function formatRecord<T>(row: T, columns: Column<T>[], style: Style, now: Date): string {
  const width = Math.max(...columns.map(({ header }) => textWidth(header)));
  const lines = columns.map((column) => {
    const text = readableCell(column, row, now);
    const shown = column.kind === 'time' && text !== '-' ? `${plainCell(column, row)} (${text})` : text;
    return `${style.dim(padToWidth(column.header, width))}${GAP}${paintCell(column, shown, style)}`;
  });
  return `${lines.join('\n')}\n`;
}

const WIDE =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
let segmenter: Intl.Segmenter | undefined;

/** Made when a text needs it: it loads Unicode data, which is a part of the start that people notice. */
function charactersOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

const widthOf = (character: string) => (WIDE.test(character) ? 2 : 1);

/** Returns how many cells of a terminal a text without escape sequences takes. */
function textWidth(text: string): number {
  if (SIMPLE.test(text)) return text.length;
  let width = 0;
  for (const { segment } of charactersOf(text)) width += widthOf(segment);
  return width;
}

/** Cuts a text to a number of cells; the last one is then an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (SIMPLE.test(text)) return `${text.slice(0, Math.max(0, width - 1))}…`;
  let kept = '';
  let used = 0;
  for (const { segment } of charactersOf(text)) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Cuts a URL to a number of cells: first its scheme, then its middle, because the ends tell URLs apart. */
export function cutUrl(url: string, width: number): string {
  if (textWidth(url) <= width) return url;
  const text = url.replace(/^https?:\/\//, '');
  if (textWidth(text) <= width) return text;
  const end = cutToWidth([...text].reverse().join(''), Math.ceil((width + 1) / 2));
  const start = cutToWidth(text, width - textWidth(end) + 1);
  return `${start}${[...end].reverse().slice(1).join('')}`;
}

/** Fills a text with spaces to a number of cells. */
function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
