import { expect, it } from 'vitest';
import { addMs, unexpired } from './clock';

const AT = new Date('2026-11-22T12:00:00.000Z');

it('an expiry is shown until the moment it passes', () => {
  expect(unexpired(addMs(AT, 1), AT)).toBe('2026-11-22T12:00:00.001Z');
  expect(unexpired(AT, AT)).toBeNull();
  expect(unexpired(addMs(AT, -1), AT)).toBeNull();
  expect(unexpired(null, AT)).toBeNull();
});
