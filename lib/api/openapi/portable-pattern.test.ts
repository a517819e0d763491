import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portablePattern } from './portable-pattern';

describe('portablePattern', () => {
  it.each(['^[^\\p{Cc}:\\p{Cs}]*$', '^\\P{Cc}*$', '^\\p{Cc}$', '^[a-z]+$'])('accepts what %s accepts', (pattern) => {
    const portable = portablePattern(pattern);
    expect(portable).not.toMatch(/\\p/i);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(new RegExp(portable, 'u').test(text)).toBe(new RegExp(pattern, 'u').test(text));
      }),
    );
  });

  it('refuses a property that it has no range for', () => {
    expect(() => portablePattern('^\\p{L}$')).toThrow('has no portable form');
  });
});
