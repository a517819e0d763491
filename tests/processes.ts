import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** Starts the entry with arguments; `environment` adds to what the file has set. */
export type StartProcess = (args?: string[], environment?: Record<string, string>) => ChildProcess;

/**
 * Real processes for tests of what happens between them, and of what a kill leaves behind: the entry is bundled before the
 * tests of a file, and none of them outlives its test.
 *
 * @param entry a script of scripts/
 * @param environment what a deployment would set, the database among it
 */
export function useProcesses(entry: string, environment: () => Record<string, string>): StartProcess {
  // In the project's own folder, where its packages are found.
  const bundle = path.resolve('.build', `${path.basename(entry, '.ts')}-test-${randomUUID()}.mjs`);
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    await build({
      entryPoints: [entry],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'silent',
    });
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  afterAll(() => rmSync(bundle, { force: true }));
  return (args = [], more = {}) => {
    const child = spawn(process.execPath, [bundle, ...args], {
      env: { ...process.env, ...environment(), ...more } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    children.push(child);
    return child;
  };
}

/** Waits until a process has said that it does its work. */
export async function untilReady(child: ChildProcess): Promise<ChildProcess> {
  child.stdout?.resume();
  child.stderr?.pipe(process.stderr);
  await once(child, 'message');
  return child;
}

export interface ProcessEnd {
  /** Null when a signal killed it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Waits for the end of a process, with all that it said. */
export async function untilEnded(child: ChildProcess): Promise<ProcessEnd> {
  if (child.stdout === null || child.stderr === null) throw new Error('Its output is not read.');
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}

/** Ends a process by a signal; resolves with its exit code, null when the signal killed it. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  // Of one that has ended already no event comes any more.
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit');
  child.kill(signal);
  const [code] = await exit;
  return code;
}
