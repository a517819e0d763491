import { type SpawnOptions, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUpAfterCrash } from './orphan';

const LOG_KEPT_BYTES = 5_000_000;
const LOG_CHECK_MS = 60_000;
const LOOK_AGAIN_MS = 50;
/** The line of postmaster.pid, counted from 0, in which the server says how far it is. pg_ctl reads the same. */
const STATUS_LINE = 7;

interface ServerExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The last line of its log. */
  lastLine: string;
}

export interface RunningServer {
  pid: number | undefined;
  /** Resolves when it accepts connections, after a crash when it has recovered. Stays pending if it ends before. */
  ready: Promise<void>;
  /** Resolves when it and its child processes have ended. */
  exited: Promise<ServerExit>;
  /** Fast shutdown: closes all connections, loses nothing. */
  stop(): void;
  /** Immediate shutdown: the next start recovers from the log. */
  kill(): void;
}

/** Plain data, so that one process can prepare a server and another run it. */
export interface ServerOptions {
  command: [program: string, args: string[], options: SpawnOptions];
  /** The database's folder. */
  folder: string;
  logFile: string;
}

/**
 * Starts the server in its own process group, where the terminal's Ctrl-C does not reach it, because it has to end last. Its
 * output goes to a file, because a pipe would break when this process is killed.
 */
export function startServer({ command: [program, args, options], folder, logFile }: ServerOptions): RunningServer {
  boundLog(logFile);
  const log = fs.openSync(logFile, 'a', 0o600);
  let logStart = fs.fstatSync(log).size;
  const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', log, log] });
  fs.closeSync(log);
  // A process that ends without stopping its server must not leave it running.
  const stopWithUs = () => child.kill('SIGINT');
  process.once('exit', stopWithUs);
  const logCheck = setInterval(() => {
    if (boundLog(logFile)) logStart = 0;
  }, LOG_CHECK_MS).unref();
  let ended = false;
  const exited = new Promise<ServerExit>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null, lastLine: string) => {
      ended = true;
      clearInterval(logCheck);
      process.off('exit', stopWithUs);
      resolve({ code, signal, lastLine });
    };
    child.on('error', (error) => {
      // This event also reports that a signal could not be sent. A server with a pid has not ended.
      if (child.pid === undefined) end(null, null, error.message);
    });
    child.on('exit', async (code, signal) => {
      ended = true;
      await cleanUpAfterCrash(folder).catch(() => undefined);
      end(code, signal, signal === null ? lastLineOf(logFile, logStart) : '');
    });
  });
  return {
    pid: child.pid,
    ready: waitUntilReady(folder, child.pid, () => ended),
    exited,
    stop: () => child.kill('SIGINT'),
    kill: () => child.kill('SIGQUIT'),
  };
}

/** Moves the lines of a long log to `postgres.log.1`, as logrotate's `copytruncate` does: the server keeps the file open. */
function boundLog(logFile: string): boolean {
  if ((fs.statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) <= LOG_KEPT_BYTES) return false;
  try {
    fs.copyFileSync(logFile, `${logFile}.1`);
  } catch {
    // A full disk has no room for the copy, and needs what the log takes.
    fs.rmSync(`${logFile}.1`, { force: true });
  }
  fs.truncateSync(logFile);
  return true;
}

/** Without a deadline: recovery may take long, and a server that cannot become ready ends by itself. */
async function waitUntilReady(folder: string, pid: number | undefined, hasEnded: () => boolean): Promise<void> {
  while (!hasEnded()) {
    if (isReady(folder, pid)) return;
    await sleep(LOOK_AGAIN_MS);
  }
  return new Promise(() => undefined);
}

function isReady(folder: string, pid: number | undefined): boolean {
  try {
    const lines = fs.readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[STATUS_LINE]?.trim() === 'ready';
  } catch {
    return false;
  }
}

/**
 * Returns the last fatal line of the server, or else its last line, without time and process id. Lines such as "the database
 * system is starting up" are ignored: they end only one connection.
 */
function lastLineOf(logFile: string, start: number): string {
  const lines = fs.readFileSync(logFile).subarray(start).toString('utf8').trim().split('\n');
  const own = lines.filter((text) => !text.includes('FATAL:  the database system is '));
  const line = own.findLast((text) => /\b(FATAL|PANIC):/.test(text)) ?? own.at(-1) ?? '';
  return line.replace(/^.*?\[\d+\] /, '');
}
