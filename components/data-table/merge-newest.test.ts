import { describe, expect, it } from 'vitest';
import { mergeNewest } from './merge-newest';

const row = (id: string, state = 'old') => ({ id, state });

describe('mergeNewest', () => {
  it('renews rows where they stand and keeps what is newer apart', () => {
    const merged = mergeNewest([row('c'), row('b'), row('a')], [row('e'), row('d'), row('c', 'new'), row('b', 'new')]);
    expect(merged.rows).toEqual([row('c', 'new'), row('b', 'new'), row('a')]);
    expect(merged.newer.map(({ id }) => id)).toEqual(['e', 'd']);
  });

  it('never moves, adds or drops a shown row', () => {
    const shown = [row('c'), row('a')];
    expect(mergeNewest(shown, [row('d'), row('b')]).rows).toEqual(shown);
    expect(mergeNewest(shown, []).rows).toEqual(shown);
  });

  it('takes every row for new while none is shown', () => {
    expect(mergeNewest([], [row('a')]).newer).toEqual([row('a')]);
  });

  it('has nothing to say before both are there', () => {
    expect(mergeNewest(undefined, [row('a')])).toEqual({ rows: undefined, newer: [] });
    expect(mergeNewest([row('a')], undefined).newer).toEqual([]);
  });
});
