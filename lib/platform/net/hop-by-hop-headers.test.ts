import { expect, it } from 'vitest';
import { HOP_BY_HOP_HEADERS, withoutHopByHopHeaders } from './header-pairs';

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
