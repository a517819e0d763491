import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import type { RunOptions } from '@/tests/cli/eds';
import { signIn } from '@/tests/cli/sign-in';
import { useCli } from '@/tests/cli/use-cli';
import { makeKey } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

const { projects, url, eds } = useCli();
const KEY = /^eds_\w+$/;
const terminal: RunOptions = { tty: ['stdout', 'stderr'], env: { NO_COLOR: '1' } };

const statusOf = async (apiKey: string) => (await call('GET', '/api/v1/key', { apiKey })).status;

describe('eds keys', () => {
  beforeEach(() => signIn(eds, url(), projects.mine.owner));

  it('creates a key that works, which a pipe gets alone and a terminal with the word that it is shown once', async () => {
    const piped = await eds.run(['keys', 'create', 'piped', '--scope', 'read-only']);
    expect([piped.code, piped.stdout.trim()]).toEqual([0, expect.stringMatching(KEY)]);
    expect(await statusOf(piped.stdout.trim())).toBe(200);
    const shown = await eds.run(['keys', 'create', 'shown', '--expires-in', '30d'], terminal);
    expect(shown.stdout).toMatch(/^KEY +eds_\w+$/m);
    expect(shown.stdout).toMatch(/^SCOPE +READ_WRITE$/m);
    expect(shown.stdout).toMatch(/^EXPIRES +\S+Z \(in (29|30)d\)$/m);
    expect(shown.stderr).toContain('Store the key now.');
    const json = JSON.parse((await eds.run(['keys', 'create', 'json', '--expires-at', '2099-01-31', '--json'])).stdout);
    expect(json).toMatchObject({ key: expect.stringMatching(KEY), expiresAt: '2099-01-31T23:59:59.999Z' });
  });

  it('lists keys without their plaintext, as a table, as lines, and as JSON', async () => {
    const table = await eds.run(['keys', 'list'], { ...terminal, columns: 120 });
    expect(table.stdout).toMatch(/^ID +NAME +STATUS +SCOPE +HINT +LAST USED +EXPIRES/m);
    expect(table.stdout).toMatch(new RegExp(`^${projects.mine.keyId} +server +ACTIVE +READ_WRITE `, 'm'));
    const lines = await eds.run(['keys', 'list', '--limit', '1']);
    expect(lines.stdout).toMatch(/^[\w-]{36}\t[^\t]+\tACTIVE\t/);
    expect(lines.stderr).toContain('Only the first 1 are shown.');
    const json = await eds.run(['keys', 'list', '--json', '--all']);
    expect(JSON.parse(json.stdout)).toContainEqual(expect.objectContaining({ id: projects.mine.keyId }));
    expect(table.stdout + lines.stdout + json.stdout).not.toContain(projects.mine.key);
  });

  it('rotates a key with a grace period, or at once after a confirmation', async () => {
    const { id, key } = await makeKey(projects.mine.id, projects.mine.owner, { name: 'rotated' });
    const rotated = await eds.run(['keys', 'rotate', id, '--grace-period', '2d']);
    expect(rotated.stdout.trim()).toMatch(KEY);
    expect(rotated.stderr).toMatch(/The old key works until \S+Z \(in (1|2)d\)\./);
    expect([await statusOf(key), await statusOf(rotated.stdout.trim())]).toEqual([200, 200]);
    const leaked = await makeKey(projects.mine.id, projects.mine.owner, { name: 'leaked' });
    const atOnce = ['keys', 'rotate', leaked.id, '--grace-period', '0h'];
    expect((await eds.run(atOnce)).code).toBe(2);
    expect(await statusOf(leaked.key)).toBe(200);
    const confirmed = await eds.run([...atOnce, '--yes']);
    expect(confirmed.stderr).toContain('The old key has stopped working.');
    expect([await statusOf(leaked.key), await statusOf(confirmed.stdout.trim())]).toEqual([401, 200]);
    const again = await eds.run([...atOnce, '--yes', '--json']);
    expect([again.code, JSON.parse(again.stderr).error.code]).toEqual([1, 'key_already_rotated']);
  });

  it('revokes a key after a confirmation, and says so when it was revoked before', async () => {
    const { id, key } = await makeKey(projects.mine.id, projects.mine.owner, { name: 'old' });
    const refused = await eds.run(['keys', 'revoke', id]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Add --yes.')]);
    const declined = await eds.run(['keys', 'revoke', id], { tty: ['stdin', 'stderr'], stdin: 'n\n' });
    expect([declined.code, await statusOf(key)]).toEqual([1, 200]);
    const revoked = await eds.run(['keys', 'revoke', id], { tty: ['stdin', 'stderr'], stdin: 'y\n' });
    expect([revoked.code, revoked.stderr]).toEqual([0, expect.stringContaining('Revoked the key “old”')]);
    expect(await statusOf(key)).toBe(401);
    await eds.run(['keys', 'create', 'brief', '--expires-in', '30d']);
    const rows = (await eds.run(['keys', 'list'])).stdout.split('\n');
    expect(rows.find((row) => row.includes('\tbrief\t'))).toMatch(/\tACTIVE\t.*\t\S+Z$/);
    const brief = rows.find((row) => row.includes('\tbrief\t'))?.split('\t')[0] ?? '';
    await eds.run(['keys', 'revoke', brief, '--yes']);
    const listed = (await eds.run(['keys', 'list'])).stdout.split('\n').find((row) => row.startsWith(brief));
    expect(listed).toMatch(/\tREVOKED\t.*\t$/);
    const again = await eds.run(['keys', 'revoke', id, '--json']);
    expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { id, revoked: true }]);
  });

  it('exits with 2 for wrong options, 3 for an unknown key, and 5 for a key in place of a person', async () => {
    const both = ['keys', 'create', 'x', '--expires-in', '1d', '--expires-at', '2099-01-01'];
    expect((await eds.run(both)).code).toBe(2);
    expect((await eds.run(['keys', 'rotate', newId(), '--grace-period', '90m'])).code).toBe(2);
    expect((await eds.run(['keys', 'revoke', newId(), '--yes'])).code).toBe(3);
    const asKey = await eds.run(['keys', 'list'], { env: { EDS_API_KEY: projects.mine.key } });
    expect([asKey.code, asKey.stderr]).toEqual([5, expect.stringContaining('eds login')]);
  });
});
