import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsOf } from './row-window';
import { addressFault, takeSent } from './text-filter';
import { countActive, dropFaulty, readFilters, withQuery, writeFilters } from './url-filters';
import { mergeNewest } from './use-live-pages';
import { readAll } from './use-pages';
import { type Selection, toggleRow } from './use-row-selection';

it('reads only the named filters, and an empty one as absent', () => {
  expect(readFilters('type=order.paid&since=&other=1', ['type', 'since'])).toEqual({
    type: 'order.paid',
    since: undefined,
  });
});

it('sets given filters, removes undefined ones, and keeps the rest', () => {
  expect(writeFilters('type=a&tab=2', { type: undefined, since: '24h' })).toBe('tab=2&since=24h');
});

it('keeps what is typed while earlier texts of the filter arrive, and shows a value that is set elsewhere', () => {
  const sent = ['order', 'order.paid', 'order.paid.eu'];
  expect(takeSent(sent, 'order.paid')).toBe(true);
  expect(sent).toEqual(['order.paid.eu']);
  expect(takeSent(sent, '')).toBe(false);
  expect(sent).toEqual([]);
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

it.each([
  [10, ['1', '2', '3'], 2],
  [2, ['1', '2'], 1],
] as const)('reads a list to its end, or until it has %d rows', async (max, rows, requests) => {
  const paths: string[] = [];
  const fetchPage = async (path: string) => {
    paths.push(path);
    return path.includes('cursor') ? { data: ['3'], nextCursor: null } : { data: ['1', '2'], nextCursor: 'c' };
  };
  expect(await readAll('/types', max, fetchPage)).toEqual(rows);
  expect(paths).toEqual(['/types?limit=100', '/types?limit=100&cursor=c'].slice(0, requests));
});

it('adds only parameters with a value to a path', () => {
  expect(withQuery('/events', { type: undefined, limit: 50, cursor: '' })).toBe('/events?limit=50');
  expect(withQuery('/events', {})).toBe('/events');
});

it('takes complete addresses only', () => {
  const complete = ['203.0.113.7', '0.0.0.0', '255.255.255.255', '::1', '2001:DB8::7', '::ffff:203.0.113.7'];
  expect(complete.filter((typed) => addressFault(typed) !== undefined)).toEqual([]);
  const others = [
    '',
    '42',
    '203.0.113',
    '203.0.113.',
    '203.0.113.256',
    '203.0.113.7.',
    '2001:',
    '::g',
    'a:b',
    '::1]/x',
  ];
  expect(others.filter((typed) => addressFault(typed) === undefined)).toEqual([]);
});

it('drops a filter with a fault, and keeps the others', () => {
  const faults = { type: (value: string) => (value === 'bad' ? 'It is bad.' : undefined) };
  expect(dropFaulty({ type: 'bad', from: '2026' }, faults)).toEqual({ from: '2026' });
  expect(dropFaulty({ type: 'good', from: undefined }, faults)).toEqual({ type: 'good' });
});

const row = (id: string, state = 'old') => ({ id, state });

describe('mergeNewest', () => {
  it('updates rows in place and returns newer rows separately', () => {
    const merged = mergeNewest([row('c'), row('b'), row('a')], [row('e'), row('d'), row('c', 'new'), row('b', 'new')]);
    expect(merged.rows).toEqual([row('c', 'new'), row('b', 'new'), row('a')]);
    expect(merged.newer.map(({ id }) => id)).toEqual(['e', 'd']);
  });

  it('never moves, adds or removes a shown row', () => {
    const shown = [row('c'), row('a')];
    expect(mergeNewest(shown, [row('d'), row('b')]).rows).toEqual(shown);
    expect(mergeNewest(shown, []).rows).toEqual(shown);
  });

  it('finds a row that was stored late, and leaves those of the next page alone', () => {
    const { newer } = mergeNewest([row('e'), row('c')], [row('e'), row('d'), row('c'), row('b')]);
    expect(newer.map(({ id }) => id)).toEqual(['d']);
  });

  it('treats every row as new while none is shown', () => {
    expect(mergeNewest([], [row('a')]).newer).toEqual([row('a')]);
  });

  it('returns no newer rows until both lists are loaded', () => {
    expect(mergeNewest(undefined, [row('a')])).toEqual({ rows: undefined, newer: [] });
    expect(mergeNewest([row('a')], undefined).newer).toEqual([]);
  });
});

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

const heights = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 200 });
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

it('rendered rows and gaps cover a long list once, in order, and no two gaps touch', () => {
  fc.assert(
    fc.property(heights, fc.nat(1_000), fc.uniqueArray(fc.nat(199)), (heightsPx, topPx, chosen) => {
      const shown = chosen.filter((index) => index < heightsPx.length).sort((a, b) => a - b);
      const rows = shown.map((index) => {
        const start = topPx + sum(heightsPx.slice(0, index));
        return { key: String(index), start, end: start + (heightsPx[index] ?? 0) };
      });
      const parts = partsOf(rows, topPx, sum(heightsPx));
      expect(parts.flatMap((part) => (part.kind === 'row' ? [Number(part.id)] : []))).toEqual(shown);
      const hidden = sum(heightsPx.filter((_, index) => !shown.includes(index)));
      expect(sum(parts.map((part) => (part.kind === 'gap' ? part.heightPx : 0)))).toBe(hidden);
      for (const [n, part] of parts.entries()) {
        if (part.kind === 'gap') expect(parts[n + 1]?.kind).not.toBe('gap');
      }
    }),
  );
});
