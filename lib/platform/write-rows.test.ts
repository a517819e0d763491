import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Page } from './pagination';
import { csvLine, writeRows } from './write-rows';

interface Row {
  id: string;
  note: string | null;
}

/** Makes a list of rows, newest first, and remembers the pages that were read. */
function makeList(count: number, note: string | null = 'n') {
  const rows = Array.from({ length: count }, (_, n) => ({ id: String(count - n).padStart(6, '0'), note }));
  const pages: Page[] = [];
  const read = async (page: Page) => {
    pages.push(page);
    const found = rows.filter(({ id }) => page.cursor === undefined || id < page.cursor);
    const shown = found.slice(0, page.limit);
    return { rows: shown, next: found.length > shown.length ? (shown.at(-1)?.id ?? null) : null };
  };
  return { rows, pages, read };
}

async function readAll(chunks: AsyncGenerator<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

const COLUMNS = { id: (row: Row) => row.id, note: (row: Row) => row.note };

it('writes every row once, in order, across pages', async () => {
  const { rows, read } = makeList(1234);
  const lines = (await readAll(writeRows(read, 'ndjson', COLUMNS))).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
});

it('names the columns in the first line of CSV, also without rows', async () => {
  expect(await readAll(writeRows(makeList(0).read, 'csv', COLUMNS))).toBe('"id","note"\r\n');
  expect(await readAll(writeRows(makeList(1, null).read, 'csv', COLUMNS))).toBe('"id","note"\r\n"000001",""\r\n');
});

it('never starts a cell with a formula', async () => {
  expect(await readAll(writeRows(makeList(1, '=1+1').read, 'csv', COLUMNS))).toContain(`"'=1+1"`);
});

it.each([
  ["x;=cmd|'/C calc'!A0;y", `"x;'=cmd|'/C calc'!A0;y"`],
  [';;=1', `";;'=1"`],
  ['a;b', '"a;b"'],
  ['a = 1; b', '"a = 1; b"'],
])('starts no part of %j with a formula, since many spreadsheets separate cells with semicolons', (cell, line) => {
  expect(csvLine([cell])).toBe(`${line}\r\n`);
});

it('continues after pages that are short or empty', async () => {
  const pages = [
    { rows: [{ id: '9', note: null }], next: '7' },
    { rows: [], next: '5' },
    { rows: [{ id: '3', note: null }], next: null },
  ];
  const cursors: (string | undefined)[] = [];
  const read = async ({ cursor }: Page) => {
    cursors.push(cursor);
    return pages[cursors.length - 1] ?? { rows: [], next: null };
  };
  const lines = (await readAll(writeRows(read, 'ndjson', COLUMNS))).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(['9', '3']);
  expect(cursors).toEqual([undefined, '7', '5']);
});

it('stops after a hundred pages without matches', async () => {
  let reads = 0;
  const read = async () => ({ rows: [], next: String(++reads) });
  expect(await readAll(writeRows(read, 'ndjson', COLUMNS))).toBe('');
  expect(reads).toBe(100);
});

it('writes nothing for an empty list of JSON lines', async () => {
  expect(await readAll(writeRows(makeList(0).read, 'ndjson', COLUMNS))).toBe('');
});

it('stops after the given number of rows', async () => {
  const { rows, pages, read } = makeList(1500);
  const lines = (await readAll(writeRows(read, 'ndjson', COLUMNS, 700))).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(rows.slice(0, 700));
  expect(pages.map(({ limit }) => limit)).toEqual([100, 100, 100, 100, 100, 100, 100]);
});

it('reads a page only when the client has taken the one before', async () => {
  const { pages, read } = makeList(1500);
  const chunks = writeRows(read, 'ndjson', COLUMNS);
  await chunks.next();
  expect(pages).toHaveLength(1);
  await chunks.next();
  expect(pages).toHaveLength(2);
  await chunks.return(undefined);
  expect(pages).toHaveLength(2);
});

/** Parses a line by the rules of RFC 4180. */
function readLine(line: string): string[] {
  const cells = [...line.slice(0, -2).matchAll(/(?:^|,)"((?:[^"]|"")*)"/gsu)];
  return cells.map((match) => (match[1] ?? '').replaceAll('""', '"'));
}

describe('a line of CSV', () => {
  it('keeps commas, quotes and line breaks within their cell', () => {
    expect(csvLine(['a,b', 'say "no"', 'two\r\nlines', null, undefined])).toBe(
      '"a,b","say ""no""","two\r\nlines","",""\r\n',
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', ' =1', '\u00a0=1'])(
    'does not let %j start a formula',
    (cell) => {
      expect(csvLine([cell])).toBe(`"'${cell}"\r\n`);
    },
  );

  it('lets no formula start after a semicolon, where a cell begins with a decimal comma, also behind a quote', () => {
    expect(csvLine(['a;=1'])).toBe(`"a;'=1"\r\n`);
    expect(csvLine(['a;"=1+1;b'])).toBe(`"a;'""=1+1;b"\r\n`);
    expect(csvLine(['a; =1'])).toBe(`"a;' =1"\r\n`);
  });

  it('leaves other text unchanged', () => {
    expect(csvLine(['a=1', '2026-11-21T00:00:00.000Z', '{"a":-1}', '::1'])).not.toContain("'");
  });

  it('round-trips any text, and never yields a formula', () => {
    const cell = fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", 'a', 'é') });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
        const read = readLine(csvLine(cells));
        expect(read.map((text, n) => (text === cells[n] ? text : text.slice(1)))).toEqual(cells);
        for (const text of read) expect(text).not.toMatch(/^[=+\-@\t\r\n]/);
      }),
    );
  });
});
