import type { ProjectCaller } from '@/lib/audit/caller';
import { findOutboxStatus } from '@/lib/delivery/deliveries/deliveries-sql';
import { describeMisfit } from '@/lib/delivery/endpoints/evaluate-filter';
import { type FilteredEvent, toFilteredEvent } from '@/lib/delivery/filters/filter';
import type { RoutingItem } from '@/lib/delivery/schema';
import { mapInTurns } from '@/lib/orgs/tenant';
import { readHeavily } from '@/lib/platform/connection-shares';
import { database, type Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';
import { HIGHEST_ID } from '@/lib/platform/sql/bounded-scan';
import { type Route, type RoutedEndpoint, type RoutedEvent, routeOf } from './routing-policy';
import {
  findPayload,
  findRouted,
  findRoutedEvent,
  type RoutedRow,
  selectAllRouted,
  selectRouted,
  selectRoutedOfCustomer,
} from './routing-sql';

interface EventPath {
  projectId: string;
  eventId: string;
}

/** Which endpoints are listed: those that the event was for, all of the project, or those of its customer. */
export type RoutingScope = 'event' | 'all' | 'customer';

const SELECTS = { event: selectRouted, all: selectAllRouted, customer: selectRoutedOfCustomer };

/**
 * Says of endpoints, newest first, whether an event went to each, and why not. Filters are tried in turns with those of others.
 * @throws AppError not_found; rate_limited when much of the owner waits
 */
export async function listRouting(
  caller: ProjectCaller,
  { projectId, eventId }: EventPath,
  { limit, cursor = HIGHEST_ID }: Page,
  scope: RoutingScope,
): Promise<Listing<RoutingItem>> {
  const event = await readEvent(database(), { projectId, eventId });
  const of = { project: projectId, event: eventId };
  const rows = await readHeavily(() => SELECTS[scope].all(database(), { ...of, before: cursor, limit: limit + 1 }));
  const tried = await readTried(database(), { projectId, eventId }, event, rows);
  const isOfCustomer = scope === 'customer';
  const routes = await mapInTurns(caller, projectId, rows.slice(0, limit), (row) => ({
    id: row.id,
    endpointId: row.id,
    url: row.url,
    customerId: row.customer_id,
    deliveryId: row.delivery_id,
    ...presentRoute(
      routeOf(event, endpointOf(row), () => misfitOf(row, tried, isOfCustomer)),
      isOfCustomer,
    ),
  }));
  const { nextCursor } = toListing(rows, limit, (row) => row);
  return { data: routes.map(({ id: _, ...item }) => item), nextCursor };
}

/**
 * Says whether an event is on its way to an endpoint: it has a delivery, or a fan-out will make one.
 * @throws AppError not_found when the event is gone. @returns null for an endpoint that the project does not have
 */
export async function findRoute(
  sql: Sql,
  path: EventPath,
  endpointId: string,
): Promise<{ route: Route; endpoint: RoutedEndpoint; event: RoutedEvent } | null> {
  const event = await readEvent(sql, path);
  const rows = await findRouted.all(sql, { project: path.projectId, event: path.eventId, endpoint: endpointId });
  const [row] = rows;
  if (row === undefined) return null;
  const tried = await readTried(sql, path, event, rows);
  const endpoint = endpointOf(row);
  return { route: routeOf(event, endpoint, () => misfitOf(row, tried, false)), endpoint, event };
}

/** Reads an event before its deliveries: once its outbox row is gone, they are complete. @throws AppError not_found */
async function readEvent(sql: Sql, { projectId, eventId }: EventPath): Promise<RoutedEvent> {
  const of = { project: projectId, event: eventId };
  const row = await findRoutedEvent.first(sql, of);
  if (row === undefined) throw notFound('event');
  const queued = await findOutboxStatus.first(sql, of);
  return {
    type: row.type,
    createdAt: row.created_at,
    customerId: row.customer_id,
    fanOutStatus: queued?.status ?? 'COMPLETED',
  };
}

function endpointOf(row: RoutedRow): RoutedEndpoint {
  return {
    customerId: row.customer_id,
    receivesCustomerEvents: row.receives_customer_events,
    enabled: row.enabled,
    createdAt: row.created_at,
    deletedAt: row.deleted_at,
    routingChangedAt: row.routing_changed_at,
    matching: row.matching,
    patterns: row.patterns,
    period:
      row.period_starts_at === null
        ? null
        : { startsAt: row.period_starts_at, endsAt: row.period_ends_at, reason: row.period_reason },
    periodsKnownFrom: row.periods_known_from,
    deliveryId: row.delivery_id,
  };
}

/** Reads what filters read of an event, if one of them decides. */
async function readTried(
  sql: Sql,
  { projectId, eventId }: EventPath,
  event: RoutedEvent,
  rows: readonly RoutedRow[],
): Promise<FilteredEvent | null> {
  const decides = (row: RoutedRow) => {
    let isTried = false;
    routeOf(event, endpointOf(row), () => {
      isTried = true;
      return null;
    });
    return isTried && row.filter !== null;
  };
  if (!rows.some(decides)) return null;
  const payload = (await findPayload.first(sql, { project: projectId, event: eventId }))?.payload;
  if (payload === undefined) throw notFound('event');
  return toFilteredEvent(event.type, payload);
}

function misfitOf({ filter }: RoutedRow, event: FilteredEvent | null, isOfCustomer: boolean): string | null {
  const misfit = filter === null || event === null ? null : describeMisfit(filter, event);
  // The filter is the company's.
  return misfit !== null && isOfCustomer ? 'A filter of this endpoint leaves the event out.' : misfit;
}

const REMEDIES = { send: ' Send this event to it.', enable: ' Enable it, then send this event to it.' };

/** Customers cannot send events. */
const OF_CUSTOMER = { send: '', enable: ' Enable it for later events.' };

function presentRoute(
  { outcome, fact, remedy }: Route,
  isOfCustomer: boolean,
): Pick<RoutingItem, 'outcome' | 'reason'> {
  const remedies = isOfCustomer ? OF_CUSTOMER : REMEDIES;
  return { outcome, reason: `${fact}${remedy === null ? '' : remedies[remedy]}` };
}
