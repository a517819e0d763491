import { config } from '@/lib/platform/config/config';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { ANSWER_TIMEOUT_MS } from '@/lib/platform/net/failure-reason';
import type { Origin } from '@/lib/platform/origin';
import { consumeRateLimit } from '@/lib/platform/rate-limit';

/** Tests under way at once in a process. Each holds a connection for as long as the receiver pleases, within 15 s. */
const AT_ONCE = { endpoint: 3, project: 5, process: 50 };
/** By then the tests that are under way have ended. */
const RETRY_AFTER_SECONDS = ANSWER_TIMEOUT_MS / 1000;

/**
 * Runs a test of an endpoint, if there is room for it at once, and counts it to what its project may send in a minute.
 * What is refused for want of room does not count.
 * @throws AppError rate_limited
 */
export async function limitTests<T>(
  { projectId, endpointId }: { projectId: string; endpointId: string },
  origin: Origin,
  test: () => Promise<T>,
): Promise<T> {
  const release = acquireSlots([
    { key: endpointId, width: AT_ONCE.endpoint, full: 'As many tests of this endpoint as may be are under way.' },
    { key: projectId, width: AT_ONCE.project, full: 'As many tests in this project as may be are under way.' },
    { key: 'process', width: AT_ONCE.process, full: 'Too many tests of endpoints are under way.' },
  ]);
  try {
    await countToMinute(projectId, origin);
    return await test();
  } finally {
    release();
  }
}

/** One place of each, or none. */
function acquireSlots(slots: { key: string; width: number; full: string }[]): () => void {
  const underWay = once('endpoint-tests', () => new Map<string, number>());
  for (const { key, width, full } of slots) {
    if ((underWay.get(key) ?? 0) < width) continue;
    const detail = `${full} Try again when one has ended.`;
    throw new AppError('rate_limited', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  for (const { key } of slots) underWay.set(key, (underWay.get(key) ?? 0) + 1);
  return () => {
    for (const { key } of slots) {
      const left = (underWay.get(key) ?? 1) - 1;
      if (left > 0) underWay.set(key, left);
      else underWay.delete(key);
    }
  };
}

async function countToMinute(projectId: string, origin: Origin): Promise<void> {
  const points = config().PROJECT_ENDPOINT_TESTS_PER_MINUTE;
  const limit = { name: 'endpoint-test', key: projectId, points, windowSeconds: 60 };
  const verdict = await consumeRateLimit(limit, origin);
  if (verdict.allowed) return;
  const { retryAfterSeconds } = verdict;
  const detail = `A project may send ${points} tests in a minute. Try again in ${retryAfterSeconds} s.`;
  throw new AppError('rate_limited', detail, { retryAfterSeconds });
}
