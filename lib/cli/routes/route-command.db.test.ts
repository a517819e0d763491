import { beforeEach, describe, expect, it } from 'vitest';
import type { Invitation } from '@/lib/orgs/schema';
import { signIn } from '@/tests/cli/sign-in';
import { TERMINAL, useCli } from '@/tests/cli/use-cli';
import { freshEmail, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';

const { projects, url, eds } = useCli();
const run = (...args: string[]) => eds.run(args, { env: { NO_COLOR: '1' } });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

let person: TestPerson;
beforeEach(async () => {
  person = await registerPerson({ name: 'Ada' });
  await signIn(eds, url(), person);
});

describe('a command that is made from its route', () => {
  it('creates with required fields, lists as a table, as lines and as JSON, and shows a link alone', async () => {
    const email = freshEmail();
    const created = await run('invitations', 'create', '--email', email, '--role', 'viewer');
    expect([created.code, created.stderr]).toEqual([0, expect.stringMatching(/^✓ Created the invitation \S+\.\n$/)]);
    expect(created.stdout).toContain(`email\t${email}\nrole\tVIEWER\ninvited by id\t${person.userId}\n`);
    const [listed] = (await json('invitations', 'list')) as Invitation[];
    expect(listed).toMatchObject({ email, role: 'VIEWER' });
    const table = await eds.run(['invitations', 'list'], { ...TERMINAL, env: { NO_COLOR: '1' } });
    expect(table.stdout).toMatch(/^ID +EMAIL +ROLE +CREATED +EXPIRES\n/);
    const lines = (await run('invitations', 'list')).stdout;
    expect(lines).toBe(`${[listed?.id, email, 'VIEWER', listed?.createdAt, listed?.expiresAt].join('\t')}\n`);
    const link = await run('invitations', 'create-link', listed?.id ?? '');
    expect(link.stdout).toMatch(/^http\S+token=\S+\n$/);
    const missing = await run('invitations', 'create', '--email', freshEmail());
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('Give --role.')]);
  });

  it('changes a field, clears it with --no-…, and needs something to change', async () => {
    expect(await json('account', 'update', '--name', 'Grace')).toMatchObject({ user: { name: 'Grace' } });
    expect(await json('account', 'update', '--time-zone', 'utc')).toMatchObject({
      user: { name: 'Grace', timeZone: 'UTC' },
    });
    expect(await json('account', 'update', '--no-name')).toMatchObject({ user: { name: null } });
    expect((await run('account', 'update')).code).toBe(2);
  });

  it('deletes after a confirmation, and only what it names', async () => {
    const { userId } = await registerMember(person.organizationId, 'VIEWER');
    const asked = await run('members', 'delete', userId);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining(`Delete the member ${userId}?`)]);
    expect(await json('members', 'list')).toHaveLength(2);
    expect(await json('members', 'delete', userId, '--yes')).toEqual({ id: userId, deleted: true });
    expect(await json('members', 'list')).toHaveLength(1);
    expect((await run('members', 'delete', userId, '--yes')).code).toBe(3);
  });

  it('is about the current project or organization unless an argument names another', async () => {
    await run('projects', 'create', 'Here', '--use');
    await run('projects', 'create', 'There');
    expect(await json('projects', 'get')).toMatchObject({ name: 'Here' });
    expect(await json('projects', 'get', '--project', 'There')).toMatchObject({ name: 'There' });
    expect(await json('projects', 'get', 'here', '--project', 'There')).toMatchObject({ name: 'Here' });
    expect(await json('projects', 'update', 'there', '--name', 'Elsewhere')).toMatchObject({ name: 'Elsewhere' });
    expect((await run('projects', 'limits')).stdout).toMatch(/^endpoints\t0\t\d+$/m);
    expect((await run('orgs', 'delete')).code).toBe(2);
    const refused = await run('orgs', 'delete', person.organizationId);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('with all its data?')]);
  });

  it('exits with 5 for a role that may not, and with 3 for what belongs to others', async () => {
    const viewer = await registerMember(person.organizationId, 'VIEWER');
    const { id } = (await json('invitations', 'create', '--email', freshEmail(), '--role', 'admin')) as Invitation;
    await signIn(eds, url(), viewer);
    const of = ['--org', person.organizationId];
    expect((await run('invitations', 'revoke', id, '--yes', ...of)).code).toBe(5);
    expect((await run('orgs', 'get', projects.foreign.owner.organizationId)).code).toBe(3);
  });

  it('shows the objects of an answer as fields, and its lists as tables', async () => {
    await run('projects', 'create', 'Here', '--use');
    const { stdout } = await eds.run(['stats', 'get'], { ...TERMINAL, env: { NO_COLOR: '1' } });
    expect(stdout).toMatch(/^TOTALS ATTEMPTS SUCCEEDED +0$/m);
    expect(stdout).toMatch(/^BUCKETS\nEVENTS +STARTS\n/m);
  });

  it('erases the account after a confirmation', async () => {
    const asked = await run('account', 'delete');
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining(`Erase the account ${person.email}`)]);
    expect((await run('whoami')).code).toBe(0);
    expect((await run('account', 'delete', '--yes')).code).toBe(0);
    expect((await run('whoami')).code).toBe(4);
  });
});

describe('eds search', () => {
  it('finds a text with and without the word find, and needs a text', async () => {
    const found = await json('search', 'find', 'nothing has this');
    expect(await json('search', 'nothing has this')).toEqual(found);
    expect((await run('search')).code).toBe(2);
  });
});
