import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';

/**
 * Sends GETs at a fixed rate, without waiting for responses.
 * @returns the latency of each, in milliseconds
 */
export async function requestAtPace(
  pool: Pool,
  path: string,
  headers: Record<string, string>,
  perSecond: number,
  ms: number,
): Promise<number[]> {
  const latenciesMs: number[] = [];
  const sending: Promise<void>[] = [];
  const started = performance.now();
  for (let index = 0; index < (perSecond * ms) / 1000; index++) {
    const waitMs = started + (index * 1000) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    sending.push(timeOf(pool, path, headers).then((latencyMs) => void latenciesMs.push(latencyMs)));
  }
  await Promise.all(sending);
  return latenciesMs;
}

async function timeOf(pool: Pool, path: string, headers: Record<string, string>): Promise<number> {
  const sentAt = performance.now();
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
  await body.text();
  if (statusCode !== 200) throw new Error(`GET ${path} got ${statusCode}`);
  return performance.now() - sentAt;
}
