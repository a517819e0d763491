import { expect, it } from 'vitest';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { approve, poll, pollRefused, startDevice } from '@/tests/fixtures/device-codes';
import { registerPerson, signInAgain, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import { authenticatePerson } from './authenticate-person';
import { closeSessions } from './close-sessions';

useDatabase();

const CLIENT = { ipAddress: '203.0.113.9', userAgent: 'test' };
const closeAll = async (person: TestPerson, keptId?: string) => {
  const actor = { type: 'user', userId: person.userId, ipAddress: CLIENT.ipAddress } as const;
  return inSqlTransaction((tx) => closeSessions(tx, person.userId, actor, keptId));
};

async function openSessionsOf(person: TestPerson, method = 'PASSWORD'): Promise<number> {
  const { rows } = await database().query(
    'SELECT 1 FROM sessions WHERE user_id = $1 AND closed_at IS NULL AND method = $2::"SessionMethod"',
    [person.userId, method],
  );
  return rows.length;
}

it('closes each open session once, with an audit entry, and returns the number', async () => {
  const person = await registerPerson();
  const other = await signInAgain(person);
  const { sessionId } = await authenticatePerson(other.accessToken, {}, CLIENT);
  expect(await closeAll(person, sessionId)).toBe(1);
  expect(await closeAll(person, sessionId)).toBe(0);
  expect(await closeAll(person)).toBe(1);
  const closings = (await auditOf(person.organizationId)).filter(({ action }) => action === 'session.closed');
  expect(closings).toHaveLength(2);
});

it('closes each session once when ten requests run at once', async () => {
  const person = await registerPerson();
  await Promise.all([1, 2, 3].map(() => signInAgain(person)));
  const counts = await Promise.all(Array.from({ length: 10 }, () => closeAll(person)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4);
  const closings = (await auditOf(person.organizationId)).filter(({ action }) => action === 'session.closed');
  expect(closings).toHaveLength(4);
});

it('closes nothing when the transaction is rolled back', async () => {
  const person = await registerPerson();
  const actor = { type: 'user', userId: person.userId, ipAddress: null } as const;
  const failed = inSqlTransaction(async (tx) => {
    await closeSessions(tx, person.userId, actor);
    throw new Error('the change failed');
  });
  await expect(failed).rejects.toThrow('the change failed');
  expect(await openSessionsOf(person)).toBe(1);
});

it('denies approved device codes that are not exchanged, of that person only', async () => {
  const [person, other] = [await registerPerson(), await registerPerson()];
  const [own, foreign] = [await startDevice(), await startDevice()];
  await approve(person, own.userCode);
  await approve(other, foreign.userCode);
  await closeAll(person);
  expect((await pollRefused(own.deviceCode)).json.code).toBe('access_denied');
  expect((await poll(foreign.deviceCode)).status).toBe(200);
});

it('leaves no session open when approved codes are exchanged at the same time', async () => {
  const person = await registerPerson();
  for (let round = 0; round < 5; round++) {
    const approver = round === 0 ? person : await signInAgain(person);
    const codes = await Promise.all([startDevice(), startDevice(), startDevice()]);
    await Promise.all(codes.map(({ userCode }) => approve(approver, userCode)));
    const polls = codes.map(({ deviceCode }) => pollRefused(deviceCode));
    const [, ...responses] = await Promise.all([closeAll(person), ...polls]);
    expect(await openSessionsOf(person, 'DEVICE')).toBe(0);
    for (const { status, json } of responses) expect(status === 200 || json.code === 'access_denied').toBe(true);
  }
});

it('leaves no approval when a session it closes approves codes at the same time', async () => {
  const person = await registerPerson();
  for (let round = 0; round < 5; round++) {
    const approver = round === 0 ? person : await signInAgain(person);
    const codes = await Promise.all([startDevice(), startDevice(), startDevice()]);
    const approvals = codes.map(({ userCode }) => approve(approver, userCode));
    await Promise.all([closeAll(person), ...approvals]);
    for (const { deviceCode } of codes) {
      expect(['access_denied', 'authorization_pending']).toContain((await pollRefused(deviceCode)).json.code);
    }
  }
});

it('invalidates tokens that a concurrent refresh issued', async () => {
  const person = await registerPerson();
  const sessions = [person, await signInAgain(person), await signInAgain(person)];
  const refreshes = sessions.map(({ refreshToken }) =>
    call<{ accessToken?: string }>('POST', '/api/v1/auth/refresh', { body: { refreshToken } }),
  );
  const [, ...responses] = await Promise.all([closeAll(person), ...refreshes]);
  for (const { json } of responses) {
    if (json.accessToken === undefined) continue;
    expect((await call('GET', '/api/v1/auth/me', { bearer: json.accessToken })).status).toBe(401);
  }
  expect(await openSessionsOf(person)).toBe(0);
});
