import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Keeps every core busy at normal priority, with one process per core, until stopped. */
export function keepCoresBusy(): { stop(): void } {
  const spinners: ChildProcess[] = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  return {
    stop() {
      for (const spinner of spinners) spinner.kill('SIGKILL');
    },
  };
}
