import { log } from '@/lib/platform/log';

/** Time a process has to drain, in milliseconds: `npm start` kills at 8 s and has promised to be gone at 10 s. */
export const STOP_DEADLINE_MS = 7000;

/** What tells `npm start` not to start a process again: its fault will not be mended by another try. */
export const EXIT_FOR_GOOD = 78;

/**
 * Has `stop` called once, when the process is told to end: SIGTERM, SIGINT, its terminal or its parent gone (the IPC channel closes when
 * `npm start` is killed). The process then exits with 0; with 1 when `stop` fails or outlasts the deadline. Further
 * signals change nothing: a terminal sends Ctrl-C to the child and has the parent send SIGTERM besides.
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

/** Tells `npm start`, if it is the parent, that this process does its work now. `info` is plain data. */
export function reportReady(info: Record<string, unknown> = {}): void {
  if (process.connected) process.send?.({ ...info, type: 'ready' });
}

/** Ends the process for a fault that another try will not mend, with one line that says what to change. */
export function exitForGood(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(process.connected ? EXIT_FOR_GOOD : 1);
}

/** When the parent is killed or the terminal closed, a line written then must not break off the draining. */
function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });
  }
}
