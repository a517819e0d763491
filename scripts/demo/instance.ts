import { fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { readDatabaseUrl } from '@/lib/platform/embedded-postgres/credentials';
import { StartupError } from '@/scripts/start/startup-error.mjs';

/** A running instance of the service. */
export interface Instance {
  url: string;
  databaseUrl: string;
  /** Resolves when it has ended by itself. */
  ended: Promise<unknown>;
  /** Stops it, if the demo has started it. */
  stop(): Promise<void>;
}

/** Returns the instance that runs at a URL. @throws StartupError when there is none, or its database is unknown */
export async function useInstance(url: string, dataDir: string): Promise<Instance> {
  if (!(await isLive(url)))
    throw new StartupError(`Nothing listens at ${url}. Run the demo without a URL to start it.`);
  const databaseUrl = process.env.DATABASE_URL || readDatabaseUrl(dataDir);
  if (databaseUrl === null) throw new StartupError('Set DATABASE_URL to the database of the instance.');
  return { url, databaseUrl, ended: new Promise(() => undefined), stop: async () => undefined };
}

/** Starts an instance, as `npm start` does. @throws StartupError when it does not start */
export async function startInstance(): Promise<Instance> {
  // In a group of its own: Ctrl-C would reach it twice, and a second one ends it without waiting for its work.
  const stdio: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc'];
  const child = fork('scripts/start.mjs', [], { execArgv: [], stdio, detached: true });
  const ended = once(child, 'exit');
  const failed = ended.then(() => {
    throw new StartupError('The service did not start.');
  });
  const [message] = await Promise.race([once(child, 'message'), failed]);
  failed.catch(() => undefined);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { ...(message as { url: string; databaseUrl: string }), ended, stop };
}

/** Whether an instance answers at a URL. */
export async function isLive(url: string): Promise<boolean> {
  return fetch(`${url}/api/health/live`).then(
    ({ ok }) => ok,
    () => false,
  );
}
