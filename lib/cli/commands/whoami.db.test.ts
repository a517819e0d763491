import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import manifest from '@/package.json' with { type: 'json' };
import type { RunOptions } from '@/tests/cli/eds';
import { credentialsFile, storeSession } from '@/tests/cli/session-file';
import { signIn } from '@/tests/cli/sign-in';
import { useCli } from '@/tests/cli/use-cli';
import { call } from '@/tests/http/api-request';

const { projects, url, eds } = useCli();
const terminal: RunOptions = { tty: ['stdout', 'stderr'], env: { NO_COLOR: '1' } };
const NOBODY_LISTENS = 'http://127.0.0.1:9';

describe('eds whoami', () => {
  it('shows the person, the server and the profile, as fields, as lines and as JSON', async () => {
    const { owner } = projects.mine;
    await signIn(eds, url(), owner);
    const shown = await eds.run(['whoami'], terminal);
    expect(shown.stdout).toMatch(
      new RegExp(
        `^SERVER +${url()}\\nPROFILE +default\\nEMAIL +${owner.email}\\nNAME .*\\nORGANIZATIONS +.* \\(OWNER\\)\\n$`,
      ),
    );
    const lines = (await eds.run(['whoami'])).stdout.split('\n');
    expect(lines).toEqual(expect.arrayContaining([`server\t${url()}`, 'profile\tdefault', `email\t${owner.email}`]));
    const json = JSON.parse((await eds.run(['whoami', '--json'])).stdout);
    expect(json).toMatchObject({ url: url(), profile: 'default', user: { id: owner.userId } });
    expect(json.organizations).toMatchObject([{ role: 'OWNER' }]);
  });

  it('shows a key with its scope and project, but not its text', async () => {
    const env = { EDS_API_KEY: projects.mine.readOnlyKey };
    const lines = await eds.run(['whoami'], { env });
    expect(lines.stdout).toContain(
      `api key\treports\nscope\tREAD_ONLY\nproject\tShop\nproject id\t${projects.mine.id}\n`,
    );
    const json = await eds.run(['whoami', '--json'], { env });
    expect(JSON.parse(json.stdout)).toMatchObject({
      apiKey: { scope: 'READ_ONLY', project: { id: projects.mine.id } },
    });
    expect(lines.stdout + json.stdout).not.toContain(projects.mine.readOnlyKey);
  });

  it('exits with 7 without a server', async () => {
    const env = { EDS_API_KEY: 'eds_x', EDS_API_URL: NOBODY_LISTENS };
    const unreachable = await eds.run(['whoami'], { env });
    expect([unreachable.code, unreachable.stderr]).toEqual([
      7,
      expect.stringContaining('We couldn’t reach the server.'),
    ]);
  });
});

describe('eds logout', () => {
  it('ends the session on the server, and forgets its tokens', async () => {
    const { accessToken, refreshToken } = await signIn(eds, url(), projects.mine.owner);
    expect((await call('GET', '/api/v1/auth/me', { bearer: accessToken })).status).toBe(200);
    const ended = await eds.run(['logout']);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([0, '', `✓ Signed out of ${url()}.\n`]);
    expect((await call('GET', '/api/v1/auth/me', { bearer: accessToken })).status).toBe(401);
    expect((await call('POST', '/api/v1/auth/refresh', { body: { refreshToken } })).status).toBe(401);
    expect(readFileSync(credentialsFile(eds), 'utf8')).toBe('{}\n');
    expect((await eds.run(['whoami'])).code).toBe(4);
  });

  it('writes JSON that tells whether somebody was signed in', async () => {
    const nobody = await eds.run(['logout', '--json']);
    expect([nobody.code, JSON.parse(nobody.stdout)]).toEqual([0, { profile: 'default', signedOut: false }]);
    expect((await eds.run(['logout'])).stderr).toContain('You weren’t signed in.');
    expect(existsSync(credentialsFile(eds))).toBe(false);
    await signIn(eds, url(), projects.mine.owner);
    const ended = await eds.run(['logout', '--json']);
    expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, { profile: 'default', signedOut: true }]);
  });

  it('forgets the tokens without the server too, and says what to do about the session', async () => {
    storeSession(eds, NOBODY_LISTENS);
    const { code, stderr } = await eds.run(['logout']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('Close it in the dashboard under Account > Sessions.')]);
    expect(readFileSync(credentialsFile(eds), 'utf8')).toBe('{}\n');
  });
});

describe('eds version', () => {
  it('shows its own version and that of the server, without a session', async () => {
    const { version } = manifest;
    const shown = await eds.run(['version'], terminal);
    expect(shown.stdout).toBe(`EDS     ${version}\nSERVER  ${version}\nURL     ${url()}\n`);
    const json = await eds.run(['version', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ eds: version, server: version, url: url() });
  });

  it('shows its own version where no server can be reached', async () => {
    const env = { EDS_API_URL: NOBODY_LISTENS };
    const { code, stdout } = await eds.run(['version'], { env });
    expect([code, stdout]).toEqual([0, `eds\t${manifest.version}\nserver\tunreachable\nurl\t${NOBODY_LISTENS}\n`]);
    expect(JSON.parse((await eds.run(['version', '--json'], { env })).stdout).server).toBeNull();
  });

  it('asks no server before one was chosen', async () => {
    const { code, stdout } = await eds.run(['version'], { env: { EDS_API_URL: undefined } });
    expect([code, stdout]).toEqual([0, `eds\t${manifest.version}\nserver\tnot chosen\nurl\t\n`]);
  });
});
