import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setTestConfig } from '@/tests/setup/variables';
import { measureCpuTime } from '@/tests/time/cpu-time';
import { startHashDeadline } from './hash-turns';
import * as passwords from './passwords';

const { closeHashing, isOutdatedHash } = passwords;
const someone = () => startHashDeadline({ ipAddress: '192.0.2.1', userAgent: null });
const hashPassword = (password: string) => passwords.hashPassword(password, someone());
const verifyPassword = (password: string, hash: string | null) => passwords.verifyPassword(password, hash, someone());

describe('passwords are hashed off the event loop', () => {
  beforeAll(() => {
    setTestConfig();
  });
  afterAll(closeHashing);

  it('a hash is salted, of the deployment’s cost, and knows its password only', async () => {
    const [first, second] = await Promise.all([hashPassword('one and only'), hashPassword('one and only')]);
    expect(first).toMatch(/^\$2b\$04\$/);
    expect(first).not.toBe(second);
    expect(await verifyPassword('one and only', first)).toBe(true);
    expect(await verifyPassword('One and only', first)).toBe(false);
    expect(await verifyPassword('', first)).toBe(false);
  });

  it('72 bytes count to the last, and nothing longer ever matches', async () => {
    const longest = `${'p'.repeat(71)}q`;
    const hash = await hashPassword(longest);
    expect(await verifyPassword(longest, hash)).toBe(true);
    expect(await verifyPassword('p'.repeat(72), hash)).toBe(false);
    expect(await verifyPassword(`${longest}more`, hash)).toBe(false);
    await expect(async () => hashPassword(`${longest}more`)).rejects.toThrow();
  });

  it('a null character does not end a password', async () => {
    const hash = await hashPassword('before\0after');
    expect(await verifyPassword('before\0after', hash)).toBe(true);
    expect(await verifyPassword('before\0other', hash)).toBe(false);
  });

  it('without a hash every password is wrong', async () => {
    expect(await verifyPassword('anything', null)).toBe(false);
  });

  it('nobody’s password takes as long as a wrong one', async () => {
    setTestConfig({ AUTH_BCRYPT_COST: '9' });
    const hash = await hashPassword('right');
    const timeOf = (against: string | null) => measureCpuTime(() => verifyPassword('wrong', against));
    const times = { wrong: [] as number[], nobody: [] as number[] };
    for (let round = 0; round < 7; round++) {
      times.wrong.push(await timeOf(hash));
      times.nobody.push(await timeOf(null));
    }
    const ratio = median(times.nobody) / median(times.wrong);
    setTestConfig();
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  it('a hash of another cost is outdated', async () => {
    const hash = await hashPassword('some password');
    expect(isOutdatedHash(hash)).toBe(false);
    setTestConfig({ AUTH_BCRYPT_COST: '5' });
    expect(isOutdatedHash(hash)).toBe(true);
    setTestConfig();
  });

  it('hashing gives way to the rest of the process, which keeps its priority', async () => {
    const before = os.getPriority();
    await hashPassword('some password');
    expect(os.getPriority()).toBe(before);
    expect(Math.max(...threadPriorities())).toBe(process.platform === 'linux' ? Math.min(19, before + 2) : before);
  });

  it('the queue is bounded: who finds it full is told to come back, and the others are served', async () => {
    const results = await Promise.allSettled(Array.from({ length: 300 }, () => hashPassword('one of many')));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(300);
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ code: 'overloaded', options: { retryAfterSeconds: expect.any(Number) } });
    }
    await expect(hashPassword('after the rush')).resolves.toMatch(/^\$2b\$/);
  });

  it('new passwords take at most half of the places, so that masses of them keep nobody from signing in', async () => {
    const crowd = Promise.allSettled(Array.from({ length: 300 }, () => hashPassword('one of many')));
    await expect(verifyPassword('a sign-in', null)).resolves.toBe(false);
    const made = (await crowd).filter(({ status }) => status === 'fulfilled');
    expect(made.length).toBeGreaterThan(0);
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

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
