import { describe, expect, it } from 'vitest';
import type { DeviceCodes, DeviceRequest, Session, SignedIn } from '@/lib/auth/schema';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { ageDeviceCode, approve, DEVICE, deny, poll, pollRefused, startDevice } from '@/tests/fixtures/device-codes';
import { queuedMails } from '@/tests/fixtures/mails';
import { registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call, TEST_ADDRESS } from '@/tests/http/api-request';

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
    const { rows } = await database().query<{ row: string }>('SELECT device_codes::text AS row FROM device_codes');
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

  it('is found by any spelling of the code', async () => {
    const person = await registerPerson();
    const { userCode } = await startDevice();
    const bare = userCode.replace('-', '');
    for (const typed of [userCode.toLowerCase(), bare, ` ${bare.slice(0, 3)} ${bare.slice(3)} `]) {
      expect((await look(person, typed)).status).toBe(200);
    }
  });

  it('is hidden for an unknown, malformed, decided or expired code', async () => {
    const person = await registerPerson();
    const [approved, denied, expired] = [await startDevice(), await startDevice(), await startDevice()];
    await approve(person, approved.userCode);
    await deny(person, denied.userCode);
    await ageDeviceCode(expired, 'expires_at = now()');
    const gone = [approved.userCode, denied.userCode, expired.userCode, 'BCDF-GHJK', 'AEIO-UAEI', '1'];
    for (const userCode of gone) {
      expect((await look(person, userCode)).json).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect((await call('GET', DEVICE, { bearer: person.accessToken })).json.code).toBe('validation_failed');
  });
});

describe('deciding', () => {
  it('does not happen by opening the link: only by the POST', async () => {
    const person = await registerPerson();
    const { userCode, deviceCode } = await startDevice();
    const response = await call('GET', `${DEVICE}/approve?userCode=${userCode}`, { bearer: person.accessToken });
    expect(response.status).toBe(405);
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
    const sessions = await call<{ data: Session[] }>('GET', '/api/v1/auth/sessions', {
      bearer: response.json.accessToken,
    });
    expect(sessions.json.data).toMatchObject([
      { method: 'DEVICE', device: 'CLI on build-box', userAgent: 'eds/1.0', ipAddress: TEST_ADDRESS, current: true },
      { method: 'PASSWORD', current: false },
    ]);
  });

  it('gives a session that can be refreshed and closed', async () => {
    const person = await registerPerson();
    const signedIn = await signInByDevice(person);
    const refresh = (refreshToken: string | undefined) =>
      call<SignedIn>('POST', '/api/v1/auth/refresh', { body: { refreshToken } });
    const next = await refresh(signedIn.refreshToken);
    expect(next.status).toBe(200);
    await call('DELETE', '/api/v1/auth/sessions', { bearer: person.accessToken });
    expect((await me(next.json.accessToken)).status).toBe(401);
    expect((await refresh(next.json.refreshToken)).status).toBe(401);
  });

  it('gives a session in the organization of the approver’s session, with the live role', async () => {
    const owner = await registerPerson();
    const member = await registerMember(owner.organizationId, 'ADMIN');
    const body = { organizationId: owner.organizationId };
    await call('POST', '/api/v1/auth/switch-organization', { bearer: member.accessToken, body });
    const { userCode, deviceCode } = await startDevice();
    await approve(member, userCode);
    await database().query(`UPDATE memberships SET role = 'VIEWER' WHERE user_id = $1 AND role = 'ADMIN'`, [
      member.userId,
    ]);
    const response = await poll(deviceCode);
    expect(response.json.organization).toMatchObject({ id: owner.organizationId, role: 'VIEWER' });
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
    await database().query(sql, [person.userId]);
    expect((await pollRefused(deviceCode)).json).toMatchObject({ status: 400, code: 'access_denied' });
    const { rows } = await database().query(`SELECT 1 FROM sessions WHERE user_id = $1 AND method = 'DEVICE'`, [
      person.userId,
    ]);
    expect(rows).toEqual([]);
  });
});

function look(person: TestPerson, userCode: string) {
  const path = `${DEVICE}?userCode=${encodeURIComponent(userCode)}`;
  return call<DeviceRequest>('GET', path, { bearer: person.accessToken });
}

async function signInByDevice(person: TestPerson): Promise<SignedIn> {
  const { userCode, deviceCode } = await startDevice();
  expect((await approve(person, userCode)).status).toBe(204);
  const response = await poll(deviceCode);
  expect(response.status).toBe(200);
  return response.json;
}
