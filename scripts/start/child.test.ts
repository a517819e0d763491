import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reasonIn, startChild } from './child';

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

  it('is ready when it says so, and ends when it is asked to', async () => {
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

  it('tells the error that it died of', async () => {
    const child = startChild(script('bad', "throw new TypeError('no such thing');"), process.env);
    expect(await child.exited).toMatchObject({ code: 1, lastLine: 'TypeError: no such thing', forGood: false });
  });

  it('is not to be started again when it ends with the code for that', async () => {
    const file = script('done', "process.stderr.write('PORT: 3000 is in use\\n'); process.exitCode = 78;");
    expect(await startChild(file, process.env).exited).toMatchObject({
      lastLine: 'PORT: 3000 is in use',
      forGood: true,
    });
  });
});

describe('the reason in what a process said', () => {
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
    ['', ''],
  ])('%j is %j', (output, reason) => {
    expect(reasonIn(output)).toBe(reason);
  });
});
