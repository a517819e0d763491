import { describe, expect, it } from 'vitest';
import type { RunOptions } from '@/tests/cli/eds';
import { signIn } from '@/tests/cli/sign-in';
import { useCli } from '@/tests/cli/use-cli';
import { ADMIN_TOKEN } from '@/tests/fixtures/operator';
import { registerPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';

const { projects, url, eds } = useCli({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN, AUTH_LOCKOUT_THRESHOLD: '1' });

const env = { EDS_ADMIN_TOKEN: ADMIN_TOKEN, NO_COLOR: '1' };
const admin = (...args: string[]) => eds.run(['admin', ...args], { env });
const terminal: RunOptions = { env, tty: ['stdout', 'stderr'], columns: 160 };
const json = async (...args: string[]) => JSON.parse((await admin(...args, '--json')).stdout);

describe('eds admin', () => {
  it('needs the operator token, which no session replaces', async () => {
    await signIn(eds, url(), projects.mine.owner);
    const without = await eds.run(['admin', 'stats']);
    expect([without.code, without.stderr]).toEqual([4, expect.stringContaining('Set EDS_ADMIN_TOKEN')]);
    const wrong = await eds.run(['admin', 'stats'], { env: { EDS_ADMIN_TOKEN: 'wrong' } });
    expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringContaining('Check EDS_ADMIN_TOKEN.')]);
    expect((await admin('stats')).code).toBe(0);
  });

  it('lists, shows and deletes organizations, the last after a confirmation', async () => {
    const { organizationId: id, email } = await registerPerson({ organizationName: 'Condemned' });
    const find = ['orgs', 'list', '--name', 'condem'];
    expect((await admin(...find)).stdout).toMatch(new RegExp(`^${id}\\tCondemned\\t1\\t0\\t\\S+Z\\t\\n$`));
    const table = await eds.run(['admin', ...find], terminal);
    expect(table.stdout).toMatch(
      /^ID +NAME +MEMBERS +PROJECTS +CREATED +DELETED\n\S+ +Condemned +1 +0 +\S+( ago)? +-\n$/,
    );
    expect(await json(...find)).toEqual([expect.objectContaining({ id, memberCount: 1 })]);
    expect((await admin('orgs', 'get', id)).stdout).toContain(`members\t${email} (OWNER)`);
    expect(await json('orgs', 'get', id)).toMatchObject({ id, members: [{ email }] });
    const refused = await admin('orgs', 'delete', id);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('organization Condemned with all its')]);
    expect((await admin('orgs', 'get', id)).code).toBe(0);
    expect(await json('orgs', 'delete', id, '--yes')).toEqual({ id, deleted: true });
    expect((await admin('orgs', 'delete', id, '--yes')).code).toBe(3);
    expect((await admin(...find)).stderr).toContain('No organizations match.');
  });

  it('finds, unlocks and signs out people, the last after a confirmation', async () => {
    const person = await registerPerson();
    await call('POST', '/api/v1/auth/login', { body: { email: person.email, password: 'a wrong password' } });
    const search = async () => (await json('users', 'search', '--email', person.email))[0];
    const isLocked = { id: person.userId, openSessions: 1, lockout: { lockedUntil: expect.any(String) } };
    expect(await search()).toMatchObject(isLocked);
    const table = await eds.run(['admin', 'users', 'search', '--email', person.email], terminal);
    expect(table.stdout).toMatch(/^ID +EMAIL +NAME +ORGANIZATIONS +SESSIONS +LOCKED UNTIL\n.* +1 +in \d+[ms]\n$/);
    expect((await admin('users', 'unlock', person.userId)).stderr).toContain('The person can sign in again.');
    expect((await admin('users', 'close-sessions', person.userId)).code).toBe(2);
    expect(await search()).toMatchObject({ openSessions: 1, lockout: null });
    const closed = await json('users', 'close-sessions', person.userId, '--yes');
    expect(closed).toEqual({ id: person.userId, closed: true });
    expect(await search()).toMatchObject({ openSessions: 0 });
    expect((await admin('users', 'unlock', projects.mine.id)).code).toBe(3);
  });

  it('reads the log of all organizations, or of one', async () => {
    const of = projects.foreign.owner.organizationId;
    expect(await json('audit', '--action', 'project.created', '--organization', of)).toEqual([
      expect.objectContaining({ organizationId: of }),
    ]);
    const all = await admin('audit', '--action', 'project.created');
    expect(all.stdout.trim().split('\n').length).toBeGreaterThan(1);
    expect((await admin('audit', '--action', 'nothing')).code).toBe(2);
  });

  it('shows figures and the schedule of retention, and runs its jobs', async () => {
    const stats = await eds.run(['admin', 'stats'], terminal);
    expect(stats.stdout).toMatch(/^ORGANIZATIONS +\d+\nPEOPLE +\d+\n[\s\S]*DATABASE +\d+\.\d MiB\n$/);
    expect(await json('stats')).toMatchObject({
      users: expect.any(Number),
      database: { sizeBytes: expect.any(Number) },
    });
    const shown = await eds.run(['admin', 'retention', 'show'], terminal);
    expect(shown.stdout).toMatch(/^JOB +SCHEDULE +NEXT RUN\n[\s\S]*^cap +\S.*$/m);
    const ran = await json('retention', 'run', 'metrics');
    expect(ran).toEqual({ job: 'metrics', started: true });
    expect((await json('retention', 'show')).lastRuns).toEqual([
      expect.objectContaining({ job: 'metrics', error: null }),
    ]);
    const unknown = await admin('retention', 'run', 'everything');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('It must be one of main, cap')]);
  });
});
