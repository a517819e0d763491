import { describe, expect, it } from 'vitest';
import { mergeNewest } from './use-live-pages';

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
