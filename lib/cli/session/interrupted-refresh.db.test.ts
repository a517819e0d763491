import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Ended, useEds } from '@/tests/cli/eds';
import { useGateway } from '@/tests/cli/gateway';
import { credentialsFile, expireSession, readSession } from '@/tests/cli/session-file';
import { signIn } from '@/tests/cli/sign-in';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { useWebServer } from '@/tests/http/adapters';

useDatabase();
const projects = useProjects();
const server = useWebServer();
const gateway = useGateway(() => server.port());
const eds = useEds(() => gateway.url());

const REFRESH = '/api/v1/auth/refresh';

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
