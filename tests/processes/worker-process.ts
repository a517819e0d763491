import type { ChildProcess } from 'node:child_process';
import { untilReady, useProcesses } from './entry-process';

/**
 * Starts real worker processes.
 *
 * @returns a function that starts a worker and resolves when it is ready
 */
export function useWorkerProcesses(environment: () => Record<string, string>): () => Promise<ChildProcess> {
  const start = useProcesses('scripts/worker.ts', environment);
  return () => untilReady(start());
}
