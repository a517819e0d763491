import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '@/lib/platform/config/config';
import { setOnce } from '@/lib/platform/globals';
import { decrypt, encrypt } from './encryption';

const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const useKeys = (...keys: string[]) => setOnce('config', parseConfig({ ENCRYPTION_KEY: keys.join(',') }));

describe('secrets at rest', () => {
  beforeEach(() => useKeys(first));

  it('opens what it sealed, for the same purpose', () => {
    expect(decrypt(encrypt('whsec_ü', 'endpoint-secret'), 'endpoint-secret')).toBe('whsec_ü');
  });

  it('refuses a value that was moved to another purpose', () => {
    const sealed = encrypt('secret', 'endpoint-secret');
    expect(() => decrypt(sealed, 'mail')).toThrow();
  });

  it('refuses a value with any byte changed', () => {
    const sealed = encrypt('secret', 'mail');
    for (let place = 0; place < sealed.length; place++) {
      const tampered = Buffer.from(sealed);
      tampered[place] = (tampered[place] ?? 0) ^ 1;
      expect(() => decrypt(tampered, 'mail')).toThrow();
    }
  });

  it('never seals the same text to the same bytes', () => {
    expect(encrypt('secret', 'mail').equals(encrypt('secret', 'mail'))).toBe(false);
  });

  it('opens old values after a new key was put first, and not once the old key is gone', () => {
    const sealed = encrypt('secret', 'mail');
    useKeys(second, first);
    expect(decrypt(sealed, 'mail')).toBe('secret');
    useKeys(second);
    expect(() => decrypt(sealed, 'mail')).toThrow(/not in ENCRYPTION_KEY/);
  });
});
