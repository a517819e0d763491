import { describe, expect, it } from 'vitest';
import { CreateKeyBody, ExpiresAt } from './schema';

describe('the expiry of a new key', () => {
  it('reads a date as the end of that day in UTC', () => {
    expect(ExpiresAt.parse('2026-12-31').toISOString()).toBe('2026-12-31T23:59:59.999Z');
  });

  it('accepts a time with an offset', () => {
    expect(ExpiresAt.parse('2026-12-31T10:00:00+02:00').toISOString()).toBe('2026-12-31T08:00:00.000Z');
  });

  it('refuses text that is not a time, and days that do not exist', () => {
    for (const text of [
      'tomorrow',
      '2026-02-30',
      '9999-12-31T23:59:59-23:59',
      '0000-01-01',
      '2026-12-31T25:00:00Z',
      '2026-12-31T10:00:00',
      '',
      5,
      '31.12.2026',
    ]) {
      expect(ExpiresAt.safeParse(text).success, String(text)).toBe(false);
    }
  });
});

describe('the body of a new key', () => {
  it('defaults to READ_WRITE', () => {
    expect(CreateKeyBody.parse({ name: 'ci' }).scope).toBe('READ_WRITE');
  });

  it('refuses a name that is empty, too long, multi-line, or cannot be stored', () => {
    for (const name of ['', '  ', 'x'.repeat(101), 'a\nb', 'a\u0000b', '\uD800']) {
      expect(CreateKeyBody.safeParse({ name }).success).toBe(false);
    }
  });
});
