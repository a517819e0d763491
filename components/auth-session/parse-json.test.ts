import { afterEach, expect, it, vi } from 'vitest';
import { parseJson } from './parse-json';

afterEach(() => vi.unstubAllGlobals());

const TEXT = '{"a":[1,2.5,null,"x"],"b":{"c":true}}';

it('parses JSON in a browser without JSON.rawJSON', () => {
  vi.stubGlobal('JSON', { parse: JSON.parse.bind(JSON), stringify: JSON.stringify.bind(JSON) });
  expect(parseJson(TEXT)).toEqual({ a: [1, 2.5, null, 'x'], b: { c: true } });
});

it.each([TEXT, '1', 'null', '[]'])('parses %s like JSON.parse', (text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

it('parses data as deeply nested as an event can be', () => {
  const text = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  expect(Array.isArray(parseJson(text))).toBe(true);
});

it('throws for invalid JSON', () => {
  expect(() => parseJson('{"a":')).toThrow(SyntaxError);
});
