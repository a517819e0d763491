import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { useEds } from '@/tests/cli/eds';
import { fakeBrowser } from '@/tests/cli/fake-browser';
import { useStubServer } from '@/tests/cli/stub-server';

const server = useStubServer();
const eds = useEds(server.url);

const CODE = '/api/v1/auth/device/code';
const TOKEN = '/api/v1/auth/device/token';
const CODES = {
  deviceCode: 'a-device-code',
  userCode: 'BCDF-GHJK',
  verificationUri: 'https://events.example.com/device',
  verificationUriComplete: 'https://events.example.com/device?userCode=BCDF-GHJK',
  expiresIn: 600,
  interval: 1,
};
const SIGNED_IN = {
  accessToken: 'an-access-token',
  expiresIn: 900,
  refreshToken: 'a-refresh-token',
  user: { email: 'ada@example.com' },
  organization: null,
};

describe('eds login', () => {
  it('opens the URL with the code in BROWSER', async () => {
    server.onJson(CODE, CODES);
    server.onJson(TOKEN, SIGNED_IN);
    const { BROWSER, opened } = fakeBrowser(eds.folder);
    expect((await eds.run(['login'], { env: { BROWSER } })).code).toBe(0);
    await vi.waitFor(() => expect(opened()).toBe(CODES.verificationUriComplete), 10_000);
  });

  it('opens nothing with --no-browser, nor what is not the URL of a page', async () => {
    server.onJson(TOKEN, SIGNED_IN);
    const { BROWSER, opened } = fakeBrowser(eds.folder);
    server.onJson(CODE, CODES);
    const shown = await eds.run(['login', '--no-browser'], { env: { BROWSER } });
    expect(shown.stderr).toContain(`Open ${CODES.verificationUri} and enter the code BCDF-GHJK`);
    const verificationUri = 'javascript:alert(1)\x1b[2J';
    server.onJson(CODE, { ...CODES, verificationUri, verificationUriComplete: verificationUri });
    const hostile = await eds.run(['login'], { env: { BROWSER } });
    expect([shown.code, hostile.code, opened()]).toEqual([0, 0, null]);
    expect(hostile.stderr).toContain('Open javascript:alert(1)\\x1b[2J and');
  });

  it('stores no session that it cannot use', async () => {
    server.onJson(CODE, CODES);
    for (const broken of [{ expiresIn: 'soon' }, { user: null }, { refreshToken: 7 }]) {
      server.onJson(TOKEN, { ...SIGNED_IN, ...broken });
      const { code, stderr } = await eds.run(['login', '--no-browser']);
      expect([code, stderr]).toEqual([1, expect.stringContaining('The server’s response isn’t a session.')]);
      expect(readFileSync(path.join(eds.folder, 'credentials.json'), 'utf8')).toBe('{}\n');
    }
  });

  it('warns before a session travels unencrypted, except on this machine', async () => {
    const env = { EDS_API_URL: undefined };
    const remote = eds.start(['login', '--url', 'http://192.0.2.1:3000'], { env });
    await remote.waitFor('The connection to this server isn’t encrypted.');
    server.onJson(CODE, CODES);
    server.onJson(TOKEN, SIGNED_IN);
    expect((await eds.run(['login', '--url', server.url()], { env })).stderr).not.toContain('encrypted');
  });
});

describe('Ctrl-C', () => {
  it('ends a login that waits, with 130', async () => {
    server.onJson(CODE, CODES);
    server.onJson(TOKEN, { code: 'authorization_pending', detail: 'Wait.' }, 400);
    const running = eds.start(['login', '--no-browser']);
    await running.waitFor('Waiting for your approval');
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
    expect(running.stderr).not.toContain('Error');
  });

  it('ends a login that waits for the key on standard input', async () => {
    const running = eds.start(['login', '--with-api-key'], { keepsStdinOpen: true });
    await vi.waitFor(() => expect(existsSync(path.join(eds.folder, 'credentials.json'))).toBe(true), 20_000);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
  });

  it('ends a request that gets no answer', async () => {
    server.on(CODE, () => undefined);
    const running = eds.start(['login', '--no-browser']);
    await vi.waitFor(() => expect(server.requests).toHaveLength(1), 20_000);
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(130);
  });
});
