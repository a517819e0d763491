import { expect, it, vi } from 'vitest';
import * as z from 'zod';
import { smallRecord } from './small-record';

const check = vi.fn(() => true);
const Small = smallRecord(z.string().min(1), z.string().refine(check), { max: 2, message: 'must have at most 2' });

it('a small record takes as many members as it may have, each checked', () => {
  expect(Small.parse({ a: '1', b: '2' })).toEqual({ a: '1', b: '2' });
  expect(check).toHaveBeenCalledTimes(2);
  expect(Small.safeParse({ a: 1, b: '2' }).error?.issues.map(({ path }) => path)).toEqual([['a']]);
  for (const other of [null, 'text', [], undefined]) expect(Small.safeParse(other).success).toBe(false);
});

it('with more members it is refused with one message, and checks none of them', () => {
  check.mockClear();
  const { error } = Small.safeParse({ a: '1', b: '2', '': '3' });
  expect(error?.issues.map(({ message, path }) => ({ message, path }))).toEqual([
    { message: 'must have at most 2', path: [] },
  ]);
  expect(check).not.toHaveBeenCalled();
});

it('refuses the member __proto__, whatever it is, and takes other names that objects have', () => {
  for (const value of ['"1"', '{}', '1']) {
    const { error } = Small.safeParse(JSON.parse(`{"a": "1", "__proto__": ${value}}`));
    expect(error?.issues.map(({ message, path }) => ({ message, path }))).toEqual([
      { message: 'is reserved', path: ['__proto__'] },
    ]);
  }
  const given = { constructor: '1', toString: '2' };
  expect(Small.parse(given)).toEqual(given);
});
