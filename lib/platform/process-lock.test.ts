import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { acquireLock } from './process-lock.mjs';

const MODULE = pathToFileURL(path.resolve('lib/platform/process-lock.mjs')).href;
const HOLD = `
  const { acquireLock } = await import(process.argv[1]);
  const lock = await acquireLock(process.argv[2], () => 'the holder');
  console.log('release' in lock ? 'taken' : 'refused');
  setInterval(() => undefined, 1000);`;

const HOLD_ALL = `
  const { acquireLock } = await import(process.argv[1]);
  for (const file of process.argv.slice(2)) await acquireLock(file, () => 'the holder');
  console.log('ready');
  setInterval(() => undefined, 1000);`;

/** Tries to take each lock at an instant that the processes agree on through the clock. */
const RACE = `
  const { acquireLock } = await import(process.argv[1]);
  const outcomes = [];
  const start = Math.ceil(Date.now() / 2000 + 0.5) * 2000;
  for (const [round, file] of process.argv.slice(2).entries()) {
    while (Date.now() < start + round * 50) await new Promise((resolve) => setImmediate(resolve));
    const lock = await acquireLock(file, () => 'a racer');
    outcomes.push('release' in lock ? 'taken' : 'refused');
  }
  console.log(outcomes.join(' '));
  setInterval(() => undefined, 1000);`;

describe('a lock', () => {
  let folder: string;
  let file: string;
  const children: ChildProcess[] = [];

  /** Starts a process that keeps running; resolves with its first line. */
  async function run(program: string, files: string[]): Promise<string> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, MODULE, ...files]);
    children.push(child);
    const [chunk] = await once(child.stdout, 'data');
    return String(chunk).trim();
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
    vi.unstubAllEnvs();
    await killAll();
    fs.rmSync(folder, { recursive: true });
  });

  it('is refused while another process holds it, and describes the holder', async () => {
    expect(await run(HOLD, [file])).toBe('taken');
    expect(await acquireLock(file, () => 'me')).toEqual({ heldBy: 'the holder' });
  });

  it('is free after its release', async () => {
    const first = await acquireLock(file, () => 'me');
    if ('release' in first) first.release();
    expect(await acquireLock(file, () => 'me')).toMatchObject({ afterCrash: false });
  });

  it('is free after its holder was killed, and reports that', async () => {
    await run(HOLD, [file]);
    await killAll();
    expect(await acquireLock(file, () => 'me')).toMatchObject({ afterCrash: true });
  });

  it('goes to exactly one of six processes that find the holder dead at the same moment', async () => {
    const rounds = Array.from({ length: 20 }, (_, round) => `${file}-${round}`);
    await run(HOLD_ALL, rounds);
    await killAll();
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => run(RACE, rounds)));
    const winners = rounds.map(
      (_, round) => outcomes.filter((outcome) => outcome.split(' ')[round] === 'taken').length,
    );
    expect(winners).toEqual(rounds.map(() => 1));
  });

  it('leaves at most two files, however often it was taken', async () => {
    for (let round = 0; round < 5; round += 1) {
      const lock = await acquireLock(file, () => 'me');
      if ('release' in lock) lock.release();
    }
    expect(fs.readdirSync(folder)).toEqual(['start.lock.4', 'start.lock.5']);
  });

  it('works with a path that is too long for a socket', async () => {
    const deep = path.join(folder, 'd'.repeat(100));
    fs.mkdirSync(deep);
    const first = await acquireLock(path.join(deep, 'start.lock'), () => 'the first');
    expect(await acquireLock(path.join(deep, 'start.lock'), () => 'me')).toEqual({ heldBy: 'the first' });
    if ('release' in first) first.release();
  });

  it.each([
    ['others may enter', (name: string) => fs.mkdirSync(name, { mode: 0o777 })],
    ['is a symbolic link', (name: string) => fs.symlinkSync(os.homedir(), name)],
    ['is a file', (name: string) => fs.writeFileSync(name, '')],
  ])('is refused when its folder in the temporary folder %s', async (_how, make) => {
    const deep = path.join(folder, 'd'.repeat(100));
    const temporary = path.join(folder, 'tmp');
    fs.mkdirSync(deep);
    fs.mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    const squatted = path.join(temporary, `eds-${process.getuid?.()}`);
    make(squatted);
    if (fs.lstatSync(squatted).isDirectory()) fs.chmodSync(squatted, 0o777);
    const target = path.join(deep, 'start.lock');
    await expect(acquireLock(target, () => 'me')).rejects.toThrow('belongs to others');
    fs.rmSync(squatted, { recursive: true });
    expect(await acquireLock(target, () => 'me')).toMatchObject({ afterCrash: false });
    expect(fs.statSync(squatted).mode & 0o777).toBe(0o700);
  });
});
