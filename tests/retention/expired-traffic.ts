import { DAY_MS } from '@/lib/platform/clock';
import { createPartitionsAhead } from '@/lib/retention/partitions/create-partitions';
import { DAYS_AHEAD } from '@/lib/retention/partitions/partitions';
import { insertSimulatedProject } from './simulated-rows';
import type { SimulatedStore } from './simulated-store';
import { insertDay, makeRandom } from './simulated-traffic';

export interface TrafficOptions {
  /** Number of days, up to yesterday. */
  days: number;
  /** Multiple of the daily traffic of a small shop. */
  times?: number;
  seed: number;
}

/**
 * Inserts past traffic into every table that retention cleans. Each day has its partitions, except every seventh, whose rows
 * are in the default partitions.
 */
export async function insertTraffic({ days, times = 1, seed }: TrafficOptions): Promise<SimulatedStore> {
  const store: SimulatedStore = { sources: [], deadMails: [], tunnelLog: [] };
  const random = makeRandom(seed);
  const project = await insertSimulatedProject();
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  for (let ago = days; ago >= 1; ago -= DAYS_AHEAD + 2) await createPartitionsAhead(new Date(today - ago * DAY_MS));
  await createPartitionsAhead(new Date(today));
  for (let ago = days; ago >= 1; ago -= 1) {
    for (let time = 0; time < times; time += 1) await insertDay(store, project, today - ago * DAY_MS, random);
  }
  return store;
}
