import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from './write-rows';

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

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1'])(
    'does not let %j start a formula',
    (cell) => {
      expect(csvLine([cell])).toBe(`"'${cell}"\r\n`);
    },
  );

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
