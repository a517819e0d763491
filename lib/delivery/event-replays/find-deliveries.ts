import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import type { EventReplaySelect } from '@/lib/delivery/schema';
import type { Sql } from '@/lib/platform/db';
import { LOWEST_ID, scanPage } from '@/lib/platform/sql/bounded-scan';
import {
  MAX_EXAMINED_DELIVERIES,
  type ReplayScope,
  replayedEventScan,
  SIZED_EVENTS,
  selectEnded,
  selectMatching,
  selectMatchingOfEndpoint,
  selectStates,
  selectUnfinished,
} from './replayed-events-sql';

/** How far a replay has come: after an event, or after an endpoint of that event. Null at the start. */
export interface Position {
  eventId: string | null;
  endpointId: string | null;
}

/** Limits of what is read together. A single event may have more endpoints: the next reading continues with them. */
export interface ReadLimits {
  /** Of the first page of events. Each further page has twice as many. */
  firstEvents: number;
  mostEvents: number;
  /** Pairs of an event and an endpoint, also one that gets nothing. No further page is read when there are as many. */
  mostPairs: number;
}

/** A delivery that a replay may make: a missing one, whose filter may decide, or an ended one, which is sent again. */
export interface FoundDelivery {
  id: string;
  eventId: string;
  endpointId: string;
  /** The customer of the endpoint. */
  customerId: string | null;
  isMissing: boolean;
  isFiltered: boolean;
}

/** What a replay looks at next. */
export interface Found {
  /** In order. */
  events: { id: string; bytes: number }[];
  /** By event, then by endpoint. */
  deliveries: FoundDelivery[];
  /** Events that a fan-out may be sending. */
  unfinished: string[];
  /** Deliveries that wait for an attempt, by event. */
  waiting: { eventId: string; endpointId: string }[];
  /** How many deliveries it has looked at, missing ones included. */
  examined: number;
  /** Where it ends. */
  end: Position;
  /** Whether nothing follows. */
  isLast: boolean;
}

interface Pair {
  eventId: string;
  endpointId: string;
  customerId: string | null;
  /** Whether the endpoint is subscribed to the event. */
  isSubscribed: boolean;
  isFiltered: boolean;
}

/** Whether an event, or a pair, is at or before a position. */
export function isReached({ eventId, endpointId }: { eventId: string; endpointId?: string }, end: Position): boolean {
  if (end.eventId === null || eventId > end.eventId) return false;
  if (eventId < end.eventId || end.endpointId === null) return true;
  return endpointId !== undefined && endpointId <= end.endpointId;
}

/** Reads what a replay looks at after a position: events from the oldest on, and which deliveries of them it may make. */
export async function findDeliveries(
  sql: Sql,
  scope: ReplayScope,
  start: Position,
  limits: ReadLimits,
): Promise<Found> {
  const found: Found = {
    events: [],
    deliveries: [],
    unfinished: [],
    waiting: [],
    examined: 0,
    end: start,
    isLast: false,
  };
  let pairs = 0;
  for (let size = limits.firstEvents; ; size *= 2) {
    const page = await readPage(sql, scope, found.end, { size, mostPairs: limits.mostPairs });
    found.events.push(...page.events);
    found.unfinished.push(...page.unfinished);
    found.deliveries.push(...page.deliveries);
    found.waiting.push(...page.waiting);
    found.examined += page.examined;
    pairs += page.pairs;
    found.end = page.end;
    found.isLast = page.isLast;
    const isFull = page.end.endpointId !== null || pairs >= limits.mostPairs / 2;
    const isSparse = page.events.length === 0;
    if (found.isLast || isFull || isSparse || found.events.length >= limits.mostEvents) return found;
  }
}

async function readPage(
  sql: Sql,
  scope: ReplayScope,
  start: Position,
  { size, mostPairs }: { size: number; mostPairs: number },
): Promise<Found & { pairs: number }> {
  const { rows: events, next } = await scanPage(sql, scanAfter(scope, start), pageAfter(start, size), SIZED_EVENTS);
  const last = next ?? events.at(-1)?.id ?? start.eventId;
  const ids = events.map(({ id }) => id);
  // Before the deliveries are read: those of an event that is not in the outbox any more are stored.
  const unfinished = new Set((await selectUnfinished.all(sql, { events: ids })).map(({ event_id }) => event_id));
  const { pairs, counted, examined, cut } = await readPairs(sql, scope, start, {
    events: ids.filter((id) => !unfinished.has(id)),
    most: mostPairs,
  });
  const end = cut === null ? { eventId: last, endpointId: null } : positionOf(cut);
  const reached = events.filter(({ id }) => end.eventId !== null && id <= end.eventId);
  return {
    events: reached,
    ...(await judge(sql, scope, pairs)),
    pairs: counted,
    examined,
    unfinished: reached.filter(({ id }) => unfinished.has(id)).map(({ id }) => id),
    end,
    isLast: next === null && cut === null,
  };
}

/** Returns the position after a delivery. */
export function positionOf({ eventId, endpointId }: { eventId: string; endpointId: string }): Position {
  return { eventId, endpointId };
}

/** Returns the scan of the events after a position, with the event of which only some endpoints were reached. */
function scanAfter(scope: ReplayScope, { eventId, endpointId }: Position) {
  const scan = replayedEventScan(scope);
  return eventId === null || endpointId === null ? scan : { ...scan, lowest: eventId };
}

function pageAfter({ eventId, endpointId }: Position, limit: number) {
  return { limit, cursor: endpointId === null ? (eventId ?? undefined) : undefined };
}

/** Endings of deliveries that are sent again. */
const AGAIN: Readonly<Record<EventReplaySelect, readonly string[]>> = {
  MISSING: [],
  FAILED: ['FAILED'],
  ALL: ['FAILED', 'SUCCEEDED'],
};

/** Returns the endings of deliveries that a replay sends again. */
export function statusesOf({ select }: ReplayScope): readonly string[] {
  return AGAIN[select];
}

/** Reads the endpoints of events that a replay looks at. `cut`: where it ends, as there are more than one reading looks at. */
async function readPairs(
  sql: Sql,
  scope: ReplayScope,
  start: Position,
  { events, most }: { events: string[]; most: number },
): Promise<{ pairs: Pair[]; counted: number; examined: number; cut: PairKey | null }> {
  if (events.length === 0) return { pairs: [], counted: 0, examined: 0, cut: null };
  const { endpoint, customerId: customer, select } = scope;
  const isWithin = start.endpointId !== null;
  const after = {
    afterEvent: isWithin ? (start.eventId ?? LOWEST_ID) : LOWEST_ID,
    afterEndpoint: start.endpointId ?? LOWEST_ID,
  };
  const given = { ...after, events, most };
  if (endpoint !== null) {
    const subscribed =
      select === 'FAILED' ? [] : await selectMatchingOfEndpoint.all(sql, { ...given, endpoint: endpoint.id });
    // The id of a delivery to the one endpoint tells whether there is one.
    const { id: endpointId, customerId } = endpoint;
    const every = events.map((eventId) => ({ ...NO_PAIR, eventId, endpointId, customerId }));
    const pairs = merge(select === 'MISSING' ? [] : every, subscribed.filter(isChosen).map(toPair(true)));
    return { pairs, counted: pairs.length, examined: pairs.length, cut: null };
  }
  const ended =
    select === 'MISSING' ? [] : await selectEnded.all(sql, { ...given, customer, statuses: [...statusesOf(scope)] });
  const subscribed = select === 'FAILED' ? [] : await selectMatching.all(sql, { ...given, customer });
  const looked = ended.at(-1)?.nth ?? 0;
  const cuts = [
    ...(ended.length >= most || looked >= MAX_EXAMINED_DELIVERIES ? ended.slice(-1) : []),
    ...(subscribed.length >= most ? subscribed.slice(-1) : []),
  ].map(toPair(false));
  const [cut = null] = cuts.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const again = ended.filter(isChosen);
  const pairs = merge(again.map(toPair(false)), subscribed.filter(isChosen).map(toPair(true))).filter(
    (pair) => cut === null || keyOf(pair) <= keyOf(cut),
  );
  return { pairs, counted: again.length + subscribed.length, examined: looked + subscribed.length, cut };
}

const isChosen = ({ is_chosen }: { is_chosen: boolean | null }) => is_chosen === true;

type PairKey = Pick<Pair, 'eventId' | 'endpointId'>;

/** Returns the pairs of both lists in order. One that is in both is of the second. */
function merge(first: readonly Pair[], second: readonly Pair[]): Pair[] {
  const merged = new Map([...first, ...second].map((pair) => [keyOf(pair), pair]));
  return [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair);
}

const keyOf = ({ eventId, endpointId }: PairKey) => `${eventId} ${endpointId}`;

const NO_PAIR = { isSubscribed: false, isFiltered: false };

interface PairRow {
  event_id: string;
  endpoint_id: string;
  customer_id: string | null;
  is_filtered: boolean;
}

const toPair =
  (isSubscribed: boolean) =>
  (row: PairRow): Pair => ({
    eventId: row.event_id,
    endpointId: row.endpoint_id,
    customerId: row.customer_id,
    isSubscribed,
    isFiltered: row.is_filtered,
  });

/** Returns what a replay may make of pairs: their missing deliveries, and those that ended in a way that it sends again. */
async function judge(
  sql: Sql,
  scope: ReplayScope,
  pairs: readonly Pair[],
): Promise<Pick<Found, 'deliveries' | 'waiting'>> {
  const { projectId: project, select, at } = scope;
  const statuses = statusesOf(scope);
  const ids = pairs.map(({ eventId, endpointId }) => deliveryIdOf(eventId, endpointId));
  const rows = ids.length === 0 ? [] : await selectStates.all(sql, { project, deliveries: ids });
  const states = new Map(rows.map((row) => [row.id, row]));
  const deliveries: FoundDelivery[] = [];
  const waiting: Found['waiting'] = [];
  for (const [index, { isSubscribed, ...pair }] of pairs.entries()) {
    const id = ids[index] ?? '';
    const state = states.get(id);
    if (state === undefined) {
      if (isSubscribed) deliveries.push({ ...pair, id, isMissing: true });
    } else if (state.status === 'PENDING') {
      if (select === 'ALL') waiting.push({ eventId: pair.eventId, endpointId: pair.endpointId });
    } else if (statuses.includes(state.status) && (state.completed_at === null || state.completed_at <= at)) {
      deliveries.push({ ...pair, id, isMissing: false });
    }
  }
  return { deliveries, waiting };
}
