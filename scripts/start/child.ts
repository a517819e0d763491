import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT_FOR_GOOD } from '@/lib/platform/exit-for-good';
import type { Exit, Running } from './running';

/** More than the stack that Node prints after the line that says what it died of. */
const KEPT_CHARACTERS = 16_000;
/** A start that takes longer than this, in milliseconds, hangs. */
const READY_DEADLINE_MS = 60_000;
/** How long the last output of an ended child may take, in milliseconds. A program it has left behind may hold the pipe open. */
const LAST_OUTPUT_MS = 500;
/** What a process that aborts itself ends with, directly or below a shell. */
const ABORTED = 134;

/**
 * Starts a part of the service as a child. Its output passes through untouched; over the IPC channel it tells us when it is
 * ready, and learns when we are gone.
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
  const exited = new Promise<Exit>((resolve) => {
    child.on('error', (error) => {
      // One that runs also reports a signal that could not be sent: it has not ended.
      if (child.pid === undefined) resolve({ code: null, signal: null, lastLine: error.message });
    });
    const closed = once(child, 'close').catch(() => undefined);
    child.on('exit', async (code, signal) => {
      clearTimeout(hanging);
      await Promise.race([closed, sleep(LAST_OUTPUT_MS)]);
      resolve(toExit(code, signal, said));
    });
  });
  return { ready, exited, stop: () => child.kill('SIGTERM'), kill: () => child.kill('SIGKILL') };
}

function toExit(code: number | null, signal: NodeJS.Signals | null, said: string): Exit {
  const hasAborted = signal === 'SIGABRT' || code === ABORTED;
  return {
    code,
    signal,
    lastLine: reasonIn(said),
    isConfigFault: code === EXIT_FOR_GOOD,
    isOutOfMemory: hasAborted && /heap out of memory/.test(said),
  };
}

/** The reason in what a process said at its end: the error above its stack, or else the last line. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => /^\S/.test(line) && !/^(Node\.js v|[}\])]|\^)/.test(line));
  return (lines.findLast((line) => /^(\w*Error\b|FATAL ERROR:)/.test(line)) ?? lines.at(-1) ?? '').trim();
}
