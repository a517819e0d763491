import { setTimeout as sleep } from 'node:timers/promises';
import { type ByPart, cpuMsByPart, differenceByPart, pssMibByPart } from './process-cost';

const WATCHED_MS = 10_000;

/** CPU and memory of an idle product. */
export interface IdleCost {
  /** CPU as a share of one core (1 is a full core). */
  cpuShare: ByPart;
  pssMib: ByPart;
}

/** Latencies for `afterMs` after the start and measures the last ten seconds of it. */
export async function measureIdle(pid: number, afterMs: number): Promise<IdleCost> {
  await sleep(afterMs - WATCHED_MS);
  const before = cpuMsByPart(pid);
  await sleep(WATCHED_MS);
  const used = differenceByPart(before, cpuMsByPart(pid));
  const cpuShare = Object.fromEntries(Object.entries(used).map(([part, ms]) => [part, ms / WATCHED_MS])) as ByPart;
  return { cpuShare, pssMib: pssMibByPart(pid) };
}
