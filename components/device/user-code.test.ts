import { describe, expect, it } from 'vitest';
import { layOutUserCode, readUserCode } from './user-code';

describe('readUserCode', () => {
  it.each(['BCDF-GHJK', 'bcdf-ghjk', 'bcdfghjk', ' BcDf GhJk ', 'bcdf–ghjk', 'bcdf_ghjk'])('reads %j', (typed) => {
    expect(readUserCode(typed)).toBe('BCDF-GHJK');
  });

  it.each(['', 'BCDF', 'BCDF-GHJ', 'BCDF-GHJKL', 'ABCD-EFGH', 'BCDF-GHJ1', 'BCDF-GHJY'])('refuses %j', (typed) => {
    expect(readUserCode(typed)).toBeNull();
  });
});

describe('layOutUserCode', () => {
  it('puts the dash once there is something after it, so that it can be deleted again', () => {
    expect(layOutUserCode('bcdf')).toBe('BCDF');
    expect(layOutUserCode('bcdfg')).toBe('BCDF-G');
    expect(layOutUserCode('BCDF-')).toBe('BCDF');
  });

  it('keeps eight characters, and a wrong one in sight', () => {
    expect(layOutUserCode('bcdfghjklmn')).toBe('BCDF-GHJK');
    expect(layOutUserCode('a1')).toBe('A1');
  });
});
