import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { CONFIGURATION_EXIT_CODE } from '@/lib/platform/config/parts';
import { CLEAR_LINE } from './progress.mjs';
import type { Exit, SupervisedProcess } from './supervisor';

/** More than the stack that Node prints after the line with the error. */
const KEPT_CHARACTERS = 16_000;
/** A child that is not ready after this time, in milliseconds, hangs. */
const READY_DEADLINE_MS = 60_000;
/** How long to wait for the last output of an ended child, in milliseconds. An orphan of it may hold the pipe open. */
const LAST_OUTPUT_MS = 500;
/** Exit code that a shell reports for SIGABRT. */
const ABORTED = 134;

/**
 * With less than 2 GiB, V8 lets the heap grow to twice what lives in it, at most; else to four times. Four times takes 300 MB more, and saves
 * a few percent of the processor time under full load.
 */
const HEAP_LIMIT_MIB = 1024;

/**
 * Starts a part of the service as a child process. Its output passes through unchanged. Over the IPC channel it reports that
 * it is ready, and notices when this process ends.
 */
export function startChild(file: string, env: NodeJS.ProcessEnv): SupervisedProcess {
  const child = fork(file, [], { env, execArgv: heapOptions(env), stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  let output = '';
  const write = makeStderrWriter();
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    write(chunk);
    output = (output + chunk).slice(-KEPT_CHARACTERS);
  });
  const hanging = setTimeout(() => {
    output += `\nnot ready after ${READY_DEADLINE_MS / 1000} s`;
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
      // A running child also emits an error when a signal cannot be sent; it has not ended then.
      if (child.pid === undefined) resolve({ code: null, signal: null, lastLine: error.message });
    });
    const closed = once(child, 'close').catch(() => undefined);
    child.on('exit', async (code, signal) => {
      clearTimeout(hanging);
      await Promise.race([closed, sleep(LAST_OUTPUT_MS)]);
      resolve(toExit(code, signal, output));
    });
  });
  return { ready, exited, stop: () => child.kill('SIGTERM'), kill: () => child.kill('SIGKILL') };
}

/** Returns a function that passes text to standard error. On a terminal, lines replace that of the running step. */
function makeStderrWriter(): (chunk: string) => void {
  let isLineComplete = true;
  return (chunk) => {
    process.stderr.write(`${process.stderr.isTTY && isLineComplete ? CLEAR_LINE : ''}${chunk}`);
    isLineComplete = chunk.endsWith('\n');
  };
}

/**
 * New objects get three times this. A request leaves little that lives on, so a larger space only holds garbage: with V8's 16 MiB, web and
 * worker take 80 MiB more at rest and under load.
 */
const NEW_SPACE_MIB = 4;

/** A container with little memory has a lower limit already, and an operator may choose others. */
function heapOptions({ NODE_OPTIONS = '' }: NodeJS.ProcessEnv): string[] {
  const isLower = getHeapStatistics().heap_size_limit <= HEAP_LIMIT_MIB * 1024 * 1024;
  const options = {
    ...(isLower ? {} : { 'max-old-space-size': HEAP_LIMIT_MIB }),
    'max-semi-space-size': NEW_SPACE_MIB,
  };
  return Object.entries(options).flatMap(([name, mib]) =>
    NODE_OPTIONS.includes(`--${name}`) ? [] : [`--${name}=${mib}`],
  );
}

function toExit(code: number | null, signal: NodeJS.Signals | null, output: string): Exit {
  const hasAborted = signal === 'SIGABRT' || code === ABORTED;
  return {
    code,
    signal,
    lastLine: extractReason(output),
    isConfigFault: code === CONFIGURATION_EXIT_CODE,
    isOutOfMemory: hasAborted && /heap out of memory/.test(output),
  };
}

/** The reason in the last output of a process: the error above its stack, else the last line. */
export function extractReason(output: string): string {
  const lines = output.split('\n').filter((line) => /^\S/.test(line) && !/^(Node\.js v|[}\])]|\^)/.test(line));
  return (lines.findLast((line) => /^(\w*Error\b|FATAL ERROR:)/.test(line)) ?? lines.at(-1) ?? '').trim();
}
