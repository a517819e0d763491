import { describe, expect, it } from 'vitest';
import type { SignedIn } from '@/lib/auth/schema';
import { useDatabase } from '@/tests/database/use-database';
import { ageDeviceCode, approve, DEVICE, deny, poll, pollRefused, startDevice } from '@/tests/fixtures/device-codes';
import { registerPerson } from '@/tests/fixtures/people';
import { useAdapters } from '@/tests/http/adapters';
import { call } from '@/tests/http/api-request';

useDatabase();
const adapters = useAdapters();
const me = (accessToken: string) => call('GET', '/api/v1/auth/me', { bearer: accessToken });

describe('a poll', () => {
  it('gets authorization_pending until a decision', async () => {
    const { deviceCode } = await startDevice();
    expect((await pollRefused(deviceCode)).json).toMatchObject({ status: 400, code: 'authorization_pending' });
    await ageDeviceCode({ deviceCode }, `last_polled_at = now() - interval '6 seconds'`);
    expect((await pollRefused(deviceCode)).json.code).toBe('authorization_pending');
  });

  it('gets slow_down when it comes too early; the interval then grows by 5 s permanently', async () => {
    const { deviceCode } = await startDevice();
    await pollRefused(deviceCode);
    const tooSoon = await pollRefused(deviceCode);
    expect(tooSoon.json).toMatchObject({ status: 400, code: 'slow_down', interval: 10 });
    const waited = (seconds: number) =>
      ageDeviceCode({ deviceCode }, `last_polled_at = now() - interval '${seconds} seconds'`);
    await waited(9);
    expect((await pollRefused(deviceCode)).json).toMatchObject({ code: 'slow_down', interval: 15 });
    await waited(14);
    expect((await pollRefused(deviceCode)).json).toMatchObject({ code: 'slow_down', interval: 20 });
    await waited(20);
    expect((await pollRefused(deviceCode)).json.code).toBe('authorization_pending');
    await waited(19);
    expect((await pollRefused(deviceCode)).json).toMatchObject({ code: 'slow_down', interval: 25 });
  });

  it('counts each early one when twenty first polls come at once', async () => {
    const { deviceCode } = await startDevice();
    const responses = await Promise.all(Array.from({ length: 20 }, () => pollRefused(deviceCode)));
    const codes = responses.map(({ json }) => json.code);
    expect(codes.filter((code) => code === 'authorization_pending')).toHaveLength(1);
    expect(codes.filter((code) => code === 'slow_down')).toHaveLength(19);
    const intervals = responses.map(({ json }) => (json as { interval?: number }).interval ?? 0);
    expect(Math.max(...intervals)).toBe(5 + 19 * 5);
  });

  it('gets an approval immediately, however early it comes', async () => {
    const person = await registerPerson();
    const { userCode, deviceCode } = await startDevice();
    await pollRefused(deviceCode);
    await approve(person, userCode);
    expect((await poll(deviceCode)).status).toBe(200);
  });

  it('gets access_denied for as long as the code is stored', async () => {
    const person = await registerPerson();
    const { userCode, deviceCode } = await startDevice();
    await deny(person, userCode);
    expect((await pollRefused(deviceCode)).json).toMatchObject({ status: 400, code: 'access_denied' });
    await ageDeviceCode({ deviceCode }, 'expires_at = now()');
    expect((await pollRefused(deviceCode)).json.code).toBe('access_denied');
  });

  it('gets expired_token after 600 s, approved or not', async () => {
    const person = await registerPerson();
    const [waiting, approved] = [await startDevice(), await startDevice()];
    await approve(person, approved.userCode);
    for (const code of [waiting, approved]) {
      await ageDeviceCode(code, `expires_at = expires_at - interval '600 seconds'`);
      expect((await pollRefused(code.deviceCode)).json).toMatchObject({ status: 400, code: 'expired_token' });
    }
    expect((await approve(person, waiting.userCode)).status).toBe(404);
  });

  it('gets invalid_grant for an unknown or exchanged code', async () => {
    const person = await registerPerson();
    const { userCode, deviceCode } = await startDevice();
    await approve(person, userCode);
    expect((await poll(deviceCode)).status).toBe(200);
    for (const spent of [deviceCode, 'A'.repeat(43), userCode, 'x']) {
      expect((await pollRefused(spent)).json).toMatchObject({ status: 400, code: 'invalid_grant' });
    }
    await ageDeviceCode({ deviceCode }, 'expires_at = now()');
    expect((await pollRefused(deviceCode)).json.code).toBe('invalid_grant');
    expect((await call('POST', `${DEVICE}/token`, { body: {} })).json.code).toBe('validation_failed');
  });
});

describe.each(adapters)('the exchange, %s', (_name, send) => {
  it('sets and reads no cookie, and is never cached', async () => {
    const person = await registerPerson();
    const { userCode, deviceCode } = await startDevice();
    await approve(person, userCode);
    const cookie = `refresh_token=${person.refreshToken}`;
    const response = await send<SignedIn>('POST', `${DEVICE}/token`, { body: { deviceCode }, cookie });
    expect(response.status).toBe(200);
    expect(response.cookies).toEqual([]);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json.refreshToken).not.toBe(person.refreshToken);
    expect((await me(response.json.accessToken)).status).toBe(200);
  });
});
