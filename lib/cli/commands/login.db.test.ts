import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { useCli } from '@/tests/cli/use-cli';
import { call } from '@/tests/http/api-request';

const { projects, url, eds } = useCli();

const decide = (verb: 'approve' | 'deny', userCode: string) =>
  call('POST', `/api/v1/auth/device/${verb}`, { bearer: projects.mine.owner.accessToken, body: { userCode } });

describe('eds login', () => {
  it('shows the URL and the code first, and signs in once a person approves the code', async () => {
    const running = eds.start(['login', '--no-browser']);
    const [, uri, userCode = ''] = await running.waitFor(/Open (\S+\/device) and enter the code ([A-Z]{4}-[A-Z]{4})/);
    expect(uri).toMatch(/^https?:/);
    expect((await decide('approve', userCode)).status).toBe(204);
    const { code, stderr, stdout } = await running.ended;
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain(`Signed in to ${url()} as ${projects.mine.owner.email}`);
    const who = await eds.run(['whoami', '--json']);
    expect(JSON.parse(who.stdout)).toMatchObject({ user: { email: projects.mine.owner.email } });
    const file = path.join(eds.folder, 'credentials.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain('refreshToken');
  });

  it('exits with 4 and stores nothing when the person denies the code', async () => {
    const running = eds.start(['login', '--no-browser', '--json']);
    const [userCode] = await running.waitFor(/[A-Z]{4}-[A-Z]{4}/);
    await decide('deny', userCode);
    const { code, stderr } = await running.ended;
    expect(code).toBe(4);
    const error = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
    expect(error).toMatchObject({ error: { code: 'access_denied', exitCode: 4, next: 'eds login' } });
    expect((await eds.run(['whoami'])).code).toBe(4);
  });

  it('stores the API key of standard input, and refuses one that does not work', async () => {
    const { code, stderr } = await eds.run(['login', '--with-api-key'], { stdin: `${projects.mine.key}\n` });
    expect([code, stderr]).toEqual([0, expect.stringContaining('Stored the key “server”')]);
    expect(JSON.parse((await eds.run(['whoami', '--json'])).stdout)).toMatchObject({
      apiKey: { project: { id: projects.mine.id } },
    });
    const wrong = await eds.run(['login', '--with-api-key'], { stdin: 'eds_wrong' });
    expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringContaining('Request ID: ')]);
  });
});
