import { responseRangeOf } from '@/lib/delivery/response-filter-policy';
import type { ListDeliveriesQuery } from '@/lib/delivery/schema';
import { storedStatusesOf } from '@/lib/events/delivery-state-policy';
import { splitPattern } from '@/lib/events/type-pattern-policy';
import { addMs } from '@/lib/platform/clock';
import { lowestIdAt, newId } from '@/lib/platform/ids';
import type { Page } from '@/lib/platform/pagination';
import {
  anyOf,
  type Condition,
  type IndexPrefix,
  inProject,
  type Scan,
  statementsOf,
} from '@/lib/platform/sql/bounded-scan';
import { DELIVERY } from './deliveries-sql';

/** What deliveries are selected by. A customer is the id of one (resolveCustomer). */
export type DeliveriesFilter = Omit<ListDeliveriesQuery, keyof Page> & {
  /** Looks at rows of the customer alone, as its portal must not learn what others have. */
  readsCustomerOnly?: boolean | undefined;
};

const COLUMNS = [
  'x.id',
  'x.project_id',
  'x.event_id',
  'x.incoming_event_id',
  'x.endpoint_id',
  'x.destination_id',
  'x.customer_id',
  'x.status',
  'x.attempt_count',
  'x.stored_attempts',
  'x.next_attempt_at',
  'x.last_attempt_at',
  'x.last_response_status',
  'x.last_error',
  'x.completed_at',
  'x.created_at',
];

/**
 * Returns the scan of the deliveries of a project that match, from the newest, or from the oldest. Ids start with the time of their
 * event, so `from` and `to` compare that.
 */
export function deliveryScan(projectId: string, filter: DeliveriesFilter, isAscending = false): Scan {
  const { exact, prefix } = splitPattern(filter.eventType ?? '*');
  const period = {
    lowest: filter.from === undefined ? null : lowestIdAt(filter.from),
    below: filter.to === undefined ? null : lowestIdAt(addMs(filter.to, 1)),
  };
  const conditions = [...conditionsOf(projectId, filter), ...typeConditions(exact, prefix)];
  const access = { ...accessOf(projectId, filter), requires: requirementsOf(projectId, filter) };
  if (access.isOfProject && exact !== null && !isAscending) {
    // Few events may have the type, so it starts from them. One without deliveries counts as a row, too.
    const lateral = 'LEFT JOIN LATERAL (SELECT * FROM deliveries d WHERE d.event_id = s.id OFFSET 0) x ON true';
    const indexes = [[['s.project_id', projectId] as const, ['s.type', exact] as const]];
    const byTime = { key: 's.id', id: 'x.id', table: 'deliveries' };
    return { from: `events s ${lateral}`, columns: COLUMNS, indexes, ...period, conditions, byTime };
  }
  return { from: 'deliveries x', columns: COLUMNS, ...access, ...period, conditions, isAscending };
}

/** Returns the index of deliveries with the fewest rows that may match. */
function accessOf(
  projectId: string,
  filter: DeliveriesFilter,
): { indexes: IndexPrefix[]; only?: string; isOfProject?: true } {
  const { id, eventId, incomingEventId, endpointId, destinationId, customer, readsCustomerOnly } = filter;
  const by = (column: string, value: string): IndexPrefix => [[`x.${column}`, value]];
  if (id !== undefined) return { indexes: ['id', 'event_id', 'incoming_event_id'].map((column) => by(column, id)) };
  if (eventId !== undefined) return { indexes: [by('event_id', eventId)] };
  if (incomingEventId !== undefined) return { indexes: [by('incoming_event_id', incomingEventId)] };
  const statuses = unsucceededOf(filter);
  if (statuses !== null && readsCustomerOnly !== true) {
    const indexes = statuses.map((status): IndexPrefix => [...by('project_id', projectId), ['x.status', status]]);
    return { indexes, only: `x.status <> 'SUCCEEDED'` };
  }
  if (endpointId !== undefined) return { indexes: [by('endpoint_id', endpointId)] };
  if (destinationId !== undefined) return { indexes: [by('destination_id', destinationId)] };
  if (customer !== undefined) return { indexes: [by('customer_id', customer)] };
  return { indexes: [by('project_id', projectId)], isOfProject: true };
}

/** Returns the conditions that the resources a filter names are of the project, and of the customer. */
function requirementsOf(projectId: string, filter: DeliveriesFilter): Condition[] {
  const { id, eventId, incomingEventId, endpointId, destinationId, customer } = filter;
  const event = (eventId: string) =>
    customer === undefined ? inProject('events', eventId, projectId) : sentTo(customer, eventId, projectId);
  const conditions: (Condition | false)[] = [
    eventId !== undefined && event(eventId),
    incomingEventId !== undefined && inProject('incoming_events', incomingEventId, projectId),
    endpointId !== undefined && inProject('endpoints', endpointId, projectId),
    endpointId !== undefined &&
      customer !== undefined && [
        'EXISTS (SELECT FROM endpoints WHERE id = ? AND customer_id = ?)',
        endpointId,
        customer,
      ],
    destinationId !== undefined && inProject('destinations', destinationId, projectId),
    id !== undefined &&
      anyOf(inProject('deliveries', id, projectId), event(id), inProject('incoming_events', id, projectId)),
  ];
  return conditions.filter((condition) => condition !== false);
}

/**
 * Returns the condition that an event of a project was sent to a customer. OFFSET 0: otherwise the planner might read all deliveries to the
 * customer.
 */
function sentTo(customer: string, eventId: string, projectId: string): Condition {
  const [isOfProject, ...values] = inProject('events', eventId, projectId);
  const sent = 'SELECT customer_id FROM deliveries WHERE event_id = ? OFFSET 0';
  return [`${isOfProject} AND EXISTS (SELECT FROM (${sent}) d WHERE d.customer_id = ?)`, ...values, eventId, customer];
}

/** Returns the statuses that a filter allows; null when it allows success. The last response says whether a delivery succeeded. */
function unsucceededOf(filter: DeliveriesFilter): readonly string[] | null {
  const { statuses } = storedStatusesOf(filter.status);
  if (statuses !== null) return statuses.includes('SUCCEEDED') ? null : statuses;
  return isUnsucceeded(filter) ? ['PENDING', 'FAILED'] : null;
}

function isUnsucceeded(filter: DeliveriesFilter): boolean {
  const range = responseRangeOf(filter.responseStatus);
  return range === 'none' || (range !== null && (range[0] < 200 || range[0] > 299));
}

function conditionsOf(projectId: string, filter: DeliveriesFilter): Condition[] {
  const { statuses, hasAttempts } = storedStatusesOf(filter.status);
  const range = responseRangeOf(filter.responseStatus);
  const { id, endpointId, eventId, destinationId, incomingEventId, customer } = filter;
  const conditions: (Condition | false)[] = [
    ['x.project_id = ?', projectId],
    statuses !== null && ['x.status = ANY(?)', statuses],
    endpointId !== undefined && ['x.endpoint_id = ?', endpointId],
    eventId !== undefined && ['x.event_id = ?', eventId],
    destinationId !== undefined && ['x.destination_id = ?', destinationId],
    incomingEventId !== undefined && ['x.incoming_event_id = ?', incomingEventId],
    customer !== undefined && ['x.customer_id = ?', customer],
    hasAttempts !== null && [`(x.status <> 'PENDING' OR (x.attempt_count > 0) = ?)`, hasAttempts],
    isUnsucceeded(filter) && [`x.status <> 'SUCCEEDED'`],
    range === 'none' && ['x.last_response_status IS NULL AND x.attempt_count > 0'],
    range !== null && range !== 'none' && ['x.last_response_status BETWEEN ? AND ?', ...range],
    id !== undefined && ['? IN (x.id, x.event_id, x.incoming_event_id)', id],
  ];
  return conditions.filter((condition) => condition !== false);
}

function typeConditions(exact: string | null, prefix: string | null): Condition[] {
  // Behind EXISTS, the planner might read all events.
  const ofType = (matches: string) => `(SELECT ${matches} FROM events t WHERE t.id = x.event_id)`;
  if (exact !== null) return [[ofType('t.type = ?'), exact]];
  return prefix === null ? [] : [[ofType('starts_with(t.type, ?)'), prefix]];
}

const ID = newId();
const TIMES = { from: new Date(0), to: new Date(0) };
/** Scans of every index, with every condition. */
const CHECKED: DeliveriesFilter[] = [
  {},
  { eventType: 'a' },
  { eventType: 'a.*', id: ID, eventId: ID, incomingEventId: ID, ...TIMES },
  { customer: ID },
  { customer: ID, status: 'FAILED', readsCustomerOnly: true },
  { customer: ID, eventId: ID },
  { endpointId: ID, destinationId: ID, customer: ID, status: 'QUEUED', responseStatus: 'none' },
  { responseStatus: '5xx', status: 'SUCCEEDED' },
  { status: 'UNDELIVERED' },
];
export const CHECKED_STATEMENTS = CHECKED.flatMap((filter) => statementsOf(deliveryScan(ID, filter), DELIVERY));
