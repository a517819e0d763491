import { log } from '@/lib/platform/log';
import { CONFIGURATION_EXIT_CODE } from './exit-code';

/** How long a process may drain. `npm start` kills it after 8 s, and ends itself within 10 s. */
export const STOP_DEADLINE_MS = 7000;

/**
 * Calls `stop` once: on SIGTERM or SIGINT, when the terminal closes, or when the parent ends (the IPC channel closes when
 * `npm start` is killed). The process then exits with 0, or with 1 if `stop` fails or exceeds the deadline. Further signals
 * change nothing: on Ctrl-C the terminal sends one and the parent another.
 */
export function onStop(stop: () => Promise<void> | void, options: { deadlineMs?: number } = {}): void {
  const deadlineMs = options.deadlineMs ?? STOP_DEADLINE_MS;
  let stopping = false;
  const begin = (reason: string) => {
    if (stopping) return;
    stopping = true;
    log().info({ reason }, 'stopping');
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
  };
  process.on('SIGTERM', () => begin('SIGTERM'));
  process.on('SIGINT', () => begin('SIGINT'));
  process.on('disconnect', () => begin('parent gone'));
  // The terminal closed. Under nohup, where standard output is a file, the signal stays ignored.
  if (process.stdout.isTTY) process.on('SIGHUP', () => begin('SIGHUP'));
  ignoreClosedOutput();
  // The parent may have ended while this process was loading.
  if (process.send !== undefined && !process.connected) begin('parent gone');
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
