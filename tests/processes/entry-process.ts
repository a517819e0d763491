import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** Starts the entry with arguments; `environment` extends that of the test file. */
export type StartProcess = (args?: string[], environment?: Record<string, string>) => ChildProcess;

/**
 * Starts real processes, for tests of their interaction and of kills. The entry is bundled before the tests of a file; each
 * process is killed after its test.
 *
 * @param entry a script in scripts/
 * @param environment the variables of a deployment, including the database
 */
export function useProcesses(entry: string, environment: () => Record<string, string>): StartProcess {
  // Within the project folder, where Node finds its packages.
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

/** Waits until a process reports that it is ready. */
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

/** Waits until a process exits, and returns its output. */
export async function untilEnded(child: ChildProcess): Promise<ProcessEnd> {
  if (child.stdout === null || child.stderr === null) throw new Error('the output of the process is not piped');
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}

/** Signals a process and waits for its exit; resolves with the exit code, null when the signal killed it. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  // An exited process emits no further event.
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit');
  child.kill(signal);
  const [code] = await exit;
  return code;
}

/**
 * Starts real worker processes.
 *
 * @returns a function that starts a worker and resolves when it is ready
 */
export function useWorkerProcesses(environment: () => Record<string, string>): () => Promise<ChildProcess> {
  const start = useProcesses('scripts/worker.ts', environment);
  return () => untilReady(start());
}
