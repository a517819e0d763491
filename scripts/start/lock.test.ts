import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock } from './lock.mjs';

const MODULE = pathToFileURL(path.resolve('scripts/start/lock.mjs')).href;
const HOLD = `
  const { acquireLock } = await import(process.argv[1]);
  const lock = await acquireLock(process.argv[2], () => 'the holder');
  console.log('release' in lock ? 'taken' : 'refused');
  setInterval(() => undefined, 1000);`;

describe('a lock', () => {
  let folder: string;
  let file: string;
  const children: ChildProcess[] = [];

  /** Starts another process that tries to take the lock and keeps running. */
  async function comer(): Promise<{ child: ChildProcess; outcome: string }> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', HOLD, MODULE, file]);
    children.push(child);
    const [chunk] = await once(child.stdout, 'data');
    return { child, outcome: String(chunk).trim() };
  }

  async function killAll(): Promise<void> {
    for (const child of children.splice(0)) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  }

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lock-'));
    file = path.join(folder, 'start.lock');
  });
  afterEach(async () => {
    await killAll();
    fs.rmSync(folder, { recursive: true });
  });

  it('is refused while another process holds it, and describes the holder', async () => {
    expect((await comer()).outcome).toBe('taken');
    expect(await acquireLock(file, () => 'me')).toEqual({ heldBy: 'the holder' });
  });

  it('is free after its release', async () => {
    const first = await acquireLock(file, () => 'me');
    if ('release' in first) first.release();
    expect(await acquireLock(file, () => 'me')).toMatchObject({ afterCrash: false });
  });

  it('is free after its holder was killed, and reports that', async () => {
    await comer();
    await killAll();
    expect(await acquireLock(file, () => 'me')).toMatchObject({ afterCrash: true });
  });

  it('goes to exactly one of several processes that find the holder dead', async () => {
    await comer();
    await killAll();
    const outcomes = await Promise.all(Array.from({ length: 4 }, comer));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['refused', 'refused', 'refused', 'taken']);
  });

  it('works with a path that is too long for a socket', async () => {
    const deep = path.join(folder, 'd'.repeat(100));
    fs.mkdirSync(deep);
    const first = await acquireLock(path.join(deep, 'start.lock'), () => 'the first');
    expect(await acquireLock(path.join(deep, 'start.lock'), () => 'me')).toEqual({ heldBy: 'the first' });
    if ('release' in first) first.release();
  });
});
