import { idRange, newId } from '@/lib/platform/ids';
import type { Page } from '@/lib/platform/pagination';
import { type Condition, type IndexPrefix, type Scan, statementsOf } from '@/lib/platform/sql/bounded-scan';
import { storedStatusOf } from './delivery-state-policy';
import { EVENT_ROWS } from './events-sql';
import type { ListEventsQuery } from './schema';
import { splitPattern } from './type-pattern-policy';

/** What events are selected by. */
export type EventsFilter = Omit<ListEventsQuery, keyof Page>;

const COLUMNS = ['x.id', 'x.project_id', 'x.type', 'x.created_at'];

/** Returns the scan of the events of a project that match. */
export function eventScan(projectId: string, filter: EventsFilter): Scan {
  const { id, type, status, endpointId } = filter;
  const conditions = conditionsOf(projectId, filter);
  if (status !== undefined || endpointId !== undefined) return byDelivery(projectId, filter, conditions);
  const { exact } = splitPattern(type ?? '*');
  const ofProject: IndexPrefix = [['x.project_id', projectId]];
  const index: IndexPrefix =
    id !== undefined ? [['x.id', id]] : exact !== null ? [...ofProject, ['x.type', exact]] : ofProject;
  return { from: 'events x', columns: COLUMNS, indexes: [index], ...idRange(filter), conditions };
}

/** Starts from the deliveries: few may have failed, and an event may have a thousand. */
function byDelivery(projectId: string, filter: EventsFilter, ofEvent: readonly Condition[]): Scan {
  const { id, endpointId } = filter;
  const { status, hasAttempts } = storedStatusOf(filter.status);
  const isUnsucceeded = status !== null && status !== 'SUCCEEDED';
  const ofProject: IndexPrefix = [['x.project_id', projectId]];
  const index: IndexPrefix =
    id !== undefined
      ? [['x.event_id', id]]
      : isUnsucceeded
        ? [...ofProject, ['x.status', status]]
        : endpointId !== undefined
          ? [['x.endpoint_id', endpointId]]
          : ofProject;
  const [sql, values] = [ofEvent.map(([text]) => text).join(' AND '), ofEvent.flatMap(([, ...given]) => given)];
  const conditions: (Condition | false)[] = [
    ['x.project_id = ?', projectId],
    status !== null && ['x.status = ?', status],
    hasAttempts !== null && ['(x.attempt_count > 0) = ?', hasAttempts],
    endpointId !== undefined && ['x.endpoint_id = ?', endpointId],
    // Behind EXISTS, the planner might read all events.
    [`(SELECT ${sql} FROM (SELECT * FROM events e WHERE e.id = x.event_id) x)`, ...values],
  ];
  return {
    from: 'deliveries x',
    columns: ['x.project_id', 'x.event_id', 'x.endpoint_id', 'x.status', 'x.attempt_count'],
    indexes: [index],
    ...(isUnsucceeded && id === undefined ? { only: `x.status <> 'SUCCEEDED'` } : {}),
    ...idRange(filter),
    conditions: conditions.filter((condition) => condition !== false),
    byTime: { key: 'x.id', id: 'x.event_id', table: 'events' },
  };
}

function conditionsOf(projectId: string, { id, type, from, to }: EventsFilter): Condition[] {
  const { exact, prefix } = splitPattern(type ?? '*');
  const conditions: (Condition | false)[] = [
    ['x.project_id = ?', projectId],
    id !== undefined && ['x.id = ?', id],
    exact !== null && ['x.type = ?', exact],
    prefix !== null && ['starts_with(x.type, ?)', prefix],
    from !== undefined && ['x.created_at >= ?', from],
    to !== undefined && ['x.created_at <= ?', to],
  ];
  return conditions.filter((condition) => condition !== false);
}

const ID = newId();
const EVERY: EventsFilter = { id: ID, type: 'a.*', from: new Date(0), to: new Date(0) };
const CHECKED: EventsFilter[] = [
  ...[{}, { type: 'a' }, EVERY, { status: 'SUCCEEDED' as const }, { status: 'QUEUED' as const, endpointId: ID }],
  ...[{ endpointId: ID }, { ...EVERY, endpointId: ID }],
];
export const CHECKED_STATEMENTS = CHECKED.flatMap((filter) => statementsOf(eventScan(ID, filter), EVENT_ROWS));
