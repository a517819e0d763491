import { hotDatabase, isDatabaseAway, sqlState, type Transaction } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';

/** A second try waits no longer than this for a connection: its senders have waited once already. */
const QUICK_CONNECT_MS = 1_000;

/**
 * Runs a statement on a connection of the pool. What fails in here was sent; what fails before has one error of its own.
 * @throws AppError unavailable when no connection is to be had
 */
export async function withIngestConnection<T>(isQuick: boolean, work: (client: Transaction) => Promise<T>): Promise<T> {
  const client = await (isQuick ? connectQuickly() : hotDatabase().connect()).catch((error: unknown) => {
    throw isDatabaseAway(error) ? unavailable(error) : error;
  });
  let isBroken = false;
  try {
    return await work(client);
  } catch (error) {
    isBroken = isDatabaseAway(error) || sqlState(error) === undefined;
    throw error;
  } finally {
    client.release(isBroken);
  }
}

async function connectQuickly(): Promise<Transaction> {
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

/** What a sender is told whose event could not be stored just now, or of which nobody knows whether it was. */
export function unavailable(cause?: unknown): AppError {
  const detail = 'The event could not be stored just now. Send it again.';
  return Object.assign(new AppError('unavailable', detail, { retryAfterSeconds: 2 }), { cause });
}
