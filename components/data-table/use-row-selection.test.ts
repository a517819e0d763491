import { expect, it } from 'vitest';
import { type Selection, toggleRow } from './use-row-selection';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const NONE: Selection = { selected: new Set(), anchor: null };
const listed = ({ selected }: Selection) => [...selected].sort().join('');

it('selects a row, and removes it again', () => {
  const one = toggleRow(NONE, IDS, 'b', false);
  expect(listed(one)).toBe('b');
  expect(listed(toggleRow(one, IDS, 'b', false))).toBe('');
});

it('selects the rows between the last one and this one, in both directions', () => {
  const anchored = toggleRow(NONE, IDS, 'c', false);
  expect(listed(toggleRow(anchored, IDS, 'e', true))).toBe('cde');
  expect(listed(toggleRow(anchored, IDS, 'a', true))).toBe('abc');
});

it('removes a range when its end was selected', () => {
  const all: Selection = { selected: new Set(IDS), anchor: 'b' };
  expect(listed(toggleRow(all, IDS, 'd', true))).toBe('ae');
});

it('selects one row when the range has no start', () => {
  expect(listed(toggleRow(NONE, IDS, 'd', true))).toBe('d');
  expect(listed(toggleRow({ selected: new Set(), anchor: 'gone' }, IDS, 'd', true))).toBe('d');
});
