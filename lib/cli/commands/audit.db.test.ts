import { describe, expect, it } from 'vitest';
import { expireSession } from '@/tests/cli/session-file';
import { signIn } from '@/tests/cli/sign-in';
import { useCli } from '@/tests/cli/use-cli';
import { makeProject } from '@/tests/fixtures/people';

const { projects, url, eds } = useCli();

describe('eds audit', () => {
  it('lists the log with the filters of the API, as a table, as lines and as JSON, with and without `list`', async () => {
    const { owner } = projects.mine;
    await signIn(eds, url(), owner);
    const all = JSON.parse((await eds.run(['audit', '--all', '--json'])).stdout) as { action: string }[];
    expect(all.map(({ action }) => action)).toEqual(expect.arrayContaining(['project.created', 'api_key.created']));
    const filter = ['--action', 'project.created', '--actor', owner.userId, '--from', '1h'];
    const lines = await eds.run(['audit', 'list', ...filter]);
    const target = `project ${projects.mine.id}`;
    expect(lines.stdout).toMatch(new RegExp(`^\\S+Z\\tproject.created\\t${owner.email}\\t${target}\\t203.0.113.7\\n$`));
    const table = await eds.run(['audit', ...filter], { tty: ['stdout'], env: { NO_COLOR: '1' }, columns: 200 });
    expect(table.stdout).toMatch(/^TIME +ACTION +ACTOR +TARGET +ADDRESS\n\S+( ago)? +project\.created +/);
    expect((await eds.run(['audit', '--to', '2020-01-01'])).stderr).toContain('No entries match.');
    for (const wrong of [
      ['--action', 'nothing'],
      ['--follow', '--all'],
      ['-f', '--to', '1h'],
      ['-f', '-n', '3'],
    ]) {
      expect((await eds.run(['audit', ...wrong])).code, wrong.join(' ')).toBe(2);
    }
  });

  it('shows new entries as they are added, each once, as NDJSON with --json, until Ctrl-C', async () => {
    const { owner } = projects.mine;
    await signIn(eds, url(), owner);
    const running = eds.start(['audit', '--follow', '--from', '1h', '--json', '--action', 'project.created']);
    await running.waitFor(projects.mine.id);
    const made = [await makeProject(owner), await makeProject(owner)];
    for (const { id } of made) await running.waitFor(id);
    expireSession(eds);
    const third = await makeProject(owner);
    await running.waitFor(third.id);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    const lines = running.stdout.trim().split('\n');
    const targets = lines.map((line) => JSON.parse(line).target.id);
    expect(targets).toEqual([projects.mine.id, ...made.map(({ id }) => id), third.id]);
  });

  it('follows as text, beginning with what is added from now on', async () => {
    const { owner } = projects.mine;
    await signIn(eds, url(), owner);
    const running = eds.start(['audit', '-f', '--action', 'project.created'], {
      tty: ['stdout', 'stderr'],
      env: { NO_COLOR: '1' },
    });
    await running.waitFor('Waiting for changes. Press Ctrl-C to stop.');
    const { id } = await makeProject(owner);
    await running.waitFor(id);
    running.child.kill('SIGINT');
    const { stdout } = await running.ended;
    expect(stdout).toMatch(
      new RegExp(`^\\S+Z  project\\.created  ${owner.email}  project ${id}  203\\.0\\.113\\.7\\n$`),
    );
  });
});
