import fs from 'node:fs';
import path from 'node:path';
import { prepareCluster } from '@/lib/platform/embedded-postgres/cluster';
import { readDatabaseUrl } from '@/lib/platform/embedded-postgres/credentials';
import { oneLineOf } from '@/lib/platform/errors';
import { acquireLock } from '@/lib/platform/process-lock.mjs';
import { refuseUnfinishedRestore } from './data-dir';
import { StartupError } from './startup-error.mjs';

/**
 * Runs work on the database of DATA_DIR: on the server of a running service, or else on one that is started for it.
 * @param purpose what holds the data directory meanwhile, such as `a backup`
 * @throws StartupError when there is no such database
 */
export async function withEmbeddedDatabase<T>(
  dataDir: string,
  purpose: string,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  refuseUnfinishedRestore(dataDir);
  if (!fs.existsSync(path.join(dataDir, 'postgres'))) {
    throw new StartupError(`DATA_DIR: ${dataDir} has no database. Set DATA_DIR as for npm start.`);
  }
  const lock = await acquireLock(path.join(dataDir, 'start.lock'), () => `process ${process.pid}, ${purpose}`);
  if ('heldBy' in lock) return workOnRunning(dataDir, lock.heldBy, work);
  try {
    const cluster = await prepareCluster({ dataDir });
    const server = cluster.start();
    const ended = server.exited.then(({ lastLine }) => {
      throw new StartupError(`PostgreSQL does not start: ${lastLine}`);
    });
    ended.catch(() => undefined);
    await Promise.race([server.ready, ended]);
    try {
      return await work(cluster.databaseUrl);
    } finally {
      server.stop();
      await server.exited;
    }
  } finally {
    lock.release();
  }
}

async function workOnRunning<T>(
  dataDir: string,
  holder: string,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const databaseUrl = readDatabaseUrl(dataDir);
  try {
    return await work(databaseUrl ?? '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' && !/starting up|shutting down/.test(oneLineOf(error)))
      throw error;
    throw new StartupError(
      `DATA_DIR: the database of the running service (${holder}) does not answer: try again when it is ready.`,
    );
  }
}
