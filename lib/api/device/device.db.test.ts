import { describe, expect, it } from 'vitest';
import type { DeviceCodes, DeviceRequest, Session, SignedIn } from '@/lib/auth/schema';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { ageDeviceCode, approve, DEVICE, deny, poll, pollRefused, startDevice } from '@/tests/fixtures/device-codes';
import { queuedMails } from '@/tests/fixtures/mails';
import { asPerson, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { useAdapters } from '@/tests/http/adapters';
import { call, expectProblem, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase();

const me = (accessToken: string) => call('GET', '/api/v1/auth/me', { bearer: accessToken });

describe('starting a device sign-in', () => {
  it('returns both codes, where to type the user code, and the expiry and interval of the device code', async () => {
    const response = await call<DeviceCodes>('POST', `${DEVICE}/code`, { body: { clientName: 'build-box' } });
    expect(response.status).toBe(200);
    const { userCode } = response.json;
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(response.json).toEqual({
      deviceCode: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      userCode,
      verificationUri: 'http://localhost:3000/device',
      verificationUriComplete: `http://localhost:3000/device?userCode=${userCode}`,
      expiresIn: 600,
      interval: 5,
    });
  });

  it('stores neither code', async () => {
    const { deviceCode, userCode } = await startDevice();
    const rows = await select<{ row: string }>('SELECT device_codes::text AS row FROM device_codes');
    const dump = rows.map(({ row }) => row).join('\n');
    const asHex = (text: string) => Buffer.from(text).toString('hex');
    for (const secret of [deviceCode, userCode, userCode.replace('-', '')]) {
      expect(dump).not.toContain(secret);
      expect(dump).not.toContain(asHex(secret));
    }
  });
});

describe('the request behind a code', () => {
  it('shows client name, IP address, start and expiry, and nothing that signs in', async () => {
    const person = await registerPerson();
    const { userCode } = await startDevice('build-box');
    const response = await look(person, userCode);
    expect(response.status).toBe(200);
    expect(response.json).toEqual({
      clientName: 'build-box',
      ipAddress: TEST_ADDRESS,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect(Date.parse(response.json.expiresAt) - Date.parse(response.json.createdAt)).toBe(600_000);
  });

  it('is hidden for an unknown, malformed, decided or expired code', async () => {
    const person = await registerPerson();
    const approved = await startDevice();
    const denied = await startDevice();
    const expired = await startDevice();
    await approve(person, approved.userCode);
    await deny(person, denied.userCode);
    await ageDeviceCode(expired, 'expires_at = now()');
    const gone = [approved.userCode, denied.userCode, expired.userCode, 'BCDF-GHJK', 'AEIO-UAEI', '1'];
    for (const userCode of gone) {
      expectProblem(await look(person, userCode), 404, 'not_found');
    }
    expect((await call('GET', DEVICE, asPerson(person))).json.code).toBe('validation_failed');
  });
});

describe('deciding', () => {
  it('does not happen by opening the link: only by the POST', async () => {
    const person = await registerPerson();
    const { userCode, deviceCode } = await startDevice();
    expect((await call('GET', `${DEVICE}/approve?userCode=${userCode}`, asPerson(person))).status).toBe(405);
    expect((await pollRefused(deviceCode)).json.code).toBe('authorization_pending');
  });
});

describe('an approved code', () => {
  it('gives the client the response of a sign-in with a refresh token, in a session with the name of the client', async () => {
    const person = await registerPerson();
    const { userCode, deviceCode } = await startDevice('build-box');
    expect((await approve(person, userCode)).status).toBe(204);
    const response = await call<SignedIn>('POST', `${DEVICE}/token`, {
      body: { deviceCode },
      headers: { 'user-agent': 'eds/1.0' },
    });
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({ tokenType: 'Bearer', expiresIn: 900, user: { id: person.userId } });
    expect(response.json.organization).toMatchObject({ id: person.organizationId, role: 'OWNER' });
    expect(response.json.refreshToken).toHaveLength(43);
    const sessions = await call<{ data: Session[] }>('GET', '/api/v1/auth/sessions', asPerson(response.json));
    expect(sessions.json.data).toMatchObject([
      { method: 'DEVICE', device: 'CLI on build-box', userAgent: 'eds/1.0', ipAddress: TEST_ADDRESS, current: true },
      { method: 'PASSWORD', current: false },
    ]);
  });

  it('gives a session in the organization of the approver’s session, with the live role', async () => {
    const owner = await registerPerson();
    const member = await registerMember(owner.organizationId, 'ADMIN');
    const body = { organizationId: owner.organizationId };
    await call('POST', '/api/v1/auth/switch-organization', asPerson(member, body));
    const { userCode, deviceCode } = await startDevice();
    await approve(member, userCode);
    await run(`UPDATE memberships SET role = 'VIEWER' WHERE user_id = $1 AND role = 'ADMIN'`, member.userId);
    expect((await poll(deviceCode)).json.organization).toMatchObject({ id: owner.organizationId, role: 'VIEWER' });
  });

  it('is audited, like the session, and mailed to the approver', async () => {
    const person = await registerPerson();
    await signInByDevice(person);
    const { userCode } = await startDevice();
    await deny(person, userCode);
    const entries = await auditOf(person.organizationId);
    const of = (action: string) => entries.filter((entry) => entry.action === action);
    for (const action of ['device.approved', 'device.denied']) {
      expect(of(action)).toEqual([
        expect.objectContaining({ actor_id: person.userId, ip_address: TEST_ADDRESS, details: {} }),
      ]);
    }
    expect(of('session.created').map(({ details }) => details)).toContainEqual({ method: 'DEVICE' });
    const notices = (await queuedMails(person.email)).filter(({ subject }) => /command-line client/i.test(subject));
    expect(notices).toHaveLength(1);
  });
});

describe('an approval that is no longer valid gives no session', () => {
  it.each([
    ['the approver was erased', 'UPDATE users SET erased_at = now() WHERE id = $1'],
    ['the approver was removed from the organization', 'DELETE FROM memberships WHERE user_id = $1'],
    [
      'the organization was deleted',
      'UPDATE organizations SET deleted_at = now() WHERE id IN (SELECT organization_id FROM memberships WHERE user_id = $1)',
    ],
  ])('%s', async (_what, sql) => {
    const person = await registerPerson();
    const { userCode, deviceCode } = await startDevice();
    await approve(person, userCode);
    await run(sql, person.userId);
    expectProblem(await pollRefused(deviceCode), 400, 'access_denied');
    expect(await select(`SELECT 1 FROM sessions WHERE user_id = $1 AND method = 'DEVICE'`, person.userId)).toEqual([]);
  });
});

function look(person: TestPerson, userCode: string) {
  const path = `${DEVICE}?userCode=${encodeURIComponent(userCode)}`;
  return call<DeviceRequest>('GET', path, asPerson(person));
}

async function signInByDevice(person: TestPerson): Promise<SignedIn> {
  const { userCode, deviceCode } = await startDevice();
  expect((await approve(person, userCode)).status).toBe(204);
  const response = await poll(deviceCode);
  expect(response.status).toBe(200);
  return response.json;
}

const adapters = useAdapters();

describe('a poll', () => {
  it('gets slow_down when it comes too early; the interval then grows by 5 s permanently', async () => {
    const { deviceCode } = await startDevice();
    await pollRefused(deviceCode);
    expect((await pollRefused(deviceCode)).json).toMatchObject({ status: 400, code: 'slow_down', interval: 10 });
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
    expectProblem(await pollRefused(deviceCode), 400, 'access_denied');
    await ageDeviceCode({ deviceCode }, 'expires_at = now()');
    expect((await pollRefused(deviceCode)).json.code).toBe('access_denied');
  });

  it('gets expired_token after 600 s, approved or not', async () => {
    const person = await registerPerson();
    const waiting = await startDevice();
    const approved = await startDevice();
    await approve(person, approved.userCode);
    for (const code of [waiting, approved]) {
      await ageDeviceCode(code, `expires_at = expires_at - interval '600 seconds'`);
      expectProblem(await pollRefused(code.deviceCode), 400, 'expired_token');
    }
    expect((await approve(person, waiting.userCode)).status).toBe(404);
  });

  it('gets invalid_grant for an unknown or exchanged code', async () => {
    const person = await registerPerson();
    const { userCode, deviceCode } = await startDevice();
    await approve(person, userCode);
    expect((await poll(deviceCode)).status).toBe(200);
    for (const spent of [deviceCode, 'A'.repeat(43), userCode, 'x']) {
      expectProblem(await pollRefused(spent), 400, 'invalid_grant');
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

describe('in a race', () => {
  it('one of thirty simultaneous polls for an approved code gets the session', async () => {
    const person = await registerPerson();
    const { userCode, deviceCode } = await startDevice();
    await approve(person, userCode);
    const responses = await Promise.all(Array.from({ length: 30 }, () => pollRefused(deviceCode)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ json }) => json.code === 'invalid_grant')).toHaveLength(29);
    const rows = await select(`SELECT 1 FROM sessions WHERE user_id = $1 AND method = 'DEVICE'`, person.userId);
    expect(rows).toHaveLength(1);
  });

  it('a code is decided once, by one person', async () => {
    const person = await registerPerson();
    const approved = await startDevice();
    const denied = await startDevice();
    const both = await startDevice();
    expect((await approve(person, approved.userCode)).status).toBe(204);
    expect((await approve(person, approved.userCode)).status).toBe(404);
    expect((await deny(person, approved.userCode)).status).toBe(404);
    expect((await poll(approved.deviceCode)).status).toBe(200);
    expect((await deny(person, denied.userCode)).status).toBe(204);
    expect((await approve(person, denied.userCode)).status).toBe(404);
    const responses = await Promise.all([approve(person, both.userCode), deny(person, both.userCode)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404]);
    const isApproved = responses[0]?.status === 204;
    expect((await pollRefused(both.deviceCode)).status).toBe(isApproved ? 200 : 400);
  });

  it('a poll during the approval does not lose the session', async () => {
    const person = await registerPerson();
    const { userCode, deviceCode } = await startDevice();
    const polls = Array.from({ length: 10 }, () => pollRefused(deviceCode));
    const [, ...responses] = await Promise.all([approve(person, userCode), ...polls]);
    const last = await pollRefused(deviceCode);
    expect([...responses, last].filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
