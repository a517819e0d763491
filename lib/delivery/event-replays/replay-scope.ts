import { findNamedCustomer } from '@/lib/customers/customers';
import type { CreateEventReplayBody } from '@/lib/delivery/schema';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { AppError, fieldError, notFound } from '@/lib/platform/errors';
import { readEndpoint } from './read-endpoint';
import type { ReplayScope } from './replayed-events-sql';

/**
 * Checks what a body asks for, and returns what its replay looks at.
 * @throws AppError validation_failed for events that retention has removed, and for a customer that the project does not have; not_found
 *   for an endpoint that it does not have; conflict for a disabled one
 */
export async function readScope(
  projectId: string,
  { from, to, endpointId, customer, eventType, select }: CreateEventReplayBody,
  at: Date,
): Promise<ReplayScope> {
  const days = config().DATA_RETENTION_EVENTS_DAYS;
  if (from < addMs(at, -days * DAY_MS)) {
    throw fieldError('from', `must be within the last ${days} days: older events are not stored`);
  }
  const endpoint = endpointId === undefined ? null : await readEndpoint(database(), projectId, endpointId);
  if (endpoint?.isDeleted === true) throw notFound('endpoint');
  if (endpoint?.enabled === false) {
    throw new AppError('conflict', 'The endpoint is paused or disabled. Enable it, then replay.');
  }
  return {
    projectId,
    select,
    from,
    // Later events are sent anyway, and a replay that included them might never end.
    to: to !== undefined && to < at ? to : at,
    endpoint,
    customerId: customer === undefined ? null : (await findNamedCustomer(database(), projectId, customer)).id,
    eventType: eventType ?? null,
    at,
  };
}
