import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { signAccessToken, verifyAccessToken } from '@/lib/auth/access-token';
import { type Ended, useEds } from '@/tests/cli/eds';
import { useGateway } from '@/tests/cli/gateway';
import { changeSession, credentialsFile, expireSession, readSession } from '@/tests/cli/session-file';
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

const REFRESH = '/api/v1/auth/refresh';
/** Returns the access token that the session had an hour ago. */
async function expired(accessToken: string): Promise<string> {
  const { sub, sid, org, role } = await verifyAccessToken(accessToken, () => new Date());
  const subject = { userId: sub, sessionId: sid, organizationId: org, role };
  return (await signAccessToken(subject, () => new Date(Date.now() - 3_600_000))).token;
}

const whoami = () => eds.run(['whoami', '--json']);
const refreshes = () => gateway.requests.filter((each) => each === `POST ${REFRESH}`).length;

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
    const held = gateway.hold(REFRESH, 'response');
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

async function startRefresh(what: 'request' | 'response') {
  await signIn(eds, gateway.url(), projects.mine.owner);
  expireSession(eds);
  const held = gateway.hold(REFRESH, what);
  const running = eds.start(['whoami']);
  await held.reached;
  return { held, running };
}

/** The file is whole and only its owner's, and holds no leftovers of a killed command after the next one. */
function expectCleanFolder() {
  expect(readSession(eds)).toMatchObject({ kind: 'session', refreshToken: expect.any(String) });
  expect(statSync(credentialsFile(eds)).mode & 0o777).toBe(0o600);
  expect(readdirSync(eds.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
}

function expectPlainEnd({ code, stderr }: Ended) {
  expect([0, 4]).toContain(code);
  if (code === 4) expect(stderr).toMatch(/Your session has ended\.[\s\S]*Next: {2}eds login/);
}

describe('a command killed while it refreshes the session', () => {
  it('leaves the session usable when the server has not seen the request', async () => {
    const { running } = await startRefresh('request');
    running.child.kill('SIGKILL');
    await once(running.child, 'close');
    expect(await eds.run(['whoami'])).toMatchObject({ code: 0, stderr: '' });
    expectCleanFolder();
  });

  it('makes the next command ask to sign in when the next token is lost', async () => {
    const { running } = await startRefresh('response');
    running.child.kill('SIGKILL');
    await once(running.child, 'close');
    const next = await eds.run(['whoami']);
    expect(next.code).toBe(4);
    expectPlainEnd(next);
    expectCleanFolder();
  });

  it('never damages the file, whenever it is killed after the response', async () => {
    for (const delayMs of [0, 3, 8, 20]) {
      const { held, running } = await startRefresh('response');
      held.release();
      await sleep(delayMs);
      running.child.kill('SIGKILL');
      await once(running.child, 'close');
      expectPlainEnd(await eds.run(['whoami']));
      expectCleanFolder();
    }
  });

  it('lets a waiting command take its turn', async () => {
    const { running } = await startRefresh('request');
    const waiting = eds.start(['whoami']);
    await sleep(300);
    running.child.kill('SIGKILL');
    expect(await waiting.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('Ctrl-C while a command refreshes the session', () => {
  it('exits with 130 after the next token is stored', async () => {
    const { held, running } = await startRefresh('response');
    const before = readSession(eds);
    running.child.kill('SIGINT');
    await sleep(1_500);
    expect(running.child.exitCode).toBeNull();
    held.release();
    expect((await running.ended).code).toBe(130);
    expect(readSession(eds).refreshToken).not.toBe(before.refreshToken);
    expect((await eds.run(['whoami'])).code).toBe(0);
  });

  it('exits at once when it is pressed twice', async () => {
    const { running } = await startRefresh('response');
    running.child.kill('SIGINT');
    await sleep(200);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
  });
});
