import type { HeaderPairs } from '@/lib/platform/net/header-pairs';

/*
 * Headers as they are stored with an attempt: a line of `name: value` each. Compact, readable in the database, and free of the
 * quotes that both JSON and a parameter of PostgreSQL would escape.
 */

/** The last line if headers are missing. No header has this name. */
const CUT_MARK = '…';

/** Returns the line of a header. Line breaks, which no parser accepts within a header, become spaces. */
export function headerLine(name: string, value: string): string {
  const line = `${name}: ${value}`;
  return line.includes('\n') || line.includes('\r') ? line.replace(/[\r\n]+/g, ' ') : line;
}

/** Joins lines. @param isCut whether headers are missing */
export function joinHeaderLines(lines: readonly string[], isCut = false): string {
  return (isCut ? [...lines, CUT_MARK] : lines).join('\n');
}

/** Parses stored lines; `isCut` if headers are missing. */
export function parseHeaderLines(text: string): { headers: HeaderPairs; isCut: boolean } {
  const lines = text === '' ? [] : text.split('\n');
  const isCut = lines.at(-1) === CUT_MARK;
  const headers = (isCut ? lines.slice(0, -1) : lines).map((line): [string, string] => {
    const end = line.indexOf(': ');
    return end === -1 ? [line, ''] : [line.slice(0, end), line.slice(end + 2)];
  });
  return { headers, isCut };
}
