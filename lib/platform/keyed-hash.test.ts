import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { setTestConfig } from '@/tests/setup/variables';
import { keyedHash } from './keyed-hash';

const oldest = randomBytes(32).toString('base64');
const newer = randomBytes(32).toString('base64');
const TEXT = 'ada@example.com';

describe('a keyed hash', () => {
  beforeEach(() => {
    setTestConfig({ ENCRYPTION_KEY: oldest });
  });

  it('is equal for equal texts, and differs for two texts', () => {
    expect(keyedHash(TEXT, 'a')).toHaveLength(32);
    expect(keyedHash(TEXT, 'a')).toEqual(keyedHash(TEXT, 'a'));
    expect(keyedHash('adb@example.com', 'a')).not.toEqual(keyedHash(TEXT, 'a'));
  });

  it('differs between two purposes', () => {
    expect(keyedHash(TEXT, 'b')).not.toEqual(keyedHash(TEXT, 'a'));
  });

  it('cannot be computed without the key of the deployment', () => {
    const here = keyedHash(TEXT, 'a');
    setTestConfig({ ENCRYPTION_KEY: newer });
    expect(keyedHash(TEXT, 'a')).not.toEqual(here);
    setTestConfig({ ENCRYPTION_KEY: '' });
    expect(() => keyedHash(TEXT, 'a')).toThrow('ENCRYPTION_KEY');
  });

  it('stays the same when a new key is added in front, and when AUTH_SECRET is replaced', () => {
    const before = keyedHash(TEXT, 'a');
    setTestConfig({ ENCRYPTION_KEY: `${newer},${oldest}`, AUTH_SECRET: 'n'.repeat(40) });
    expect(keyedHash(TEXT, 'a')).toEqual(before);
  });
});
