import { expect, it } from 'vitest';
import { compactJson, formatBody, indentJson } from './format-body';

const text = (text: string) => formatBody({ text, base64: null });
const bytes = (...values: number[]) => formatBody({ text: null, base64: Buffer.from(values).toString('base64') });

it('indents JSON as JSON.stringify does', () => {
  const value = { a: [1, { b: 'x,{"}:' }], c: {}, d: [], e: null, f: [[true]], g: 'Ω\n' };
  expect(text(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
});

it('keeps the digits of numbers that JavaScript would round', () => {
  expect(text('{"id":12345678901234567890,"price":1.10}')).toBe('{\n  "id": 12345678901234567890,\n  "price": 1.10\n}');
});

it('leaves JSON on one line that is nested more than 50 deep', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  expect(text(nested(50)).split('\n')).toHaveLength(99);
  expect(text(` ${nested(51)}`)).toBe(nested(51));
});

it.each(['plain text', '"a string"', '{"broken":', '12', ''])('leaves %j as it is', (given) => {
  expect(text(given)).toBe(given);
});

it('makes control characters visible, and keeps line breaks', () => {
  expect(text('a\r\nb\x1b[2Jc')).toBe('a\nb\\x1b[2Jc');
});

it('shows other bytes in hexadecimal, beside those that are characters', () => {
  expect(bytes(0, 255, 72, 105)).toBe(`00000000  00 ff 48 69${' '.repeat(36)}  ..Hi`);
});

it('does not indent JSON of over 1 MiB, which may be one string of 10 MiB', () => {
  const json = JSON.stringify({ a: 'x'.repeat(10 * 1024 * 1024) });
  expect(indentJson(json)).toBe(json);
  expect(compactJson(` ${json} `)).toBe(json);
  expect(indentJson(JSON.stringify({ a: 'x'.repeat(1_000_000) }))).toMatch(/^\{\n {2}"a": "x/);
});

it('cuts long bodies, and says how much is missing', () => {
  expect(text('x'.repeat(20_003))).toMatch(/x\n… 3 more characters$/);
  const shown = bytes(...new Uint8Array(600)).split('\n');
  expect([shown.length, shown.at(-1)]).toEqual([33, '… 88 more bytes']);
});
