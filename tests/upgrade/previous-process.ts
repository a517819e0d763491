import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import type { PreviousVersion } from './previous-version';

export interface PreviousProcess {
  /** The lines that it logged as an error, and what it wrote beside the log. */
  faults(): string[];
  stop(): Promise<void>;
}

const ERROR_LEVEL = 50;

/** Starts a process of the previous version and waits until it is ready. It is killed after the test. */
export async function startPrevious(
  { folder }: PreviousVersion,
  file: string,
  environment: Record<string, string>,
): Promise<PreviousProcess> {
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    env: { ...process.env, ...environment } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The previous version ended with ${code}:\n${output}`);
  });
  ended.catch(() => undefined);
  await Promise.race([once(child, 'message'), ended]);
  return {
    faults: () => output.split('\n').filter((line) => line !== '' && !isBelowError(line)),
    stop: async () => {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

function isBelowError(line: string): boolean {
  try {
    return (JSON.parse(line) as { level: number }).level < ERROR_LEVEL;
  } catch {
    return false;
  }
}
