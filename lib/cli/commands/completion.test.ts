import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { useEds } from '@/tests/cli/eds';

const eds = useEds(() => 'http://127.0.0.1:9');
const hasShell = (shell: string) => spawnSync(shell, ['--version']).status === 0;

/** Runs a script in a shell that finds `eds`. @returns what it writes, and its faults */
function runIn(shell: string, args: string[]): string {
  const bin = path.join(eds.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const program = path.join(bin, 'eds');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${eds.bundle}' "$@"\n`);
  chmodSync(program, 0o755);
  const env = {
    NODE_ENV: 'production' as const,
    PATH: `${bin}:${process.env.PATH}`,
    HOME: eds.folder,
    EDS_CONFIG_DIR: eds.folder,
  };
  const { stdout, stderr, error } = spawnSync(shell, args, { env, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return stdout + stderr;
}

const scriptFor = async (shell: string) => (await eds.run(['completion', shell])).stdout;
const storeProfile = () => writeFileSync(path.join(eds.folder, 'config.json'), '{"profiles": {"staging": {}}}');

/** Checks of the shells that a machine may lack: there are tests for those that it has. */
const OTHER_SHELLS: Record<string, () => Promise<void>> = {
  async zsh() {
    const file = path.join(eds.folder, '_eds');
    writeFileSync(file, await scriptFor('zsh'));
    expect(runIn('zsh', ['-n', file])).toBe('');
    // Outside the line editor there is nobody to show the candidates to.
    const stubs = `compdef() { }; _describe() { print -l -- "\${(P@)2}" }; _files() { print files }`;
    const ask = (...words: string[]) =>
      runIn('zsh', ['-f', '-c', `${stubs}; source ${file}; words=(${words.join(' ')}); CURRENT=${words.length}; _eds`]);
    expect(ask('eds', 'proj')).toBe('projects:Create, switch and delete projects.\n');
    expect(ask('eds', 'open', 'deli')).toBe('deliveries\n');
    expect(ask('eds', 'export', '--output', "''")).toBe('files\n');
  },
  async fish() {
    storeProfile();
    const file = path.join(eds.folder, 'eds.fish');
    writeFileSync(file, await scriptFor('fish'));
    const ask = (line: string) => runIn('fish', ['--no-config', '-c', `source ${file}; complete -C'${line}'`]);
    expect(ask('eds proj')).toBe('projects\tCreate, switch and delete projects.\n');
    expect(ask('eds open deli')).toBe('deliveries\n');
    expect(ask('eds --profile st')).toBe('staging\n');
  },
};

describe('the completion of a shell', () => {
  it('completes in bash: commands, choices, profiles and values after an equals sign', async () => {
    storeProfile();
    const probes = [
      ['eds', 'pro'],
      ['eds', 'open', 'de'],
      ['eds', '--profile', '=', 's'],
      ['eds', 'config', 'set', ''],
      ['eds', 'admin', 'orgs', 'd'],
      ['eds', 'keys', 'create', '--scope', ''],
    ];
    const asked = probes.map((words) => {
      const list = words.map((word) => `'${word}'`).join(' ');
      return `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _eds eds; echo "\${COMPREPLY[*]}"`;
    });
    const script = [await scriptFor('bash'), ...asked].join('\n');
    expect(runIn('bash', ['--norc', '-c', script]).split('\n')).toEqual([
      ...['projects', 'deliveries', 'staging', 'url org project', 'delete', 'READ_WRITE READ_ONLY', ''],
    ]);
  });

  it.each(Object.entries(OTHER_SHELLS).filter(([shell]) => hasShell(shell)))('completes in %s', (_, check) => check());

  it('is a script as text and as JSON, for bash, zsh and fish only', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout } = await eds.run(['completion', shell, '--json']);
      expect(JSON.parse(stdout)).toEqual({ shell, script: (await scriptFor(shell)).replace(/\n$/, '') });
    }
    const { code, stderr } = await eds.run(['completion', 'tcsh']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('It must be one of bash, zsh, fish.')]);
  });

  it('never disturbs the shell: a damaged configuration and unknown words complete to nothing', async () => {
    writeFileSync(path.join(eds.folder, 'config.json'), 'damaged');
    for (const words of [['--profile', ''], ['nothing', ''], []]) {
      expect(await eds.run(['__complete', ...words])).toMatchObject({ code: 0, stderr: '' });
    }
    expect((await eds.run(['__complete', 'nothing', ''])).stdout).toBe('');
  });
});
