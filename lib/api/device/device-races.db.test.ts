import { describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { approve, deny, poll, pollRefused, startDevice } from '@/tests/fixtures/device-codes';
import { registerPerson } from '@/tests/fixtures/people';

useDatabase();

describe('in a race', () => {
  it('one of thirty simultaneous polls for an approved code gets the session', async () => {
    const person = await registerPerson();
    const { userCode, deviceCode } = await startDevice();
    await approve(person, userCode);
    const responses = await Promise.all(Array.from({ length: 30 }, () => pollRefused(deviceCode)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ json }) => json.code === 'invalid_grant')).toHaveLength(29);
    const { rows } = await database().query(`SELECT 1 FROM sessions WHERE user_id = $1 AND method = 'DEVICE'`, [
      person.userId,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('when two people approve at once, one wins and the client gets a session of that person', async () => {
    const [first, second] = [await registerPerson(), await registerPerson()];
    for (let round = 0; round < 3; round++) {
      const { userCode, deviceCode } = await startDevice();
      const responses = await Promise.all([first, second].map((person) => approve(person, userCode)));
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 404]);
      const winner = responses[0]?.status === 204 ? first : second;
      expect((await poll(deviceCode)).json.user.id).toBe(winner.userId);
    }
  });

  it('a code is decided once, by one person', async () => {
    const person = await registerPerson();
    const [approved, denied, both] = [await startDevice(), await startDevice(), await startDevice()];
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
