import { expect, it } from 'vitest';
import { HOP_BY_HOP_HEADERS, parseHeaderPairs, toHeaderPairs, withoutHopByHopHeaders } from './header-pairs';

it('pairs keep the order, the case and the repeats of raw headers', () => {
  expect(toHeaderPairs(['X-A', '1', 'x-b', '2', 'X-A', '3'])).toEqual([
    ['X-A', '1'],
    ['x-b', '2'],
    ['X-A', '3'],
  ]);
});

it('stored pairs are read back, and null when the text is damaged', () => {
  expect(parseHeaderPairs('[["x-a","1"],["x-a","2"]]')).toEqual([
    ['x-a', '1'],
    ['x-a', '2'],
  ]);
  for (const text of ['', '{}', '[["x-a"]]', '[["x-a",1]]', '["x-a","1"]', '[["x-a","1"]']) {
    expect(parseHeaderPairs(text), text).toBeNull();
  }
});

it.each(HOP_BY_HOP_HEADERS)('%s is removed in any case', (name) => {
  expect(
    withoutHopByHopHeaders([
      [name.toUpperCase(), 'x'],
      ['X-Shop', 'y'],
    ]),
  ).toEqual([['X-Shop', 'y']]);
});

it('headers that Connection names are removed too, and others are kept in order', () => {
  expect(
    withoutHopByHopHeaders([
      ['X-Hop', 'a'],
      ['Connection', 'close, x-hop'],
      ['connection', 'X-Other'],
      ['x-other', 'b'],
      ['X-Shop', 'c'],
      ['X-Shop', 'd'],
    ]),
  ).toEqual([
    ['X-Shop', 'c'],
    ['X-Shop', 'd'],
  ]);
});
