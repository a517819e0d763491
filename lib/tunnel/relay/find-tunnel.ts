import { AppError } from '@/lib/platform/errors';
import type { PublicTunnel } from '@/lib/tunnel/types';
import { MAX_LOOKUPS, MAX_WAITING_LOOKUPS } from './limits';
import { TimedCache } from './timed-cache';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Makes a function that finds the tunnel of a token, and remembers it for a second, unknown ones too. Few lookups run at
 * once, so a flood of unknown tokens leaves connections to the database for others.
 * @throws AppError overloaded when too many lookups wait
 */
export function tunnelFinder(
  find: (token: string) => Promise<PublicTunnel | null>,
): (token: string) => Promise<PublicTunnel | null> {
  let running = 0;
  const waiting: (() => void)[] = [];
  const read = async (token: string) => {
    if (running >= MAX_LOOKUPS) {
      if (waiting.length >= MAX_WAITING_LOOKUPS) {
        throw new AppError('overloaded', 'Too many requests at once. Try again.', { retryAfterSeconds: 1 });
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await find(token);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
  const cache = new TimedCache(read);
  return async (token) => (TOKEN.test(token) ? cache.get(token) : null);
}
