import { describe, expect, it } from 'vitest';
import { mergeHead } from './merge-head';

const row = (id: string, state = 'old') => ({ id, state });

describe('mergeHead', () => {
  it('renews rows where they stand and keeps what is newer apart', () => {
    const merged = mergeHead([row('c'), row('b'), row('a')], [row('e'), row('d'), row('c', 'new'), row('b', 'new')]);
    expect(merged.rows).toEqual([row('c', 'new'), row('b', 'new'), row('a')]);
    expect(merged.fresh.map(({ id }) => id)).toEqual(['e', 'd']);
  });

  it('never moves, adds or drops a shown row', () => {
    const shown = [row('c'), row('a')];
    expect(mergeHead(shown, [row('d'), row('b')]).rows).toEqual(shown);
    expect(mergeHead(shown, []).rows).toEqual(shown);
  });

  it('takes every row for new while none is shown', () => {
    expect(mergeHead([], [row('a')]).fresh).toEqual([row('a')]);
  });

  it('has nothing to say before both are there', () => {
    expect(mergeHead(undefined, [row('a')])).toEqual({ rows: undefined, fresh: [] });
    expect(mergeHead([row('a')], undefined).fresh).toEqual([]);
  });
});
