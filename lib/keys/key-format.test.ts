import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hintOf, isWellFormedKey, makeKey } from './key-format';

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
