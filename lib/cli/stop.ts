import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, EXIT, type ExitCode } from './cli-error';

/** A command that ignores its signal is cut off after this time. */
const GRACE_MS = 1_000;
/** A session may be lost after this time: its next token has not been stored. */
const CRITICAL_MS = 5_000;

/** Why a command stops before its end; the reason of its signal. */
export class Stopped extends Error {
  override readonly name = 'Stopped';

  constructor(
    readonly exitCode: ExitCode,
    /** What a person must know about it. */
    readonly fault?: CliError,
  ) {
    super('The command was stopped.');
  }
}

/** The first Ctrl-C, or a closed terminal, lets the command end what must not be cut; the second ends the process. */
export function stopOnInterrupt(controller: AbortController): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(EXIT.interrupted);
      controller.abort(new Stopped(EXIT.interrupted));
    });
  }
}

/** `eds … | head` closes the pipe early, which is no fault; a full disk is one. */
export function stopForStream({ code, message }: NodeJS.ErrnoException): Stopped {
  if (code === 'EPIPE') return new Stopped(EXIT.ok);
  const fault = new CliError('We couldn’t write the output.', code ?? 'output_error', { reason: message });
  return new Stopped(EXIT.failure, fault);
}

/** Waits for the end of a command, and only a moment longer once it is told to stop. @returns null after that moment */
export async function untilStopped<T>(command: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  return await Promise.race([command, stopped.then(() => sleep(GRACE_MS, null))]);
}

/** Ends the process; first it waits, for some seconds, for work that must not be cut. */
export async function exitAfterCriticalWork(code: ExitCode): Promise<never> {
  await Promise.race([criticalWorkDone(), sleep(CRITICAL_MS)]);
  process.exit(code);
}

const running = new Set<Promise<unknown>>();

/** Runs work that an interrupted process must end first, for example storing a token that replaces a spent one. */
export async function runCritical<T>(work: () => Promise<T>): Promise<T> {
  const promise = work();
  running.add(promise);
  try {
    return await promise;
  } finally {
    running.delete(promise);
  }
}

/** Resolves when no critical work is under way, whether it failed or not. */
async function criticalWorkDone(): Promise<void> {
  while (running.size > 0) await Promise.allSettled(running);
}
