import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';

interface Window {
  /** By performance.now(). */
  endsAt: number;
  count: number;
}

/**
 * Counts a request to a source in one-minute windows. Each web process keeps its own count: a shared one would cost a
 * statement per request. Synchronous, because a promise would cost as much as verifying the signature.
 * @throws AppError rate_limited beyond SOURCE_REQUESTS_PER_MINUTE
 */
export function limitSource(sourceId: string): void {
  const windows = once('source-limiter', () => new Map<string, Window>());
  const now = performance.now();
  const window = windows.get(sourceId);
  if (window === undefined || window.endsAt <= now) {
    dropEnded(windows, now);
    windows.set(sourceId, { endsAt: now + MINUTE_MS, count: 1 });
    return;
  }
  window.count += 1;
  if (window.count <= config().SOURCE_REQUESTS_PER_MINUTE) return;
  throw new AppError('rate_limited', 'This source is receiving too many requests. Send this one again later.', {
    retryAfterSeconds: Math.max(1, Math.ceil((window.endsAt - now) / SECOND_MS)),
  });
}

/**
 * Windows are in the order in which they end, so this leaves only those of the last minute: one per source with a request.
 */
function dropEnded(windows: Map<string, Window>, now: number): void {
  for (const [id, { endsAt }] of windows) {
    if (endsAt > now) return;
    windows.delete(id);
  }
}
