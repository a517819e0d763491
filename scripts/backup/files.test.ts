import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseUnfinishedRestore } from '@/scripts/start/data-dir';
import { publishFile } from './back-up';
import { parseFile } from './command';
import { clearInterrupted, requireEmpty } from './restore';

const RESTORED = ['secrets.json', 'postgres.json', 'postgres'];
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'backup-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const write = (...names: string[]) => {
  for (const name of names) fs.writeFileSync(path.join(folder, name), name);
};

describe('the folder of a restore', () => {
  it('may be missing, empty, or have the lock of an earlier start', () => {
    expect(() => requireEmpty(path.join(folder, 'missing'), RESTORED)).not.toThrow();
    write('start.lock.3');
    expect(() => requireEmpty(folder, RESTORED)).not.toThrow();
  });

  it.each(['postgres', 'secrets.json', 'mail', 'notes.txt'])('is refused when it has %s', (name) => {
    write(name);
    expect(() => requireEmpty(folder, RESTORED)).toThrow(`is not empty (${name})`);
  });

  it('is refused by a start after an interrupted restore, and empty again when that is cleared', async () => {
    fs.mkdirSync(path.join(folder, 'restoring'));
    write('start.lock.1', 'secrets.json', 'postgres.json');
    expect(() => refuseUnfinishedRestore(folder)).toThrow('did not finish: repeat npm run restore');
    expect(() => requireEmpty(folder, RESTORED)).not.toThrow();
    await clearInterrupted(folder, RESTORED);
    expect(fs.readdirSync(folder)).toEqual(['start.lock.1']);
    expect(() => refuseUnfinishedRestore(folder)).not.toThrow();
  });

  it('keeps files of others beside an interrupted restore', () => {
    fs.mkdirSync(path.join(folder, 'restoring'));
    write('notes.txt');
    expect(() => requireEmpty(folder, RESTORED)).toThrow('is not empty (notes.txt)');
  });

  it('is left alone when no restore was interrupted', async () => {
    write('secrets.json');
    await clearInterrupted(folder, RESTORED);
    expect(fs.readdirSync(folder)).toEqual(['secrets.json']);
  });
});

describe('the file of a backup', () => {
  it('gets its name when it is complete', () => {
    write('new.unfinished');
    publishFile(path.join(folder, 'new.unfinished'), path.join(folder, 'new'));
    expect(fs.readdirSync(folder)).toEqual(['new']);
  });

  it('never replaces a file that got the name meanwhile', () => {
    write('new.unfinished', 'new');
    expect(() => publishFile(path.join(folder, 'new.unfinished'), path.join(folder, 'new'))).toThrow(
      'exists: name a new file',
    );
    expect(fs.readFileSync(path.join(folder, 'new'), 'utf8')).toBe('new');
  });

  it('is relative to where npm was called', () => {
    expect(parseFile('backup', ['a.backup'], { INIT_CWD: '/home/ada' } as never)).toBe('/home/ada/a.backup');
    expect(parseFile('backup', ['/b/a.backup'], { INIT_CWD: '/home/ada' } as never)).toBe('/b/a.backup');
  });

  it.each([[[]], [['a', 'b']], [['--help']]])('must be the only argument: %j', (args: string[]) => {
    expect(() => parseFile('restore', args, {} as never)).toThrow('Name one file: npm run restore -- FILE');
  });
});
