import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveExpiry, type KeyTimes, statusOf } from './policy';

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
