import type pg from 'pg';
import { isDatabaseUnreachable, sqlState } from '@/lib/platform/database-errors';
import { hotDatabase } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';

/** How long a second try waits for a connection: its senders have waited before. */
const QUICK_CONNECT_MS = 1_000;

/**
 * Runs work on a connection of the pool. Errors of the work pass through: after those, its statement may have run.
 * @throws AppError unavailable when there is no connection; then nothing was sent
 */
export async function withHotConnection<T>(isQuick: boolean, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await (isQuick ? connectQuickly() : hotDatabase().connect()).catch((error: unknown) => {
    throw isDatabaseUnreachable(error) ? unavailable(error) : error;
  });
  let isBroken = false;
  try {
    return await work(client);
  } catch (error) {
    isBroken = isDatabaseUnreachable(error) || sqlState(error) === undefined;
    throw error;
  } finally {
    client.release(isBroken);
  }
}

async function connectQuickly(): Promise<pg.PoolClient> {
  const connecting = hotDatabase().connect();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, QUICK_CONNECT_MS, null);
  });
  const client = await Promise.race([connecting, deadline]).finally(() => clearTimeout(timer));
  if (client !== null) return client;
  connecting.then(
    (late) => late.release(),
    () => undefined,
  );
  throw unavailable();
}

/** Makes the error of a row that may not have been stored: the sender should repeat it. */
export function unavailable(cause?: unknown): AppError {
  const detail = 'The request could not be stored. Send it again.';
  return Object.assign(new AppError('unavailable', detail, { retryAfterSeconds: 2 }), { cause });
}
