import { expect, it } from 'vitest';
import { changed } from '@/components/form/changed';
import { authBodyOf, authValuesOf } from './destination-form';
import { describeAuth } from './use-destinations';

const EMPTY = authValuesOf();

it('keeps the stored authentication unless another is chosen', () => {
  const values = authValuesOf({ auth: { type: 'BEARER' } } as Parameters<typeof authValuesOf>[0]);
  expect(authBodyOf(values)).toBeUndefined();
  expect(authBodyOf({ ...values, auth: 'NONE' })).toBeNull();
  expect(authBodyOf(EMPTY)).toBeNull();
});

it('removes the authentication only if the form showed one', () => {
  const bodyOf = (values: typeof EMPTY) => ({ auth: authBodyOf(values) });
  expect(changed(bodyOf(EMPTY), bodyOf(EMPTY))).toEqual({});
  expect(changed(bodyOf(EMPTY), bodyOf({ ...EMPTY, auth: 'KEEP' }))).toEqual({ auth: null });
});

it('sends only what the chosen kind needs', () => {
  const typed = { token: ' t ', username: 'u', password: ' p ', headerName: ' X-Key ', headerValue: 'v' };
  expect(authBodyOf({ ...typed, auth: 'BEARER' })).toEqual({ type: 'BEARER', token: 't' });
  expect(authBodyOf({ ...typed, auth: 'BASIC' })).toEqual({ type: 'BASIC', username: 'u', password: ' p ' });
  expect(authBodyOf({ ...typed, auth: 'HEADER' })).toEqual({ type: 'HEADER', name: 'X-Key', value: 'v' });
});

it('describes what is stored without a secret', () => {
  expect(describeAuth(null)).toBe('No authentication');
  expect(describeAuth({ type: 'BEARER' })).toBe('Bearer token');
  expect(describeAuth({ type: 'BASIC', username: 'eds' })).toBe('Basic, as eds');
  expect(describeAuth({ type: 'HEADER', name: 'X-Key' })).toBe('Header X-Key');
  expect(describeAuth({ type: 'UNREADABLE' })).toBe('Can’t be read. Enter it again');
});
