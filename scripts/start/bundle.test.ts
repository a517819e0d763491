import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('the bundle of an entry', () => {
  let root = '';

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'tree-'));
    for (const folder of ['.build', 'scripts/start']) fs.mkdirSync(path.join(root, folder), { recursive: true });
    fs.copyFileSync('scripts/start/bundle.mjs', path.join(root, 'scripts/start/bundle.mjs'));
    fs.symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
    fs.writeFileSync(path.join(root, 'scripts/start/main.ts'), `export const from: string = 'its source';`);
    fs.writeFileSync(path.join(root, '.build/start-main.mjs'), `export const from = 'what was built';`);
  });

  afterEach(() => fs.rmSync(root, { recursive: true }));

  /** Runs in a separate process in the folder. The tests may run as root, which ignores file permissions. */
  async function importThere({ isReadOnly = false } = {}): Promise<string> {
    const refuse = `fs.accessSync = () => { throw new Error('EROFS: read-only file system'); };`;
    const script = `import fs from 'node:fs';
      import { importEntry } from './scripts/start/bundle.mjs';
      ${isReadOnly ? refuse : ''}
      process.stdout.write((await importEntry('scripts/start/main.ts')).from);`;
    const options = { cwd: root };
    return (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], options)).stdout;
  }

  it('is built from the source in a writable tree, and is removed afterwards', async () => {
    expect(await importThere()).toBe('its source');
    expect(fs.readdirSync(path.join(root, '.build'))).toEqual(['start-main.mjs']);
  });

  it('is the one of the last build in a read-only tree, such as a container that runs as another user', async () => {
    expect(await importThere({ isReadOnly: true })).toBe('what was built');
  });
});
