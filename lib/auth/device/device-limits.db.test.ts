import { describe, expect, it } from 'vitest';
import type { AnonymousCaller, PersonCaller } from '@/lib/audit/caller';
import { authenticatePerson } from '@/lib/auth/authenticate-person';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { registerPerson } from '@/tests/fixtures/people';
import {
  approveDeviceCode,
  denyDeviceCode,
  exchangeDeviceCode,
  getDeviceRequest,
  startDeviceCode,
} from './device-codes';
import { formatUserCode, newUserCode } from './user-code';

useDatabase();

const WRONG_BY_PERSON = 10;
const WRONG_BY_IP = 50;
const STARTS_BY_IP = 120;
let lastAddress = 0;
/** A client with its own IP address. */
const client = (): AnonymousCaller => ({
  type: 'anonymous',
  client: { ipAddress: `198.51.100.${++lastAddress}`, userAgent: null },
});
const start = async (caller = client()) => (await startDeviceCode(caller, {})).userCode;

async function signedIn(ipAddress = `203.0.113.${++lastAddress}`): Promise<PersonCaller> {
  const { accessToken } = await registerPerson();
  return authenticatePerson(accessToken, {}, { ipAddress, userAgent: null });
}

const guess = (caller: PersonCaller) => getDeviceRequest(caller, newUserCode());
const guessTimes = (caller: PersonCaller, count: number) =>
  Promise.allSettled(Array.from({ length: count }, () => guess(caller)));
const codesOf = (results: PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? 'ok' : (result.reason as { code: string }).code));
const count = (codes: string[], code: string) => codes.filter((each) => each === code).length;
const limited = {
  code: 'rate_limited',
  options: { retryAfterSeconds: expect.toSatisfy((wait: number) => wait >= 1 && wait <= 600) },
};

describe('guesses of user codes', () => {
  it('of one person are limited to ten when sixty come at once; the others get Retry-After', async () => {
    const caller = await signedIn();
    const codes = codesOf(await guessTimes(caller, 60));
    expect(count(codes, 'not_found')).toBe(WRONG_BY_PERSON);
    expect(count(codes, 'rate_limited')).toBe(60 - WRONG_BY_PERSON);
    await expect(guess(caller)).rejects.toMatchObject(limited);
  });

  it('of one person beyond their limit do not count for others at the same IP address', async () => {
    const address = '192.0.2.66';
    const caller = await signedIn(address);
    const colleague = await signedIn(address);
    await guessTimes(caller, WRONG_BY_IP * 2);
    expect(count(codesOf(await guessTimes(colleague, WRONG_BY_PERSON)), 'not_found')).toBe(WRONG_BY_PERSON);
  });

  it('count for reading, approving and denying alike, and when malformed', async () => {
    const caller = await signedIn();
    const tries = [getDeviceRequest, approveDeviceCode, denyDeviceCode];
    for (let index = 0; index < WRONG_BY_PERSON; index++) {
      const typed = index % 2 === 0 ? formatUserCode(newUserCode()) : 'nonsense';
      await expect(tries[index % 3]?.(caller, typed)).rejects.toMatchObject({ code: 'not_found' });
    }
    for (const attempt of tries) await expect(attempt(caller, newUserCode())).rejects.toMatchObject(limited);
  });

  it('beyond the limit are refused even with the right code, until the window has passed', async () => {
    const caller = await signedIn();
    await guessTimes(caller, WRONG_BY_PERSON);
    const userCode = await start();
    await expect(approveDeviceCode(caller, userCode)).rejects.toMatchObject(limited);
    await database().query('UPDATE rate_limits SET expire = 1');
    await expect(approveDeviceCode(caller, userCode)).resolves.toBeUndefined();
  });

  it('with the right code never count', async () => {
    const caller = await signedIn();
    for (let round = 0; round < WRONG_BY_PERSON + 2; round++) {
      const userCode = await start();
      await getDeviceRequest(caller, userCode);
      await approveDeviceCode(caller, userCode);
    }
    expect(count(codesOf(await guessTimes(caller, WRONG_BY_PERSON)), 'not_found')).toBe(WRONG_BY_PERSON);
  });

  it('are not reset by right codes in between', async () => {
    const caller = await signedIn();
    const own = await start();
    for (let round = 0; round < WRONG_BY_PERSON; round++) {
      await expect(guess(caller)).rejects.toMatchObject({ code: 'not_found' });
      if (round < WRONG_BY_PERSON - 1) await getDeviceRequest(caller, own);
    }
    await expect(guess(caller)).rejects.toMatchObject(limited);
  });

  it('of many people from one IP address are limited to fifty; other IP addresses are not affected', async () => {
    const address = '192.0.2.77';
    const callers = await Promise.all(Array.from({ length: 6 }, () => signedIn(address)));
    const codes = (await Promise.all(callers.map((caller) => guessTimes(caller, WRONG_BY_PERSON)))).flatMap(codesOf);
    expect(count(codes, 'not_found')).toBe(WRONG_BY_IP);
    expect(count(codes, 'rate_limited')).toBe(6 * WRONG_BY_PERSON - WRONG_BY_IP);
    await expect(guess(await signedIn(address))).rejects.toMatchObject(limited);
    await expect(guess(await signedIn())).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('starts', () => {
  it('from one IP address are limited; other IP addresses are not affected', async () => {
    const caller = client();
    const starts = Array.from({ length: STARTS_BY_IP + 10 }, () => start(caller));
    const codes = codesOf(await Promise.allSettled(starts));
    expect(count(codes, 'ok')).toBe(STARTS_BY_IP);
    expect(count(codes, 'rate_limited')).toBe(10);
    await expect(start()).resolves.toHaveLength(9);
  });

  it('draw again when the user code exists, live or not', async () => {
    const taken = newUserCode();
    const free = newUserCode();
    await startDeviceCode(client(), {}, () => taken);
    const draws = [taken, taken, free];
    const second = await startDeviceCode(client(), {}, () => draws.shift() ?? '');
    expect(second.userCode).toBe(formatUserCode(free));
    const never = startDeviceCode(client(), {}, () => taken);
    await expect(never).rejects.toThrow('no free user code');
  });

  it('give each client its own user code when two draw the same at once', async () => {
    const shared = newUserCode();
    const starts = await Promise.all(
      Array.from({ length: 10 }, () => {
        const draws = [shared, newUserCode()];
        return startDeviceCode(client(), {}, () => draws.shift() ?? '');
      }),
    );
    expect(new Set(starts.map(({ userCode }) => userCode)).size).toBe(10);
    expect(starts.filter(({ userCode }) => userCode === formatUserCode(shared))).toHaveLength(1);
  });
});

it('refuses polls with an unknown device code, without a rate limit', async () => {
  const caller = client();
  const polls = Array.from({ length: 200 }, () => exchangeDeviceCode(caller, 'x'.repeat(43), () => new Date()));
  expect(count(codesOf(await Promise.allSettled(polls)), 'invalid_grant')).toBe(200);
});
