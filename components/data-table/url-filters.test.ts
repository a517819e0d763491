import { expect, it } from 'vitest';
import { countActive, dropFaulty, readFilters, withQuery, writeFilters } from './url-filters';

it('reads only the named filters, and an empty one as absent', () => {
  expect(readFilters('type=order.paid&since=&other=1', ['type', 'since'])).toEqual({
    type: 'order.paid',
    since: undefined,
  });
});

it('sets given filters, removes undefined ones, and keeps the rest', () => {
  expect(writeFilters('type=a&tab=2', { type: undefined, since: '24h' })).toBe('tab=2&since=24h');
});

it('counts the filters that are set, and a start with an end as one', () => {
  expect(countActive({ type: undefined, since: undefined })).toBe(0);
  expect(countActive({ type: 'a', from: '2026', to: undefined })).toBe(2);
  expect(countActive({ type: 'a', from: '2026', to: '2027' })).toBe(2);
});

it('reads back any characters it wrote', () => {
  const value = 'ä&=?# +%';
  expect(readFilters(writeFilters('', { type: value }), ['type']).type).toBe(value);
});

it('adds only parameters with a value to a path', () => {
  expect(withQuery('/events', { type: undefined, limit: 50, cursor: '' })).toBe('/events?limit=50');
  expect(withQuery('/events', {})).toBe('/events');
});

it('drops a filter with a fault, and keeps the others', () => {
  const faults = { type: (value: string) => (value === 'bad' ? 'It is bad.' : undefined) };
  expect(dropFaulty({ type: 'bad', from: '2026' }, faults)).toEqual({ from: '2026' });
  expect(dropFaulty({ type: 'good', from: undefined }, faults)).toEqual({ type: 'good' });
});
