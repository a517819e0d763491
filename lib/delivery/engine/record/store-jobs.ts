import { releaseLeases } from '@/lib/delivery/engine/claims/due-work-poller';
import { deliveryLease } from '@/lib/delivery/engine/lease';
import { rescheduleEntry } from '@/lib/delivery/engine/outbox/outbox-failures';
import type { LeasedDelivery, OutboxEntry } from '@/lib/delivery/engine/types';
import { isDatabaseUnreachable } from '@/lib/platform/database-errors';
import { hotDatabase } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { loggedIds, STORE_BATCH_ROWS, storeDeliveries } from './store-deliveries';

/**
 * Makes deliveries due at once for any worker: it ends the leases of stored deliveries and stores the others. After a failure they
 * are due again when their leases end. Never rejects.
 */
export async function releaseJobs(jobs: readonly LeasedDelivery[]): Promise<void> {
  const stored: LeasedDelivery[] = [];
  const unstored: LeasedDelivery[] = [];
  for (const job of jobs) {
    if (job.storing !== null) await job.storing;
    if (job.entry === null) stored.push(job);
    else unstored.push(job);
  }
  await releaseLeases(hotDatabase(), stored).catch((error: unknown) => {
    log().warn({ err: error, ...loggedIds(stored) }, 'leases could not be released; waiting for their end');
  });
  for (let from = 0; from < unstored.length; from += STORE_BATCH_ROWS) {
    await storeQueued(unstored.slice(from, from + STORE_BATCH_ROWS));
  }
}

/** Stores the deliveries of jobs, and leases them for this worker, which keeps the jobs. Never rejects. */
export async function storeWithLease(jobs: readonly LeasedDelivery[]): Promise<void> {
  const storing = storeInBatches(jobs);
  // Set before the first batch: a job of the last batch may end meanwhile, and must wait before it is recorded.
  for (const job of jobs) job.storing = storing;
  await storing;
  for (const job of jobs) job.storing = null;
}

async function storeInBatches(jobs: readonly LeasedDelivery[]): Promise<void> {
  for (let from = 0; from < jobs.length; from += STORE_BATCH_ROWS) {
    const batch = jobs.slice(from, from + STORE_BATCH_ROWS).filter(({ entry }) => entry !== null);
    const lease = deliveryLease();
    try {
      await storeDeliveries(hotDatabase(), batch, lease.seconds);
      for (const job of batch) job.leaseEndsAt = lease.endsAt;
    } catch (error) {
      log().warn(
        { err: error, ...loggedIds(batch) },
        'deliveries in flight could not be stored; they are stored with their results',
      );
    }
  }
}

/**
 * Stores deliveries as due now. The outbox rows of those that the database rejects are rescheduled. Never rejects.
 *
 * @returns the stored deliveries
 */
export async function storeQueued(jobs: readonly LeasedDelivery[]): Promise<readonly LeasedDelivery[]> {
  try {
    await storeDeliveries(hotDatabase(), jobs, 0);
    return jobs;
  } catch (error) {
    log().warn(
      { err: error, ...loggedIds(jobs) },
      'deliveries could not be stored; their outbox rows become due again',
    );
    return isDatabaseUnreachable(error) ? [] : storeByEntry(jobs, error);
  }
}

/** Stores the deliveries of each event alone, so that a rejected delivery does not delay other tenants. */
async function storeByEntry(jobs: readonly LeasedDelivery[], cause: unknown): Promise<readonly LeasedDelivery[]> {
  const groups = groupByEntry(jobs);
  if (groups.size <= 1) {
    await rescheduleEntries(jobs, cause);
    return [];
  }
  const stored: LeasedDelivery[] = [];
  for (const group of groups.values()) stored.push(...(await storeQueued(group)));
  return stored;
}

function groupByEntry(jobs: readonly LeasedDelivery[]): Map<OutboxEntry | null, LeasedDelivery[]> {
  const groups = new Map<OutboxEntry | null, LeasedDelivery[]>();
  for (const job of jobs) {
    const group = groups.get(job.entry);
    if (group === undefined) groups.set(job.entry, [job]);
    else group.push(job);
  }
  return groups;
}

/** The error of one row is logged for that row alone. */
async function rescheduleEntries(jobs: readonly LeasedDelivery[], cause: unknown): Promise<void> {
  const entries = new Set(jobs.flatMap(({ entry }) => entry ?? []));
  for (const entry of entries) {
    await rescheduleEntry(hotDatabase(), entry, cause).catch((error: unknown) => {
      log().warn(
        { err: error, outboxId: entry.id },
        'outbox row could not be rescheduled; it is due again when its lease ends',
      );
    });
    entry.onClosed?.();
  }
}
