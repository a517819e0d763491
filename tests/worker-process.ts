import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

/**
 * Real worker processes for tests of what a kill leaves behind: bundled before the tests of a file, gone after them.
 *
 * @param environment what a deployment would set, the database among it
 * @returns starts one; resolves when it is ready
 */
export function useWorkerProcesses(environment: () => Record<string, string>): () => Promise<ChildProcess> {
  // In the project's own folder, where its packages are found.
  const entry = path.resolve('.build', `worker-test-${randomUUID()}.mjs`);
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    await build({
      entryPoints: ['scripts/worker.ts'],
      outfile: entry,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'silent',
    });
  });
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(entry, { force: true });
  });
  return async () => {
    const child = spawn(process.execPath, [entry], {
      env: { ...process.env, ...environment() } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    children.push(child);
    await once(child, 'message');
    return child;
  };
}

/** Ends a process by a signal; resolves with its exit code, null when the signal killed it. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit');
  child.kill(signal);
  const [code] = await exit;
  return code;
}
