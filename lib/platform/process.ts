import { CONFIGURATION_EXIT_CODE } from './config/parts';
import { once } from './globals';
import { log } from './log';

/** Both copies of lib/ in a web process find it: see globals.ts. */
function state(): { isStopping: boolean } {
  return once('stopping', () => ({ isStopping: false }));
}

/** Whether this process was told to stop. It may still serve: readiness fails first. */
export function isStopping(): boolean {
  return state().isStopping;
}

/** Marks this process as stopping, for good. */
export function markStopping(): void {
  state().isStopping = true;
}

/** How long a process may drain. `npm start` kills it after 8 s, and ends itself within 10 s. */
export const STOP_DEADLINE_MS = 7000;

/** On Ctrl-C the terminal sends one signal and the parent another. A signal after this time is a second request. */
const SAME_REQUEST_MS = 500;

interface StopOptions {
  deadlineMs?: number;
  /** How long to serve on after SIGTERM before `stop` is called, while readiness fails, in milliseconds. */
  delayMs?: number;
}

/**
 * Calls `stop` once: on SIGTERM or SIGINT, when the terminal closes, or when the parent ends (the IPC channel closes when
 * `npm start` is killed). The process then exits with 0, or with 1 if `stop` fails or exceeds the deadline. A second signal
 * ends it at once, with 1.
 */
export function onStop(stop: () => Promise<void> | void, options: StopOptions = {}): void {
  const { deadlineMs = STOP_DEADLINE_MS, delayMs = 0 } = options;
  let askedAt: number | null = null;
  const begin = (reason: string, waitMs = 0) => {
    if (askedAt !== null) return;
    askedAt = performance.now();
    markStopping();
    log().info({ reason, ...(waitMs > 0 ? { servesForMs: waitMs } : {}) }, 'stopping');
    if (waitMs > 0) setTimeout(() => exitAfter(stop, deadlineMs), waitMs);
    else exitAfter(stop, deadlineMs);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (askedAt !== null && performance.now() - askedAt > SAME_REQUEST_MS) {
      log().warn({ reason: signal }, 'stopped at once by a second signal');
      process.exit(1);
    }
    // A person at a terminal waits for the end. Only an orchestrator sends SIGTERM, and its load balancer needs the time.
    begin(signal, signal === 'SIGTERM' ? delayMs : 0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  process.on('disconnect', () => begin('parent gone'));
  // The terminal closed. Under nohup, where standard output is a file, the signal stays ignored.
  if (process.stdout.isTTY) process.on('SIGHUP', () => begin('SIGHUP'));
  ignoreClosedOutput();
  // The parent may have ended while this process was loading.
  if (process.send !== undefined && !process.connected) begin('parent gone');
}

function exitAfter(stop: () => Promise<void> | void, deadlineMs: number): void {
  setTimeout(() => {
    log().error({ deadlineMs }, 'did not stop in time');
    process.exit(1);
  }, deadlineMs).unref();
  Promise.resolve()
    .then(stop)
    .then(
      () => process.exit(0),
      (error: unknown) => {
        log().error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
}

/** Tells `npm start`, if it is the parent, that this process is ready. `info` is plain data. */
export function reportReady(info: Record<string, unknown> = {}): void {
  if (process.connected) process.send?.({ ...info, type: 'ready' });
}

/** Ends the process because of its configuration. `line` says what to change. */
export function exitForBadConfiguration(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(process.connected ? CONFIGURATION_EXIT_CODE : 1);
}

/** A failed write to the output of a killed parent or closed terminal must not interrupt the shutdown. */
function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });
  }
}
