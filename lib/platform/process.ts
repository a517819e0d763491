import { log } from '@/lib/platform/log';
import { EXIT_FOR_GOOD } from './exit-for-good';

/** Time a process has to drain, in milliseconds. `npm start` kills it at 8 s, and is gone itself within 10 s. */
export const STOP_DEADLINE_MS = 7000;

/**
 * Calls `stop` once, when the process is told to end: on SIGTERM or SIGINT, or when its terminal or its parent is gone (the
 * IPC channel closes when `npm start` is killed). The process then exits with 0, or with 1 when `stop` fails or outlasts the
 * deadline. Further signals change nothing: on Ctrl-C the terminal sends one, and the parent another.
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
          log().error({ err: error }, 'failed while stopping');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', () => begin('SIGTERM'));
  process.on('SIGINT', () => begin('SIGINT'));
  process.on('disconnect', () => begin('parent gone'));
  // The terminal was closed. Under nohup, where standard output is a file, the signal stays ignored.
  if (process.stdout.isTTY) process.on('SIGHUP', () => begin('SIGHUP'));
  ignoreClosedOutput();
  // The parent may have gone while this process was still loading.
  if (process.send !== undefined && !process.connected) begin('parent gone');
}

/** Tells `npm start`, if it is the parent, that this process is ready. `info` is plain data. */
export function reportReady(info: Record<string, unknown> = {}): void {
  if (process.connected) process.send?.({ ...info, type: 'ready' });
}

/** Ends the process because its configuration is at fault, with one line that says what to change. */
export function exitForGood(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(process.connected ? EXIT_FOR_GOOD : 1);
}

/** When the parent is killed or the terminal is closed, writing a line must not interrupt the draining. */
function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });
  }
}
