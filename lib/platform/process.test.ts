import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

// Inside the project, where the bundle finds its external packages.
const FOLDER = path.resolve('.build', `process-test-${process.pid}`);
const ENTRY = path.join(FOLDER, 'entry.mjs');

/** Drains for the milliseconds of its argument, and prints a line when it is done. */
const SOURCE = `
  import { setTimeout as sleep } from 'node:timers/promises';
  import { exitForBadConfiguration, isStopping, onStop, reportReady } from '@/lib/platform/process';
  const drainMs = Number(process.argv[2]);
  if (drainMs < 0) exitForBadConfiguration('PORT: 3000 is in use');
  setInterval(() => undefined, 1000);
  onStop(async () => {
    await sleep(drainMs);
    if (drainMs === 1) throw new Error('cannot drain');
    require('node:fs').writeFileSync(process.argv[3], 'drained');
  }, { deadlineMs: 300, delayMs: Number(process.env.DELAY_MS ?? 0) });
  process.on('message', () => process.send(isStopping()));
  reportReady({ port: 1234 });`;

describe('a process of the service', () => {
  const mark = path.join(FOLDER, 'drained');
  let child: ChildProcess;

  beforeAll(async () => {
    const stdin = {
      contents: `import { createRequire } from 'node:module'; const require = createRequire('/');${SOURCE}`,
      resolveDir: '.',
    };
    await build({ stdin, bundle: true, platform: 'node', format: 'esm', packages: 'external', outfile: ENTRY });
  });
  afterEach(() => {
    child.kill('SIGKILL');
    fs.rmSync(mark, { force: true });
  });
  afterAll(() => fs.rmSync(FOLDER, { recursive: true, force: true }));

  async function start(drainMs: number, delayMs = 0): Promise<unknown> {
    child = fork(ENTRY, [String(drainMs), mark], {
      env: { ...process.env, LOG_LEVEL: 'silent', DELAY_MS: String(delayMs) },
      execArgv: [],
      stdio: 'pipe',
    });
    const [message] = await once(child, 'message');
    return message;
  }

  it('reports to its parent that it is ready', async () => {
    expect(await start(0)).toEqual({ type: 'ready', port: 1234 });
  });

  it.each([
    ['SIGTERM', () => child.kill('SIGTERM')],
    ['SIGINT', () => child.kill('SIGINT')],
    ['the end of its parent', () => child.disconnect()],
  ])('drains and exits with 0 on %s', async (_, end) => {
    await start(50);
    end();
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(fs.existsSync(mark)).toBe(true);
  });

  it('still serves after SIGTERM for its delay, marked as stopping, and then drains', async () => {
    await start(0, 400);
    const askedAt = performance.now();
    child.kill('SIGTERM');
    // Asked until the signal has arrived.
    const isStopping = async () => {
      child.send('stopping?');
      return (await once(child, 'message'))[0];
    };
    await expect.poll(isStopping).toBe(true);
    expect(fs.existsSync(mark)).toBe(false);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(performance.now() - askedAt).toBeGreaterThan(390);
    expect(fs.existsSync(mark)).toBe(true);
  });

  it('drains at once on Ctrl-C, whatever its delay', async () => {
    await start(0, 60_000);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('ends at once on a second signal, and drains no further', async () => {
    await start(0, 60_000);
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGTERM'), 700);
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(fs.existsSync(mark)).toBe(false);
  });

  it('continues to drain when the same request arrives as two signals', async () => {
    await start(150);
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGTERM'), 30);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(fs.existsSync(mark)).toBe(true);
  });

  it('exits with 1 when it fails to drain, or exceeds the deadline', async () => {
    await start(1);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([1, null]);
    await start(60_000);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([1, null]);
  });

  it('exits with its own code and one line when its configuration is bad', async () => {
    child = fork(ENTRY, ['-1'], { execArgv: [], stdio: 'pipe' });
    const said = once(child.stderr ?? child, 'data');
    expect(await once(child, 'exit')).toEqual([78, null]);
    expect(String(await said)).toBe('PORT: 3000 is in use\n');
    // Without a parent the exit code is 1.
    expect(spawnSync(process.execPath, [ENTRY, '-1']).status).toBe(1);
  });
});
