import { describe, expect, it } from 'vitest';
import { signIn } from '@/tests/cli/sign-in';
import { useCli } from '@/tests/cli/use-cli';
import { registerPerson } from '@/tests/fixtures/people';

const { projects, url, eds } = useCli();

describe('eds projects', () => {
  it('creates, lists, chooses and deletes projects', async () => {
    await signIn(eds, url(), await registerPerson());
    expect((await eds.run(['projects', 'list'])).stderr).toContain('Create one: eds projects create <name>');
    const made = await eds.run(['projects', 'create', 'My shop', '--use', '--json']);
    const { id } = JSON.parse(made.stdout);
    await eds.run(['projects', 'create', 'Other']);
    expect((await eds.run(['config', 'show'])).stdout).toContain(`project\t${id}`);
    const table = await eds.run(['projects', 'list'], { tty: ['stdout'], env: { NO_COLOR: '1' } });
    expect(table.stdout).toMatch(/^ID +NAME +CREATED\n.+Other +(now|\d+[sm] ago)\n.+My shop/);
    const first = await eds.run(['projects', 'list', '--limit', '1']);
    expect([first.stdout.split('\n').length, first.stderr]).toEqual([2, expect.stringContaining('Only the first 1')]);
    expect((await eds.run(['projects', 'use', 'other'])).stderr).toContain('Commands now use the project Other.');
    expect((await eds.run(['projects', 'delete', 'Other'])).code).toBe(2);
    expect((await eds.run(['projects', 'delete', 'Other', '--yes'])).code).toBe(0);
    // The deleted project was the one in use.
    expect((await eds.run(['config', 'show', '--json'])).stdout).not.toContain('projectId');
    expect((await eds.run(['projects', 'list', '--json'])).stdout).toContain(id);
  });

  it('does not take the project of the profile for one of another organization', async () => {
    const person = await registerPerson();
    await signIn(eds, url(), person);
    await eds.run(['projects', 'create', 'Here', '--use']);
    await eds.run(['orgs', 'create', 'There']);
    const { code, stderr } = await eds.run(['open', '--org', 'There']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('You have no project yet.')]);
    expect((await eds.run(['open'])).code).toBe(0);
  });

  it('exits with 3 for a project of others and for an unknown name', async () => {
    await signIn(eds, url(), projects.mine.owner);
    for (const name of [projects.foreign.id, 'Nothing'])
      expect((await eds.run(['projects', 'use', name])).code).toBe(3);
  });
});
