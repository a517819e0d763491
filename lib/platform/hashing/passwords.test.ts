import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setTestConfig } from '@/tests/setup/variables';
import { startHashDeadline } from './hash-turns';
import * as passwords from './passwords';

const { closeHashing, isOutdatedHash } = passwords;
const someone = () => startHashDeadline({ ipAddress: '192.0.2.1', userAgent: null });
const hashPassword = (password: string) => passwords.hashPassword(password, someone());
const verifyPassword = (password: string, hash: string | null) => passwords.verifyPassword(password, hash, someone());

describe('hashing passwords off the event loop', () => {
  beforeAll(() => {
    setTestConfig();
  });
  afterAll(closeHashing);

  it('returns a salted hash of the configured cost that matches its password only', async () => {
    const [first, second] = await Promise.all([hashPassword('one and only'), hashPassword('one and only')]);
    expect(first).toMatch(/^\$2b\$04\$/);
    expect(first).not.toBe(second);
    expect(await verifyPassword('one and only', first)).toBe(true);
    expect(await verifyPassword('One and only', first)).toBe(false);
    expect(await verifyPassword('', first)).toBe(false);
  });

  it('compares all of 72 bytes, and never matches a longer password', async () => {
    const longest = `${'p'.repeat(71)}q`;
    const hash = await hashPassword(longest);
    expect(await verifyPassword(longest, hash)).toBe(true);
    expect(await verifyPassword('p'.repeat(72), hash)).toBe(false);
    expect(await verifyPassword(`${longest}more`, hash)).toBe(false);
    await expect(async () => hashPassword(`${longest}more`)).rejects.toThrow();
  });

  it('compares the characters after a null character too', async () => {
    const hash = await hashPassword('before\0after');
    expect(await verifyPassword('before\0after', hash)).toBe(true);
    expect(await verifyPassword('before\0other', hash)).toBe(false);
  });

  it('rejects every password of an account without a hash', async () => {
    expect(await verifyPassword('anything', null)).toBe(false);
  });

  it('reports a hash of another cost as outdated', async () => {
    const hash = await hashPassword('some password');
    expect(isOutdatedHash(hash)).toBe(false);
    setTestConfig({ AUTH_BCRYPT_COST: '5' });
    expect(isOutdatedHash(hash)).toBe(true);
    setTestConfig();
  });

  it('hashes with a lower priority than the rest of the process', async () => {
    const before = os.getPriority();
    await hashPassword('some password');
    expect(os.getPriority()).toBe(before);
    expect(Math.max(...threadPriorities())).toBe(process.platform === 'linux' ? Math.min(19, before + 2) : before);
  });
});

/** The priority of each thread of this process; a higher number gives way. Only Linux tells them apart. */
function threadPriorities(): number[] {
  if (process.platform !== 'linux') return [os.getPriority()];
  return readdirSync('/proc/self/task').flatMap((thread) => {
    try {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      return [Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}
