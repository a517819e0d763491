import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyAccessToken } from '@/lib/auth/access-token';
import { expireSession, readSession } from '@/tests/cli/session-file';
import { signIn } from '@/tests/cli/sign-in';
import { useCli } from '@/tests/cli/use-cli';
import { registerMember, registerPerson } from '@/tests/fixtures/people';

const { projects, url, eds } = useCli();

const profile = () => JSON.parse(readFileSync(path.join(eds.folder, 'config.json'), 'utf8')).profiles.default;
const tokenOrganization = async () => (await verifyAccessToken(readSession(eds).accessToken, () => new Date())).org;

describe('eds orgs', () => {
  it('creates, lists and chooses organizations; the session moves with the choice and survives', async () => {
    const person = await registerPerson();
    await signIn(eds, url(), person);
    const created = await eds.run(['orgs', 'create', 'Second', '--json']);
    const { id } = JSON.parse(created.stdout);
    expect(await tokenOrganization()).toBe(person.organizationId);
    const listed = await eds.run(['orgs', 'list']);
    expect(listed.stdout).toMatch(new RegExp(`^${id}\\tSecond\\tOWNER\\t.+\\n${person.organizationId}\\t`));
    await eds.run(['projects', 'create', 'Old', '--use']);
    const used = await eds.run(['orgs', 'use', 'second']);
    expect([used.code, used.stderr]).toEqual([0, expect.stringContaining('Commands now use the organization Second.')]);
    expect([await tokenOrganization(), readSession(eds).organizationId]).toEqual([id, id]);
    // The project belonged to the other organization.
    expect(profile()).toEqual({ url: url(), organizationId: id });
    expect((await eds.run(['projects', 'list'])).stderr).toContain('No projects yet.');
    expireSession(eds);
    expect((await eds.run(['whoami'])).code).toBe(0);
    expect(await tokenOrganization()).toBe(id);
  });

  it('chooses with an access token that has expired', async () => {
    const person = await registerPerson();
    await signIn(eds, url(), person);
    expireSession(eds);
    expect((await eds.run(['orgs', 'create', 'Third', '--use'])).code).toBe(0);
    expect(await tokenOrganization()).toBe(profile().organizationId);
  });

  it('keeps the choice when an organization is not found, ambiguous, or of others', async () => {
    await signIn(eds, url(), await registerPerson());
    await eds.run(['orgs', 'create', 'Twin', '--use']);
    await eds.run(['orgs', 'create', 'Twin']);
    const before = [profile(), await tokenOrganization()];
    const foreign = await eds.run(['orgs', 'use', projects.foreign.owner.organizationId]);
    expect([foreign.code, foreign.stderr]).toEqual([3, expect.stringContaining('Request ID: ')]);
    expect((await eds.run(['orgs', 'use', 'Nothing'])).code).toBe(3);
    const twin = await eds.run(['orgs', 'use', 'Twin']);
    expect([twin.code, twin.stderr]).toEqual([2, expect.stringContaining('Several organizations are named “Twin”.')]);
    expect([profile(), await tokenOrganization()]).toEqual(before);
  });

  it('lists the members', async () => {
    const { owner } = projects.mine;
    const viewer = await registerMember(owner.organizationId, 'VIEWER');
    await signIn(eds, url(), owner);
    const { stdout } = await eds.run(['orgs', 'members', '--json']);
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({ email: viewer.email, role: 'VIEWER' }),
      expect.objectContaining({ email: owner.email, role: 'OWNER' }),
    ]);
    expect((await eds.run(['orgs', 'members', '--org', projects.foreign.owner.organizationId])).code).toBe(3);
    expect((await eds.run(['orgs', 'list'], { env: { EDS_API_KEY: projects.mine.key } })).code).toBe(5);
  });
});
