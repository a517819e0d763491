import { describe, expect, it } from 'vitest';
import { signAccessToken, verifyAccessToken } from '@/lib/auth/access-token';
import { useEds } from '@/tests/cli/eds';
import { useGateway } from '@/tests/cli/gateway';
import { changeSession, expireSession, readSession } from '@/tests/cli/session-file';
import { signIn } from '@/tests/cli/sign-in';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { useWebServer } from '@/tests/http/adapters';
import { call } from '@/tests/http/api-request';

useDatabase();
const projects = useProjects();
const server = useWebServer();
const gateway = useGateway(() => server.port());
const eds = useEds(() => gateway.url());

const REFRESH = 'POST /api/v1/auth/refresh';
/** Returns the access token that the session had an hour ago. */
async function expired(accessToken: string): Promise<string> {
  const { sub, sid, org, role } = await verifyAccessToken(accessToken, () => new Date());
  const subject = { userId: sub, sessionId: sid, organizationId: org, role };
  return (await signAccessToken(subject, () => new Date(Date.now() - 3_600_000))).token;
}

const whoami = () => eds.run(['whoami', '--json']);
const refreshes = () => gateway.requests.filter((each) => each === REFRESH).length;

describe('an expired access token', () => {
  it.each([1, 2, 10])('is refreshed once by %i commands at once, and all of them succeed', async (count) => {
    const before = await signIn(eds, gateway.url(), projects.mine.owner);
    expireSession(eds);
    const earlier = refreshes();
    const ended = await Promise.all(Array.from({ length: count }, whoami));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, '']));
    expect(refreshes() - earlier).toBe(1);
    expect(readSession(eds).refreshToken).not.toBe(before.refreshToken);
    // The session survives: what is stored can be refreshed again.
    expireSession(eds);
    expect((await whoami()).code).toBe(0);
  });

  it('is refreshed when only the server knows that it has expired, and the request is repeated', async () => {
    await signIn(eds, gateway.url(), projects.mine.owner);
    const earlier = refreshes();
    changeSession(eds, { accessToken: await expired(readSession(eds).accessToken) });
    expect(await whoami()).toMatchObject({ code: 0, stderr: '' });
    expect(refreshes() - earlier).toBe(1);
  });

  it('is refreshed after another machine that shares the folder has spent the refresh token', async () => {
    await signIn(eds, gateway.url(), projects.mine.owner);
    const spent = readSession(eds);
    expireSession(eds);
    expect((await whoami()).code).toBe(0);
    const newer = readSession(eds);
    // The command has read the file before the other machine writes it.
    changeSession(eds, { ...spent, accessTokenExpiresAt: 0 });
    const held = gateway.hold('/api/v1/auth/refresh', 'response');
    const running = eds.start(['whoami']);
    await held.reached;
    changeSession(eds, newer);
    held.release();
    expect((await running.ended).code).toBe(0);
    expect(readSession(eds)).toEqual(newer);
  });

  it('ends a command that was signed in as another person when it started', async () => {
    await signIn(eds, gateway.url(), projects.mine.owner);
    changeSession(eds, { accessToken: await expired(readSession(eds).accessToken) });
    const held = gateway.hold('/api/v1/auth/me', 'response');
    const running = eds.start(['whoami']);
    await held.reached;
    await signIn(eds, gateway.url(), projects.foreign.owner);
    held.release();
    const { code, stdout, stderr } = await running.ended;
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain(`You’re no longer signed in as ${projects.mine.owner.email}.`);
    expect(JSON.parse((await whoami()).stdout).user.email).toBe(projects.foreign.owner.email);
  });

  it('says to sign in again after the session was closed', async () => {
    const { accessToken } = await signIn(eds, gateway.url(), projects.mine.owner);
    const { sid } = await verifyAccessToken(accessToken, () => new Date());
    await call('DELETE', `/api/v1/auth/sessions/${sid}`, { bearer: projects.mine.owner.accessToken });
    const closed = await whoami();
    expect([closed.code, JSON.parse(closed.stderr).error.next]).toEqual([4, 'eds login']);
    expireSession(eds);
    const ended = await eds.run(['whoami']);
    expect([ended.code, ended.stderr]).toEqual([4, expect.stringContaining('Your session has ended.')]);
    expect(ended.stderr).toContain('Next:  eds login');
  });
});
