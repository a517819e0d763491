import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Running, useEds } from '@/tests/cli/eds';
import { storeSession } from '@/tests/cli/session-file';
import { useStubServer } from '@/tests/cli/stub-server';

const server = useStubServer();
const eds = useEds(server.url);

const env = { EDS_API_URL: undefined };
const ID = '0190b4f0-6f5c-7e31-9f1e-2f4f4b1c9a10';
const stored = () => JSON.parse(readFileSync(path.join(eds.folder, 'config.json'), 'utf8'));
const storeProfiles = () =>
  writeFileSync(
    path.join(eds.folder, 'config.json'),
    JSON.stringify({
      current: 'default',
      profiles: { default: { url: server.url() }, staging: { url: 'https://s.test' } },
    }),
  );

describe('eds config', () => {
  it('alone shows its help', async () => {
    const { code, stderr } = await eds.run(['config']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Usage: eds config [options] [command]')]);
  });

  it('shows the profile in use, and the folder of all', async () => {
    storeProfiles();
    const shown = await eds.run(['config', 'show', '--profile', 'staging', '--json'], { env });
    expect(JSON.parse(shown.stdout)).toEqual({ profile: 'staging', url: 'https://s.test', folder: eds.folder });
    const fields = await eds.run(['config', 'show'], { env });
    expect(fields.stdout).toBe(
      `profile\tdefault\nurl\t${server.url()}\norganization\t\nproject\t\nfolder\t${eds.folder}\n`,
    );
    const unknown = await eds.run(['config', 'show', '--profile', 'other'], { env });
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('There is no profile “other”.')]);
  });

  it('lists the profiles, and who is signed in to them', async () => {
    storeProfiles();
    storeSession(eds, server.url());
    const { stdout } = await eds.run(['config', 'list'], { env });
    expect(stdout).toBe(`default\t${server.url()}\tada@example.com\ttrue\nstaging\thttps://s.test\t\tfalse\n`);
    const json = JSON.parse((await eds.run(['config', 'list', '--json'], { env })).stdout);
    expect(json[1]).toEqual({ name: 'staging', url: 'https://s.test', signedInAs: null, inUse: false });
    const table = await eds.run(['config', 'list'], { env: { ...env, NO_COLOR: '1' }, tty: ['stdout'] });
    expect(table.stdout).toMatch(
      /^PROFILE +URL +SIGNED IN AS +IN USE\ndefault .* ada@example\.com +yes\nstaging .* - +no\n$/,
    );
  });

  it('chooses a profile that exists', async () => {
    storeProfiles();
    expect((await eds.run(['config', 'use', 'staging'], { env })).code).toBe(0);
    expect(stored().current).toBe('staging');
    expect(await eds.run(['config', 'use', 'other'], { env })).toMatchObject({ code: 3 });
    expect(stored().current).toBe('staging');
  });

  it('changes values, creates the profile, and forgets what belongs to another server', async () => {
    const set = (...args: string[]) => eds.run(['config', 'set', ...args, '--profile', 'new'], { env });
    expect((await set('url', 'https://new.test/')).code).toBe(0);
    expect((await set('project', ID)).code).toBe(0);
    expect(stored().profiles.new).toEqual({ url: 'https://new.test', projectId: ID });
    expect((await set('org', ID)).code).toBe(0);
    expect(stored().profiles.new).toEqual({ url: 'https://new.test', organizationId: ID });
    expect((await set('url', 'https://other.test')).code).toBe(0);
    expect(stored().profiles.new).toEqual({ url: 'https://other.test' });
  });

  it('refuses values that cannot be used', async () => {
    for (const args of [
      ['url', 'ftp://x'],
      ['url', 'https://u:p@x.test'],
      ['project', 'Shop'],
      ['color', 'red'],
    ]) {
      const { code, stderr } = await eds.run(['config', 'set', ...args], { env });
      expect([code, stderr]).toEqual([2, expect.stringContaining('Error:')]);
    }
  });

  it('removes a profile after a question, and ends its session on its own server', async () => {
    storeProfiles();
    storeSession(eds, server.url());
    server.on('/api/v1/auth/logout', (response) => response.writeHead(204).end());
    expect(await eds.run(['config', 'remove', 'default'], { env })).toMatchObject({ code: 2 });
    const declined = await eds.run(['config', 'remove', 'default'], { env, tty: ['stdin', 'stderr'], stdin: '\n' });
    expect([declined.code, declined.stderr]).toEqual([1, expect.stringContaining('Nothing was changed.')]);
    expect(server.requests).toEqual([]);
    expect(
      (await eds.run(['config', 'remove', 'default', '--yes'], { env: { EDS_API_URL: 'https://x.test' } })).code,
    ).toBe(0);
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/v1/auth/logout']);
    expect(stored()).toEqual({ current: 'default', profiles: { staging: { url: 'https://s.test' } } });
    expect(readFileSync(path.join(eds.folder, 'credentials.json'), 'utf8')).toBe('{}\n');
  });
});

describe('a question', () => {
  it.each([
    ['with 130 on Ctrl-C', 130, ({ child }: Running) => child.kill('SIGINT')],
    ['with no on Ctrl-D', 1, ({ child }: Running) => child.stdin?.end()],
    ['with yes', 0, ({ child }: Running) => child.stdin?.write('y\n')],
  ])('ends %s, and only yes changes something', async (_name, code, answer) => {
    storeProfiles();
    const running = eds.start(['config', 'remove', 'staging'], { env, tty: ['stdin', 'stderr'] });
    await running.waitFor('[y/N]');
    answer(running);
    expect((await running.ended).code).toBe(code);
    expect('staging' in stored().profiles).toBe(code !== 0);
  });
});
