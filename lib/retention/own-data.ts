import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { lowestIdAt } from '@/lib/platform/ids';
import { countOrganizationRows } from './count-organization-rows';
import { countAttempts, countDeadOutbox, findOldest } from './own-data-sql';

/** An organization's rows of one class of data. */
export interface OwnRows {
  rows: number;
  isAtLeast: boolean;
  oldestAt: Date | null;
}

/** Counts events, incoming events or tunnel requests, and finds the oldest. */
export async function findOwnRows(
  organizationId: string,
  table: 'events' | 'incoming_events' | 'tunnel_request_log',
): Promise<OwnRows> {
  const [{ rows, isAtLeast }, oldest] = await Promise.all([
    countOrganizationRows(organizationId, table),
    findOldest[table].one(database(), organizationId),
  ]);
  return { rows, isAtLeast, oldestAt: oldest.at };
}

/** Counts the dead outbox rows of the organization's projects. Their age begins at `dead_at`. */
export async function findOwnDeadOutbox(organizationId: string): Promise<OwnRows> {
  const { rows, at } = await countDeadOutbox.one(database(), organizationId);
  return { rows, isAtLeast: false, oldestAt: at };
}

/** Attempts have no index by project: they are found by their deliveries, the oldest first. */
const WALKED_DELIVERIES = 10_000;
/** A delivery is tried for days, and its id has the time of its creation. */
const SLACK_DAYS = 8;

/** Counts the successful or the failed attempts of the organization's deliveries, which are kept for `days`. */
export async function findOwnAttempts(
  organizationId: string,
  succeeded: boolean,
  days: number,
  now: Date,
): Promise<OwnRows> {
  const lowestId = lowestIdAt(addMs(now, -(days + SLACK_DAYS) * DAY_MS));
  const { rows, is_at_least, at } = await countAttempts.one(
    database(),
    organizationId,
    WALKED_DELIVERIES,
    lowestId,
    succeeded,
  );
  return { rows, isAtLeast: is_at_least, oldestAt: at };
}
