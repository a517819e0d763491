import { expect, it } from 'vitest';
import { parseHeaderPairs, toHeaderPairs } from './header-pairs';

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
