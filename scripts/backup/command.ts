import path from 'node:path';
import { isDatabaseUnreachable } from '@/lib/platform/database-errors';
import { oneLineOf } from '@/lib/platform/errors';
import { MigrationError } from '@/lib/platform/migrate/migrations';
import { StartupError } from '@/scripts/start/startup-error.mjs';

const INSTEAD = {
  backup: ['It is backed up with', 'pg_dump --format=custom --no-owner --file=FILE "$DATABASE_URL"'],
  restore: [
    'An empty one is filled with',
    'pg_restore --no-owner --single-transaction --exit-on-error --dbname="$DATABASE_URL" FILE',
  ],
};

/**
 * Returns the absolute path of the file that the arguments name, relative to where npm was called.
 * @throws StartupError when they name no file or several, or the database is not the embedded one
 */
export function parseFile(command: 'backup' | 'restore', args: string[], env: NodeJS.ProcessEnv): string {
  const [file, ...others] = args;
  if (file === undefined || file === '' || file.startsWith('-') || others.length > 0) {
    throw new StartupError(`Name one file: npm run ${command} -- FILE`);
  }
  if ((env.DATABASE_URL ?? '').trim() !== '') {
    const [how, line] = INSTEAD[command];
    throw new StartupError(
      `DATABASE_URL is set, and npm run ${command} is for the embedded database of DATA_DIR. ${how}\n  ${line}\n` +
        'Keep ENCRYPTION_KEY and AUTH_SECRET with the backup. See docs/guides/backup.md.',
    );
  }
  return path.resolve(env.INIT_CWD ?? '.', file);
}

/** Returns a StartupError for a lost connection, with a line for the operator; any other error as it is. */
export function asStartupError(error: unknown): unknown {
  if (error instanceof MigrationError || !isDatabaseUnreachable(error)) return error;
  return new StartupError(`The database is unreachable: ${oneLineOf(error)}`);
}

/** Returns a signal that aborts on SIGINT, SIGTERM and the end of the parent, so that temporary files are removed. */
export function abortOnSignals(): AbortSignal {
  const stopping = new AbortController();
  const stop = (code: number) => () => {
    process.exitCode = code;
    stopping.abort();
  };
  process.on('SIGINT', stop(130));
  process.on('SIGTERM', stop(143));
  return stopping.signal;
}
