import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The part of a clone that scripts are bundled from. */
const SOURCES = ['components', 'e2e', 'lib', 'prisma', 'scripts', 'tests'];
const FILES = ['package.json', 'package-lock.json', 'prisma.config.ts', 'tsconfig.json'];

describe('a script in a clone without a build', () => {
  let root = '';

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'clone-'));
    const filter = (file: string) => path.basename(file) !== 'generated';
    for (const folder of SOURCES) fs.cpSync(folder, path.join(root, folder), { recursive: true, filter });
    for (const file of FILES) fs.copyFileSync(file, path.join(root, file));
    fs.symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
  });
  afterEach(() => fs.rmSync(root, { recursive: true }));

  it('is bundled with the Prisma client that it generates', () => {
    // Arguments with which the script ends before it starts anything.
    const args = ['scripts/demo.mjs', 'http://127.0.0.1:1'];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect(stderr).toMatch(/^Nothing listens at http:\/\/127\.0\.0\.1:1\./m);
    expect(stdout + stderr).toContain('Prisma client generated');
    expect(status).toBe(1);
  });
});
