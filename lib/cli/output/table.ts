import { type Column, paintCell, plainCell, readableCell } from './column';
import type { Style } from './style';
import { cutToWidth, padToWidth, textWidth } from './text-width';

const GAP = '  ';
const NARROWEST = 8;

/** Returns a table for a person: a header, aligned columns, and no row wider than the terminal. */
export function formatTable<T>(rows: T[], columns: Column<T>[], width: number, style: Style, now: Date): string {
  const cells = rows.map((row) => columns.map((column) => readableCell(column, row, now)));
  const wanted = columns.map(({ header }, i) =>
    Math.max(textWidth(header), ...cells.map((row) => textWidth(row[i] ?? ''))),
  );
  const isFixed = columns.map(({ kind }) => kind === 'id');
  const widths = fitWidths(wanted, isFixed, width - GAP.length * (columns.length - 1));
  const layOut = (texts: string[], paint: (text: string, i: number) => string) =>
    texts
      .map((text, i) => {
        const cut = cutToWidth(text, widths[i] ?? 0);
        return paint(i === texts.length - 1 ? cut : padToWidth(cut, widths[i] ?? 0), i);
      })
      .join(GAP)
      .trimEnd();
  const header = layOut(
    columns.map((column) => column.header),
    style.bold,
  );
  const lines = cells.map((row) => layOut(row, (text, i) => paintCell(columns[i] as Column<T>, text, style)));
  return `${[header, ...lines].join('\n')}\n`;
}

/** Takes cells from the widest columns until all fit; no column becomes too narrow to read, even where that is too wide. */
function fitWidths(wanted: number[], isFixed: boolean[], available: number): number[] {
  const widths = [...wanted];
  const flexible = [...widths.keys()].filter((i) => !isFixed[i]);
  for (let over = widths.reduce((sum, each) => sum + each, 0) - available; over > 0; over -= 1) {
    const most = Math.max(...flexible.map((i) => widths[i] ?? 0));
    const widest = flexible.find((i) => widths[i] === most);
    if (widest === undefined || most <= NARROWEST) break;
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
    const shown = column.kind === 'time' && text !== '-' ? `${column.value(row)} (${text})` : text;
    return `${style.dim(padToWidth(column.header, width))}${GAP}${paintCell(column, shown, style)}`;
  });
  return `${lines.join('\n')}\n`;
}
