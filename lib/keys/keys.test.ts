import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hintOf, isWellFormedKey, makeKey } from './key-format';
import { effectiveExpiry, type KeyTimes, statusOf } from './policy';
import { CreateKeyBody, ExpiresAt } from './schema';

describe('the format of an API key', () => {
  it('accepts every generated key, and never generates the same key twice', () => {
    const keys = Array.from({ length: 200 }, makeKey);
    expect(keys.every(isWellFormedKey)).toBe(true);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('starts with eds_ and carries 32 bytes of entropy in letters and digits', () => {
    expect(makeKey()).toMatch(/^eds_[0-9A-Za-z]{49}$/);
  });

  it('refuses a key with any one character changed', () => {
    const key = makeKey();
    fc.assert(
      fc.property(fc.integer({ min: 4, max: key.length - 1 }), fc.constantFrom(...'0aZ9x'), (place, character) => {
        fc.pre(key[place] !== character);
        expect(isWellFormedKey(key.slice(0, place) + character + key.slice(place + 1))).toBe(false);
      }),
    );
  });

  it('refuses text of any other format', () => {
    for (const text of ['', 'eds_', `${makeKey()}x`, makeKey().slice(4), ` ${makeKey()}`, makeKey().slice(0, -1)]) {
      expect(isWellFormedKey(text)).toBe(false);
    }
  });

  it('shows at most eight characters of a key in its hint', () => {
    const key = makeKey();
    expect(hintOf(key)).toBe(`${key.slice(0, 8)}…${key.slice(-4)}`);
  });
});

const at = new Date('2026-06-01T12:00:00.000Z');
const before = new Date(at.getTime() - 1);
const after = new Date(at.getTime() + 1);
const key = (times: Partial<KeyTimes> = {}): KeyTimes => ({
  revokedAt: null,
  expiresAt: null,
  graceEndsAt: null,
  ...times,
});

describe('the status of an API key', () => {
  it('is ACTIVE forever without an expiry', () => {
    expect(statusOf(key(), at)).toBe('ACTIVE');
  });

  it('is ACTIVE until its expiry and EXPIRED from that millisecond on', () => {
    expect(statusOf(key({ expiresAt: after }), at)).toBe('ACTIVE');
    expect(statusOf(key({ expiresAt: at }), at)).toBe('EXPIRED');
    expect(statusOf(key({ expiresAt: before }), at)).toBe('EXPIRED');
  });

  it('is ROTATING in its grace period and EXPIRED after it', () => {
    expect(statusOf(key({ graceEndsAt: after }), at)).toBe('ROTATING');
    expect(statusOf(key({ graceEndsAt: at }), at)).toBe('EXPIRED');
  });

  it('is REVOKED after a revocation, whatever its expiry', () => {
    expect(statusOf(key({ revokedAt: before, expiresAt: before, graceEndsAt: after }), at)).toBe('REVOKED');
  });

  it('changes to EXPIRED at its expiry or the end of its grace period, whichever is earlier', () => {
    const moment = fc.option(fc.date({ noInvalidDate: true }), { nil: null });
    fc.assert(
      fc.property(moment, moment, fc.date({ noInvalidDate: true }), (expiresAt, graceEndsAt, now) => {
        const end = effectiveExpiry({ expiresAt, graceEndsAt });
        const isOver = end !== null && end <= now;
        expect(statusOf(key({ expiresAt, graceEndsAt }), now) === 'EXPIRED').toBe(isOver);
      }),
    );
  });
});

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
