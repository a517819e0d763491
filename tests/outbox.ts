import { firstDelivery, takeEntries } from '@/lib/delivery/engine/outbox/take-entries';
import { storeDeliveries } from '@/lib/delivery/engine/record/store-deliveries';
import type { Job } from '@/lib/delivery/engine/types';
import { database, type Sql } from '@/lib/platform/db';

/** Claims the first attempts of a project's due events, as a worker does: leased in the outbox, deliveries not yet stored. */
export async function claimFirstJobs(projectId: string, most = 100, sql: Sql = database()): Promise<Job[]> {
  const { entries } = await takeEntries(sql, [{ projectId, most }]);
  return entries.flatMap((taken) =>
    taken.targets.flatMap(({ id }) => {
      const delivery = firstDelivery(taken, { id, kind: 'endpoint' });
      return taken.message === null ? [] : [{ ...delivery, message: taken.message }];
    }),
  );
}

/** Claims the first attempts and stores their deliveries, due at once unless a lease is given. */
export async function claimAndStore(projectId: string, leaseSeconds = 0, sql: Sql = database()): Promise<Job[]> {
  const jobs = await claimFirstJobs(projectId, 100, sql);
  await storeDeliveries(sql, jobs, leaseSeconds);
  return jobs;
}
