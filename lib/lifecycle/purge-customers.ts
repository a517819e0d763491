import { isMoveTarget } from '@/lib/platform/cells/cells';
import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { FEW_TRIES, isLockUnavailable, retryLockedTransaction } from '@/lib/platform/retry-locked-transaction';
import { LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import {
  deleteCustomer,
  deleteDeliveriesOf,
  deleteEndpointsOf,
  deleteEvents,
  deleteOutboxOf,
  findRemainingOf,
  selectDeletedCustomers,
  selectEventsOf,
} from './purge-customers-sql';
import { type PurgePace, rest } from './purge-project';
import { deleteAttempts } from './purge-sql';

/** Customers of one round, how long one is worked on before the next, and how long a round keeps other erasures waiting. */
const CUSTOMERS = 100;
const TURN_MS = 2_000;
const ROUND_MS = 20_000;
const BATCH_EVENTS = 200;
const BATCH_DELIVERIES = 1_000;

interface DeletedCustomer {
  id: string;
  project_id: string;
}

/**
 * Removes what is left of deleted customers: their events, deliveries and attempts, their endpoints, and their rows. Several processes
 * may run it at once, and one that is killed loses nothing.
 * @param signal ends it after the current batch
 * @returns whether there is more to remove at once
 */
export async function purgeDeletedCustomers(signal?: AbortSignal): Promise<boolean> {
  const customers = await selectDeletedCustomers.all(database(), { limit: CUSTOMERS });
  const roundEndsAt = performance.now() + ROUND_MS;
  let gone = 0;
  let outOfTime = 0;
  for (const customer of customers) {
    if (signal?.aborted === true) return false;
    if (performance.now() >= roundEndsAt) return true;
    const pace = { endsAt: performance.now() + TURN_MS, isPaced: true, ...(signal === undefined ? {} : { signal }) };
    try {
      if (!(await removeEvents(customer, pace))) outOfTime += 1;
      else if (await removeCustomer(customer)) gone += 1;
    } catch (error) {
      // Another transaction holds a row, or the database failed: one customer must not block the others.
      if (!isLockUnavailable(error)) log().warn({ err: error }, 'deleted customer not removed; retrying in a minute');
    }
  }
  if (gone > 0) log().info({ customers: gone }, 'removed deleted customers');
  // A round looks at few of each project.
  return outOfTime > 0 || gone > 0;
}

/** Removes the events of a customer, except those that somebody holds. @returns false when time runs out */
async function removeEvents({ id, project_id: project }: DeletedCustomer, pace: PurgePace): Promise<boolean> {
  for (let above = LOWEST_ID; ; ) {
    let startedAt = performance.now();
    const rows = await selectEventsOf.all(database(), { project, customer: id, above, limit: BATCH_EVENTS });
    const events = rows.map((row) => row.id);
    const last = events.at(-1);
    if (last === undefined) return true;
    await retryLockedTransaction((tx) => deleteOutboxOf.run(tx, { project, events }), FEW_TRIES);
    while ((await removeDeliveries(project, events)) === BATCH_DELIVERIES) {
      if (mustEnd(pace)) return false;
      await rest(performance.now() - startedAt, pace.signal);
      startedAt = performance.now();
    }
    await retryLockedTransaction((tx) => deleteEvents.run(tx, { project, events }), FEW_TRIES);
    if (mustEnd(pace)) return false;
    above = last;
    await rest(performance.now() - startedAt, pace.signal);
  }
}

const mustEnd = ({ endsAt, signal }: PurgePace) => performance.now() >= endsAt || signal?.aborted === true;

/** Removes a batch of the deliveries of events, with their attempts. @returns how many */
function removeDeliveries(project: string, events: readonly string[]): Promise<number> {
  return retryLockedTransaction(async (tx) => {
    const rows = await deleteDeliveriesOf.all(tx, { project, events, limit: BATCH_DELIVERIES });
    if (rows.length > 0) await deleteAttempts.run(tx, { deliveries: rows.map(({ id }) => id).toSorted() });
    return rows.length;
  }, FEW_TRIES);
}

/** Removes the endpoints and the row of a customer, unless it has an event or a delivery. */
function removeCustomer({ id: customer, project_id: project }: DeletedCustomer): Promise<boolean> {
  return retryLockedTransaction(async (tx) => {
    if (await isMoveTarget(tx)) return false;
    if ((await findRemainingOf.run(tx, { project, customer })) > 0) return false;
    await deleteEndpointsOf.run(tx, { project, customer });
    return (await deleteCustomer.run(tx, { project, customer })) > 0;
  }, FEW_TRIES);
}
