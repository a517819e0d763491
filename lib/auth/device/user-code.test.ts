import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '@/lib/platform/crypto';
import { setTestConfig } from '@/tests/setup/variables';
import { foldUserCode, formatUserCode, hashUserCode, newUserCode } from './user-code';

describe('a user code', () => {
  it('has eight distinct-looking letters, each equally likely', () => {
    const codes = Array.from({ length: 2000 }, newUserCode);
    expect(codes.every((code) => /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(code))).toBe(true);
    expect(new Set(codes).size).toBe(codes.length);
    const counts = new Map<string, number>();
    for (const letter of codes.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(20);
    // Each is expected 800 times; 600 and 1000 are seven standard deviations away.
    expect(Math.min(...counts.values())).toBeGreaterThan(600);
    expect(Math.max(...counts.values())).toBeLessThan(1000);
  });

  it('is shown as two groups of four', () => {
    expect(formatUserCode('BCDFGHJK')).toBe('BCDF-GHJK');
  });

  it.each([
    'BCDF-GHJK',
    'bcdf-ghjk',
    'bcdfghjk',
    ' BcDf GhJk ',
    'BCDF\u2013GHJK',
    'ＢＣＤＦ-ＧＨＪＫ',
    'b-c-d-f-g-h-j-k',
  ])('may be typed as %j', (typed) => {
    expect(foldUserCode(typed)).toBe('BCDFGHJK');
  });

  it.each(['', 'BCDF', 'BCDF-GHJKL', 'AEIO-UAEI', 'BCDF_GHJK', 'BCDF-GHJ1', 'BCDF-GHJK;'])('is never %j', (typed) => {
    expect(foldUserCode(typed)).toBeNull();
  });

  it('folds any text without failing, and its displayed form back to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => [8, undefined].includes(foldUserCode(text)?.length)),
    );
    const code = newUserCode();
    expect(foldUserCode(formatUserCode(code).toLowerCase())).toBe(code);
  });
});

describe('the stored hash', () => {
  beforeAll(() => {
    setTestConfig();
  });

  it('depends on the code and on the key of the deployment', () => {
    const hash = hashUserCode('BCDFGHJK');
    expect(hashUserCode('BCDFGHJK').equals(hash)).toBe(true);
    expect(sha256('BCDFGHJK').equals(hash)).toBe(false);
    setTestConfig();
    expect(hashUserCode('BCDFGHJK').equals(hash)).toBe(false);
  });
});
