import { type SpawnOptions, spawn } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Credentials } from './credentials';
import { clearAfterCrash } from './orphan';
import { APP_NAME, SETTINGS } from './settings';

const LOG_KEPT_BYTES = 5_000_000;
const RETRY_MS = 50;

export interface ServerExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The last thing it said. */
  lastLine: string;
}

export interface RunningServer {
  pid: number | undefined;
  /** Resolves once the service's database takes connections; stays pending when the server ends before. */
  ready: Promise<void>;
  /** Resolves once it and the processes it started are gone. */
  exited: Promise<ServerExit>;
  /** Fast shutdown: connections are cut, nothing is lost. */
  stop(): void;
  /** Immediate shutdown: the next start recovers from the log. */
  kill(): void;
}

export interface ServerOptions {
  command: (args: string[]) => [string, string[], SpawnOptions];
  /** The database's folder. */
  folder: string;
  logFile: string;
  adminUrl: string;
  credentials: Credentials;
  settings: Record<string, string>;
}

/**
 * Starts the server in a process group of its own, out of reach of the terminal's Ctrl-C, because it has to end last. Its
 * output goes to a file, since a pipe would break when this process is killed.
 */
export function startServer({
  command,
  folder,
  logFile,
  adminUrl,
  credentials,
  settings,
}: ServerOptions): RunningServer {
  const all = { ...SETTINGS, ...settings, port: String(credentials.port) };
  const [program, args, options] = command(Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]));
  if ((fs.statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_KEPT_BYTES) fs.truncateSync(logFile);
  const log = fs.openSync(logFile, 'a', 0o600);
  const logStart = fs.fstatSync(log).size;
  const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', log, log] });
  fs.closeSync(log);
  // A process that ends without stopping its server must not leave it behind.
  const stopWithUs = () => child.kill('SIGINT');
  process.once('exit', stopWithUs);
  let ended = false;
  const exited = new Promise<ServerExit>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null, lastLine: string) => {
      ended = true;
      process.off('exit', stopWithUs);
      resolve({ code, signal, lastLine });
    };
    child.on('error', (error) => end(null, null, error.message));
    child.on('exit', async (code, signal) => {
      ended = true;
      await clearAfterCrash(folder).catch(() => undefined);
      end(code, signal, signal === null ? lastLineOf(logFile, logStart) : '');
    });
  });
  return {
    pid: child.pid,
    ready: waitUntilReady(adminUrl, credentials, () => ended),
    exited,
    stop: () => child.kill('SIGINT'),
    kill: () => child.kill('SIGQUIT'),
  };
}

async function waitUntilReady(adminUrl: string, credentials: Credentials, hasEnded: () => boolean): Promise<void> {
  while (!hasEnded()) {
    const client = new Client({ connectionString: adminUrl });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await ensureDatabase(client, credentials);
      return;
    } catch {
      // Not listening yet, or recovering: a server that will never be ready ends by itself.
      await sleep(RETRY_MS);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return new Promise(() => undefined);
}

/** The service's role is no superuser, so that SQL injected through a bug reaches no file and runs no command. */
async function ensureDatabase(admin: Client, { password }: Credentials): Promise<void> {
  const role = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [APP_NAME]);
  if (role.rowCount === 0) await admin.query(`CREATE ROLE ${APP_NAME} LOGIN PASSWORD '${password}'`);
  const database = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [APP_NAME]);
  if (database.rowCount === 0) await admin.query(`CREATE DATABASE ${APP_NAME} OWNER ${APP_NAME}`);
}

/**
 * The fatal line that the server ended with, or else its last line, without time and process id. "The database system is
 * starting up" and the like are left out: they end only the connection that is told so.
 */
function lastLineOf(logFile: string, start: number): string {
  const lines = fs.readFileSync(logFile).subarray(start).toString('utf8').trim().split('\n');
  const own = lines.filter((text) => !text.includes('FATAL:  the database system is '));
  const line = own.findLast((text) => /\b(FATAL|PANIC):/.test(text)) ?? own.at(-1) ?? '';
  return line.replace(/^.*?\[\d+\] /, '');
}
