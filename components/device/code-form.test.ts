import { describe, expect, it } from 'vitest';
import { formatUserCode, readUserCode } from './code-form';

describe('readUserCode', () => {
  it.each(['BCDF-GHJK', 'bcdf-ghjk', 'bcdfghjk', ' BcDf GhJk ', 'bcdf–ghjk', 'bcdf_ghjk'])('reads %j', (typed) => {
    expect(readUserCode(typed)).toBe('BCDF-GHJK');
  });

  it.each(['', 'BCDF', 'BCDF-GHJ', 'BCDF-GHJKL', 'ABCD-EFGH', 'BCDF-GHJ1', 'BCDF-GHJY'])(
    'returns null for %j',
    (typed) => {
      expect(readUserCode(typed)).toBeNull();
    },
  );
});

describe('formatUserCode', () => {
  it('adds the dash only before a fifth character, so that the dash can be deleted', () => {
    expect(formatUserCode('bcdf')).toBe('BCDF');
    expect(formatUserCode('bcdfg')).toBe('BCDF-G');
    expect(formatUserCode('BCDF-')).toBe('BCDF');
  });

  it('keeps at most eight characters, including invalid ones', () => {
    expect(formatUserCode('bcdfghjklmn')).toBe('BCDF-GHJK');
    expect(formatUserCode('a1')).toBe('A1');
  });
});
