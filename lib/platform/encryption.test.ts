import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { parseConfig } from './config/config';
import { decrypt, decryptOrNull, encrypt } from './encryption';

const first = randomBytes(32).toString('base64');
const second = randomBytes(32).toString('base64');
const useKeys = (...keys: string[]) =>
  setOnce('config', parseConfig({ ENCRYPTION_KEY: keys.join(','), LOG_LEVEL: 'silent' }));

describe('secrets at rest', () => {
  beforeEach(() => useKeys(first));

  it('decrypts what it encrypted for the same purpose', () => {
    expect(decrypt(encrypt('whsec_ü', 'endpoint-secret'), 'endpoint-secret')).toBe('whsec_ü');
  });

  it('rejects a value that was encrypted for another purpose', () => {
    const sealed = encrypt('secret', 'endpoint-secret');
    expect(() => decrypt(sealed, 'mail')).toThrow();
  });

  it('rejects a value with any byte changed', () => {
    const sealed = encrypt('secret', 'mail');
    for (let place = 0; place < sealed.length; place++) {
      const tampered = Buffer.from(sealed);
      tampered[place] = (tampered[place] ?? 0) ^ 1;
      expect(() => decrypt(tampered, 'mail')).toThrow();
    }
  });

  it('never encrypts the same text to the same bytes', () => {
    expect(encrypt('secret', 'mail').equals(encrypt('secret', 'mail'))).toBe(false);
  });

  it('decrypts old values after a new key was added in front, but not after the old key was removed', () => {
    const sealed = encrypt('secret', 'mail');
    useKeys(second, first);
    expect(decrypt(sealed, 'mail')).toBe('secret');
    useKeys(second);
    expect(() => decrypt(sealed, 'mail')).toThrow(/not in ENCRYPTION_KEY/);
  });

  it('decrypts a replaceable value to null once its key was removed', () => {
    const sealed = encrypt('token', 'source-token');
    expect(decryptOrNull(sealed, 'source-token', { sourceId: 'an id' })).toBe('token');
    useKeys(second);
    expect(decryptOrNull(sealed, 'source-token', { sourceId: 'an id' })).toBeNull();
    expect(decryptOrNull(Buffer.alloc(0), 'source-token', { sourceId: 'an id' })).toBeNull();
  });
});
