import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@/lib/platform/clock';

/** Waits for the next UTC day when this one ends within `ms`: for tests that name days by the real time. */
export async function avoidMidnight(ms: number): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < ms) await sleep(leftMs + 100);
}
