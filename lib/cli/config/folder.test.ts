import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { useEds } from '@/tests/cli/eds';
import { NOBODY } from '@/tests/cli/nobody.mjs';
import { credentialsFile, readSession, storeSession } from '@/tests/cli/session-file';
import { useStubServer } from '@/tests/cli/stub-server';

const ME = '/api/v1/auth/me';
const server = useStubServer();
const eds = useEds(server.url);

const modeOf = (file: string) => (fs.statSync(file).mode & 0o777).toString(8);

function serveSession() {
  server.onJson(ME, { user: { email: 'ada@example.com', name: null }, organizations: [] });
  server.onJson('/api/v1/key', { name: 'server', scope: 'READ_ONLY', project: { id: 'p', name: 'Shop' } });
  server.onJson('/api/v1/auth/refresh', {
    accessToken: 'another',
    expiresIn: 900,
    refreshToken: 'the-next',
    user: { email: 'ada@example.com' },
    organization: null,
  });
}

const refresh = () => eds.run(['whoami']);

describe('the folder of the configuration', () => {
  it('is for its owner alone, also when it was open to others before', async () => {
    serveSession();
    storeSession(eds, server.url(), { accessTokenExpiresAt: 0 });
    fs.chmodSync(eds.folder, 0o777);
    fs.chmodSync(credentialsFile(eds), 0o666);
    expect((await refresh()).code).toBe(0);
    expect([modeOf(eds.folder), modeOf(credentialsFile(eds))]).toEqual(['700', '600']);
    const fresh = path.join(eds.folder, 'a', 'b');
    await eds.run(['login', '--with-api-key'], { stdin: 'eds_x', env: { EDS_CONFIG_DIR: fresh } });
    expect([modeOf(fresh), modeOf(path.join(fresh, 'credentials.json'))]).toEqual(['700', '600']);
  });

  it('is for its owner alone when it holds every file that commands write', async () => {
    serveSession();
    storeSession(eds, server.url());
    const projectId = '0190b4f0-0000-7000-8000-000000000001';
    server.onJson(`/api/v1/projects/${projectId}/api-keys`, { id: 'k', name: 'server', key: 'eds_x' }, 201);
    const written = [
      await eds.run(['config', 'set', 'project', projectId]),
      await eds.run(['keys', 'create', 'server', '--save']),
    ];
    expect(written.map(({ code }) => code)).toEqual([0, 0]);
    expect(fs.readdirSync(eds.folder)).toEqual(
      expect.arrayContaining(['config.json', 'credentials.json', 'keys.json']),
    );
    fs.chmodSync(eds.folder, 0o777);
    await eds.run(['login', '--with-api-key'], { stdin: 'eds_x' });
    expect(modeOf(eds.folder)).toBe('700');
  });

  it('keeps its mode when it holds files of others, as a shared folder does', async () => {
    serveSession();
    storeSession(eds, server.url(), { accessTokenExpiresAt: 0 });
    fs.writeFileSync(path.join(eds.folder, 'notes.txt'), '');
    fs.chmodSync(eds.folder, 0o755);
    expect((await refresh()).code).toBe(0);
    expect([modeOf(eds.folder), modeOf(credentialsFile(eds))]).toEqual(['755', '600']);
  });

  it.each(['an existing', 'a missing'])('keeps the symbolic link to %s file with credentials', async (which) => {
    serveSession();
    const elsewhere = path.join(eds.folder, 'repository');
    fs.mkdirSync(elsewhere);
    const target = path.join(elsewhere, 'secret.json');
    if (which === 'an existing') {
      storeSession(eds, server.url(), { accessTokenExpiresAt: 0 });
      fs.renameSync(credentialsFile(eds), target);
    }
    fs.symlinkSync('repository/secret.json', credentialsFile(eds));
    const command = which === 'an existing' ? ['whoami'] : ['login', '--with-api-key'];
    expect((await eds.run(command, { stdin: 'eds_x' })).code).toBe(0);
    expect(fs.lstatSync(credentialsFile(eds)).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(target, 'utf8')).toContain(which === 'an existing' ? 'the-next' : 'eds_x');
    expect(modeOf(target)).toBe('600');
  });

  it('loses what a killed command has left', async () => {
    serveSession();
    storeSession(eds, server.url(), { accessTokenExpiresAt: 0 });
    const left = `${credentialsFile(eds)}.0123abcd.tmp`;
    fs.writeFileSync(left, 'tokens');
    expect((await refresh()).code).toBe(0);
    expect(fs.existsSync(left)).toBe(false);
  });
});

describe('a folder that cannot be written', () => {
  function makeReadOnly() {
    for (const name of fs.readdirSync(eds.folder)) chownToNobody(path.join(eds.folder, name));
    chownToNobody(eds.folder);
    fs.chmodSync(eds.folder, 0o500);
  }
  const chownToNobody = (file: string) => void (process.getuid?.() === 0 && fs.chownSync(file, NOBODY, NOBODY));
  const isUnprivileged = true;

  it('makes login fail before a person approves anything', async () => {
    makeReadOnly();
    const { code, stderr } = await eds.run(['login'], { isUnprivileged });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`We couldn’t write to ${eds.folder}`)]);
    expect(stderr).toContain('EDS_CONFIG_DIR');
    expect(server.requests).toEqual([]);
  });

  it('is no obstacle for a fresh session and for EDS_API_KEY', async () => {
    serveSession();
    storeSession(eds, server.url());
    makeReadOnly();
    expect(await eds.run(['whoami'], { isUnprivileged })).toMatchObject({ code: 0, stderr: '' });
    const env = { EDS_API_KEY: 'eds_x' };
    expect(await eds.run(['whoami'], { isUnprivileged, env })).toMatchObject({ code: 0, stderr: '' });
  });

  it('does not spend the refresh token', async () => {
    serveSession();
    storeSession(eds, server.url(), { accessTokenExpiresAt: 0 });
    makeReadOnly();
    const { code, stderr } = await eds.run(['whoami'], { isUnprivileged });
    expect([code, stderr]).toEqual([1, expect.stringContaining('We couldn’t write')]);
    expect(server.requests).toEqual([]);
  });

  it('does not spend the refresh token when only the target of a symbolic link cannot be written', async () => {
    serveSession();
    storeSession(eds, server.url(), { accessTokenExpiresAt: 0 });
    const elsewhere = fs.mkdtempSync(`${eds.folder}-target-`);
    try {
      fs.renameSync(credentialsFile(eds), path.join(elsewhere, 'secret.json'));
      fs.symlinkSync(path.join(elsewhere, 'secret.json'), credentialsFile(eds));
      for (const file of [eds.folder, elsewhere, path.join(elsewhere, 'secret.json')]) chownToNobody(file);
      fs.chmodSync(elsewhere, 0o500);
      expect((await eds.run(['whoami'], { isUnprivileged })).code).toBe(1);
      expect(server.requests).toEqual([]);
    } finally {
      fs.chmodSync(elsewhere, 0o700);
      fs.rmSync(elsewhere, { recursive: true });
    }
  });
});

describe('without a home', () => {
  it.each([undefined, '', 'relative'])('EDS_API_KEY works when HOME is %j', async (HOME) => {
    serveSession();
    const env = { HOME, EDS_CONFIG_DIR: undefined, EDS_API_KEY: 'eds_x' };
    expect(await eds.run(['whoami'], { env })).toMatchObject({ code: 0, stderr: '' });
    expect(fs.readdirSync(eds.folder)).toEqual([]);
  });

  it('no configuration of the folder that a command runs in is read', async () => {
    serveSession();
    storeSession(eds, server.url());
    fs.mkdirSync(path.join(eds.folder, '.config', 'eds'), { recursive: true });
    fs.renameSync(credentialsFile(eds), path.join(eds.folder, '.config', 'eds', 'credentials.json'));
    const env = { HOME: '', EDS_CONFIG_DIR: undefined };
    expect((await eds.run(['whoami'], { env, isUnprivileged: true })).code).toBe(4);
    // The same file in the home that is given.
    expect((await eds.run(['whoami'], { env: { EDS_CONFIG_DIR: undefined } })).code).toBe(0);
  });
});

describe('a damaged file', () => {
  it.each(['credentials.json', 'config.json'])(
    'stops commands with its name, and login first of all: %s',
    async (name) => {
      serveSession();
      for (const text of ['', '["refresh-secret"']) {
        fs.writeFileSync(path.join(eds.folder, name), text);
        for (const command of ['whoami', 'login']) {
          const { code, stderr } = await eds.run([command]);
          expect([code, stderr]).toEqual([1, expect.stringContaining(`${name} is damaged.`)]);
          expect(stderr).not.toContain('refresh-secret');
        }
        expect(fs.readFileSync(path.join(eds.folder, name), 'utf8')).toBe(text);
      }
      expect(server.requests).toEqual([]);
      expect(await eds.run(['--version'])).toMatchObject({ code: 0 });
    },
  );

  it('whose entries have another shape counts as not signed in', async () => {
    for (const entry of [null, 1, {}, { kind: 'session' }, { kind: 'session', url: 1 }]) {
      fs.writeFileSync(credentialsFile(eds), JSON.stringify({ default: entry }));
      expect((await eds.run(['whoami'])).code).toBe(4);
    }
  });
});

describe('credentials of a server', () => {
  it('are never sent to another one', async () => {
    storeSession(eds, 'http://127.0.0.1:9/other', { accessTokenExpiresAt: 0 });
    const { code, stderr } = await eds.run(['whoami']);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('Profile default is signed in to http://127.0.0.1:9/other.'),
    ]);
    expect((await eds.run(['projects', 'list'])).code).toBe(4);
    expect(server.requests).toEqual([]);
    expect(readSession(eds).refreshToken).toBe('a-refresh-token');
  });

  it('are not sent along with a redirect', async () => {
    serveSession();
    storeSession(eds, `${server.url()}/api`);
    server.on('/api/api/v1/auth/me', (response) => response.writeHead(307, { location: ME }).end());
    const { code, stderr } = await eds.run(['whoami'], { env: { EDS_API_URL: `${server.url()}/api` } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('was redirected')]);
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/api/v1/auth/me']);
  });
});
