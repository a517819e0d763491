import { fork } from 'node:child_process';
import { EXIT_FOR_GOOD } from '@/lib/platform/process';
import type { Running } from './keeper';

const KEPT_CHARACTERS = 4000;
/** A start that takes longer than this, in milliseconds, hangs. */
const READY_DEADLINE_MS = 60_000;

/**
 * Starts a part of the service as a child. Its output passes through untouched; the IPC channel tells us when it is ready
 * and tells it when we are gone.
 */
export function startChild(file: string, env: NodeJS.ProcessEnv): Running {
  const child = fork(file, [], { env, execArgv: [], stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    process.stderr.write(chunk);
    said = (said + chunk).slice(-KEPT_CHARACTERS);
  });
  const hanging = setTimeout(() => {
    said += `\nnot ready after ${READY_DEADLINE_MS / 1000} s`;
    child.kill('SIGKILL');
  }, READY_DEADLINE_MS);
  const ready = new Promise<void>((resolve) => {
    child.on('message', (message: { type?: string }) => {
      if (message.type !== 'ready') return;
      clearTimeout(hanging);
      resolve();
    });
  });
  const exited = new Promise<Awaited<Running['exited']>>((resolve) => {
    child.on('error', (error) => resolve({ code: null, signal: null, lastLine: error.message }));
    // 'close' and not 'exit': by then all that it said has arrived.
    child.on('close', (code, signal) => {
      clearTimeout(hanging);
      resolve({ code, signal, lastLine: reasonIn(said), forGood: code === EXIT_FOR_GOOD });
    });
  });
  return { ready, exited, stop: () => child.kill('SIGTERM'), kill: () => child.kill('SIGKILL') };
}

/** The reason in what a process said at its end: the error above its stack, or else the last line. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => /^\S/.test(line) && !/^(Node\.js v|[}\])]|\^)/.test(line));
  return (lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '').trim();
}
