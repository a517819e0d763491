import { expect, it } from 'vitest';
import { changed } from './changed';

const SHOWN = { name: 'laptop', note: null as string | null, cidrs: ['10.0.0.0/8'], auth: { username: 'ada' } };

it('returns nothing when nothing differs from what the form showed', () => {
  expect(changed(structuredClone(SHOWN), SHOWN)).toEqual({});
});

it('returns each member that differs, with null for what was emptied', () => {
  expect(changed({ ...SHOWN, name: 'desk', cidrs: [] }, SHOWN)).toEqual({ name: 'desk', cidrs: [] });
  expect(changed({ ...SHOWN, auth: { username: 'bea' } }, SHOWN)).toEqual({ auth: { username: 'bea' } });
  expect(changed(SHOWN, { ...SHOWN, note: 'old' })).toEqual({ note: null });
});

it('leaves out a member without a value, and returns one that the form did not show', () => {
  const withToken = (token: string | null | undefined) => ({ name: 'laptop', token });
  expect(changed(withToken(undefined), withToken(undefined))).toEqual({});
  expect(changed(withToken(null), withToken(undefined))).toEqual({ token: null });
});
