import { setTimeout as sleep } from 'node:timers/promises';
import { type ByPart, cpuMsByPart, gainByPart, pssMibByPart } from './process-costs';

const WATCHED_MS = 10_000;

/** What the product costs while nothing happens. */
export interface IdleCost {
  /** CPU as a share of one core (1 is a whole core). */
  cpuShare: ByPart;
  pssMib: ByPart;
}

/** Watches the product for the last ten seconds of `afterMs`, counted from now, its start. */
export async function measureIdle(pid: number, afterMs: number): Promise<IdleCost> {
  await sleep(afterMs - WATCHED_MS);
  const before = cpuMsByPart(pid);
  await sleep(WATCHED_MS);
  const used = gainByPart(before, cpuMsByPart(pid));
  const cpuShare = Object.fromEntries(Object.entries(used).map(([part, ms]) => [part, ms / WATCHED_MS])) as ByPart;
  return { cpuShare, pssMib: pssMibByPart(pid) };
}
