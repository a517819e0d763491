import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { extractReason, startChild } from './child';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'child-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

function script(name: string, code: string): string {
  const file = path.join(folder, `${name}.mjs`);
  fs.writeFileSync(file, code);
  return file;
}

describe('a child', () => {
  beforeEach(() => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is ready when it reports so, and ends when it is asked to', async () => {
    const child = startChild(
      script(
        'good',
        "process.on('SIGTERM', () => process.exit(0)); process.send({ type: 'ready' }); setInterval(() => undefined, 1000);",
      ),
      process.env,
    );
    await child.ready;
    child.stop();
    expect(await child.exited).toMatchObject({ code: 0, signal: null });
  });

  it('reports the error it died of', async () => {
    const child = startChild(script('bad', "throw new TypeError('no such thing');"), process.env);
    expect(await child.exited).toMatchObject({ code: 1, lastLine: 'TypeError: no such thing', isConfigFault: false });
  });

  it('has a heap of a GiB, or as large as NODE_OPTIONS says', async () => {
    const tell =
      "import { getHeapStatistics } from 'node:v8'; console.error(getHeapStatistics().heap_size_limit / 2 ** 20);";
    const limitOf = async (env: Record<string, string>) =>
      Number((await startChild(script('tell', tell), { ...process.env, ...env }).exited).lastLine);
    const usual = await limitOf({ NODE_OPTIONS: '' });
    const chosen = await limitOf({ NODE_OPTIONS: '--max-old-space-size=64' });
    expect(usual).toBeGreaterThan(chosen);
    expect(usual).toBeLessThan(1_200);
    expect(chosen).toBeLessThan(200);
  });

  it('has little room for new objects, or as much as NODE_OPTIONS says', async () => {
    const tell = `import { getHeapSpaceStatistics } from 'node:v8';
      const keep = []; for (let i = 0; i < 6e6; i++) keep[i % 3e5] = [i];
      console.error(getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20, keep.length);`;
    const roomOf = async (NODE_OPTIONS: string) =>
      Number.parseFloat((await startChild(script('room', tell), { ...process.env, NODE_OPTIONS }).exited).lastLine);
    expect(await roomOf('')).toBeLessThan(await roomOf('--max-semi-space-size=16'));
  });

  it('is reported as out of memory only when it ran out of memory, not after another abort', async () => {
    const hoard =
      "process.send({ type: 'ready' }); const all = []; for (;;) all.push(new Array(1e5).fill(all.length));";
    const env = { ...process.env, NODE_OPTIONS: '--max-old-space-size=24' };
    expect(await startChild(script('hoard', hoard), env).exited).toMatchObject({
      signal: 'SIGABRT',
      isOutOfMemory: true,
      lastLine: expect.stringMatching(/^FATAL ERROR: .*heap out of memory$/),
    });
    expect(await startChild(script('abort', 'process.abort();'), process.env).exited).toMatchObject({
      signal: 'SIGABRT',
      isOutOfMemory: false,
    });
  });

  it('has ended although an orphan of it holds its output open', async () => {
    const left = `import { spawn } from 'node:child_process';
      const orphan = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
      process.stderr.write(String(orphan.pid) + '\\n', () => process.exit(3));`;
    const { code, lastLine } = await startChild(script('left', left), process.env).exited;
    process.kill(Number(lastLine), 'SIGKILL');
    expect(code).toBe(3);
  });

  it('has ended, with the reason, when it cannot be started', async () => {
    const real = process.execPath;
    process.execPath = path.join(folder, 'no-node');
    try {
      expect(await startChild(script('unused', ''), process.env).exited).toMatchObject({
        code: null,
        lastLine: expect.stringContaining('ENOENT'),
      });
    } finally {
      process.execPath = real;
    }
  });

  it('reports a configuration fault by its exit code', async () => {
    const file = script('done', "process.stderr.write('PORT: 3000 is in use\\n'); process.exitCode = 78;");
    expect(await startChild(file, process.env).exited).toMatchObject({
      lastLine: 'PORT: 3000 is in use',
      isConfigFault: true,
    });
  });
});

describe('the reason in the output of a process', () => {
  it.each([
    [
      'file.mjs:1\nthrow new E()\n^\n\nRangeError: too much\n    at main (file.mjs:1:7)\n\nNode.js v20.20.2\n',
      'RangeError: too much',
    ],
    [
      "Error: listen EADDRINUSE\n    at x\nEmitted 'error' event on Server instance at:\n    at y {\n  code: 1\n}\n",
      'Error: listen EADDRINUSE',
    ],
    ['a warning\nAUTH_SECRET: must be set (default: unset)\n', 'AUTH_SECRET: must be set (default: unset)'],
    [
      '<--- Last few GCs --->\nFATAL ERROR: out of room\n----- Native stack trace -----\n 1: 0xb node\n',
      'FATAL ERROR: out of room',
    ],
    ['', ''],
  ])('%j is %j', (output, reason) => {
    expect(extractReason(output)).toBe(reason);
  });
});
