import { afterEach, expect, it, vi } from 'vitest';
import { parseJson } from './parse-json';

afterEach(() => vi.unstubAllGlobals());

const TEXT = '{"a":[1,2.5,null,"x"],"b":{"c":true}}';

it('reads JSON where numbers cannot be kept as they were written', () => {
  vi.stubGlobal('JSON', { parse: JSON.parse.bind(JSON), stringify: JSON.stringify.bind(JSON) });
  expect(parseJson(TEXT)).toEqual({ a: [1, 2.5, null, 'x'], b: { c: true } });
});

it.each([TEXT, '1', 'null', '[]'])('reads %s as ever', (text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

it('reads what is nested as deeply as an event may be', () => {
  const text = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  expect(Array.isArray(parseJson(text))).toBe(true);
});

it('refuses what is no JSON', () => {
  expect(() => parseJson('{"a":')).toThrow(SyntaxError);
});
