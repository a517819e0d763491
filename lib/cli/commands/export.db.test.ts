import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { signIn } from '@/tests/cli/sign-in';
import { useCli } from '@/tests/cli/use-cli';

const { projects, url, eds } = useCli();

const file = () => path.join(eds.folder, 'export.json');

describe('eds export', () => {
  it('writes to a file that appears once it is complete, for its owner alone', async () => {
    await signIn(eds, url(), projects.mine.owner);
    const { code, stdout, stderr } = await eds.start(['export', '-o', 'export.json'], { tty: ['stderr'] }).ended;
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/Exported \d.*…[\s\S]*Exported \d.* to export.json\./);
    const { id } = projects.mine;
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toMatchObject({ projects: [{ id }] });
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(eds.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('writes to standard output, and only words elsewhere', async () => {
    await signIn(eds, url(), projects.mine.owner);
    const { code, stdout, stderr } = await eds.run(['export']);
    expect([code, stderr, JSON.parse(stdout).organization.id]).toEqual([0, '', projects.mine.owner.organizationId]);
  });

  it('replaces a file only with --force, and never what is not a file', async () => {
    await signIn(eds, url(), projects.mine.owner);
    writeFileSync(file(), 'precious');
    const refused = await eds.run(['export', '--output', file()]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('add --force to replace it')]);
    expect(readFileSync(file(), 'utf8')).toBe('precious');
    const forced = await eds.run(['export', '--output', file(), '--force', '--json']);
    expect([forced.code, JSON.parse(forced.stdout)]).toEqual([0, { file: file(), bytes: statSync(file()).size }]);
    symlinkSync('/dev/null', path.join(eds.folder, 'null'));
    for (const target of [eds.folder, 'null', path.join('missing', 'x')]) {
      expect((await eds.start(['export', '--output', target, '--force']).ended).code).toBe(1);
    }
  });
});
