import { beforeAll, describe, expect, it } from 'vitest';
import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import { type EventsFilter, eventScan } from '@/lib/events/events-sql';
import { addMs } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { newId, newIdAt } from '@/lib/platform/ids';
import { countMatches, FOUND_IDS, type Scan, scanPage } from '@/lib/platform/sql/bounded-scan';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertProject } from '@/tests/fixtures/deliveries';
import { type DeliveriesFilter, deliveryScan } from './delivery-scan-sql';

useDatabase();

const START = new Date('2026-03-01T00:00:00Z');
const STATES = ['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', 'FAILED', 'QUEUED', 'RETRYING'] as const;
const TYPES = ['order.paid', 'order.paid', 'order.sent', 'rare'];

interface Row {
  id: string;
  eventId: string;
  type: string;
  endpointId: string;
  state: (typeof STATES)[number];
  response: number | null;
}

const rows: Row[] = [];
let [projectId, endpointIds]: [string, string[]] = ['', []];

/** Two tenants with 40 events each, three in a millisecond, each with a delivery to three endpoints. */
beforeAll(async () => {
  for (const isMine of [false, true]) {
    const project = await insertProject();
    const endpoints = [];
    for (let n = 0; n < 3; n++)
      endpoints.push((await insertEndpoint({ url: 'http://127.0.0.1:9', projectId: project })).id);
    if (isMine) [projectId, endpointIds] = [project, endpoints];
    for (let n = 0; n < 40; n++) {
      const eventId = newIdAt(addMs(START, Math.floor(n / 3)));
      const type = TYPES[n % 4] ?? '';
      await database().query(
        `INSERT INTO events (id, project_id, type, payload, created_at) VALUES ($1, $2, $3, '{}', $4)`,
        [eventId, project, type, addMs(START, Math.floor(n / 3))],
      );
      for (const [place, endpointId] of endpoints.entries()) {
        const state = STATES[(n * 5 + place * 7) % STATES.length] ?? 'FAILED';
        const response = state === 'QUEUED' ? null : state === 'SUCCEEDED' ? 200 : n % 2 === 0 ? 503 : null;
        const row = { id: deliveryIdOf(eventId, endpointId), eventId, type, endpointId, state, response };
        if (isMine) rows.push(row);
        const isPending = state === 'QUEUED' || state === 'RETRYING';
        await database().query(
          `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, last_response_status, next_attempt_at, completed_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
          [
            row.id,
            project,
            eventId,
            endpointId,
            isPending ? 'PENDING' : state,
            state === 'QUEUED' ? 0 : 1,
            response,
            ...(isPending ? [new Date(), null] : [null, new Date()]),
          ],
        );
      }
    }
  }
});

/** Returns the ids of all pages, in their order. */
async function readAll(scan: Scan, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 500; pages++) {
    const page = await scanPage(database(), scan, { limit, cursor }, FOUND_IDS);
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    ids.push(...page.rows.map(({ id }) => id));
    if (page.next === null) return ids;
    cursor = page.next;
  }
  throw new Error('the list never ends');
}

const newestFirst = (ids: string[]) => [...new Set(ids)].sort().reverse();
const isPending = ({ state }: Row) => state === 'QUEUED' || state === 'RETRYING';
const hasNoResponse = ({ state, response }: Row) => state !== 'QUEUED' && response === null;

const DELIVERIES: [() => DeliveriesFilter, (row: Row) => boolean][] = [
  [() => ({}), () => true],
  [() => ({ status: 'FAILED' }), ({ state }) => state === 'FAILED'],
  [() => ({ status: 'SUCCEEDED' }), ({ state }) => state === 'SUCCEEDED'],
  [() => ({ status: 'PENDING' }), isPending],
  [() => ({ status: 'UNDELIVERED' }), ({ state }) => state === 'RETRYING' || state === 'FAILED'],
  [() => ({ responseStatus: '299' }), () => false],
  [() => ({ responseStatus: '5xx' }), ({ response }) => response === 503],
  [() => ({ responseStatus: 'none' }), hasNoResponse],
  [() => ({ endpointId: endpointIds[1] }), ({ endpointId }) => endpointId === endpointIds[1]],
  [
    () => ({ endpointId: endpointIds[0], status: 'RETRYING' }),
    ({ endpointId, state }) => endpointId === endpointIds[0] && state === 'RETRYING',
  ],
  [() => ({ eventType: 'rare' }), ({ type }) => type === 'rare'],
  [() => ({ eventType: 'order.*' }), ({ type }) => type.startsWith('order.')],
  [() => ({ eventType: 'rare', responseStatus: '200' }), ({ type, response }) => type === 'rare' && response === 200],
  [() => ({ id: rows[50]?.eventId }), ({ eventId }) => eventId === rows[50]?.eventId],
  [() => ({ id: rows[50]?.id }), ({ id }) => id === rows[50]?.id],
  [
    () => ({ eventId: rows[50]?.eventId, status: 'FAILED' }),
    ({ eventId, state }) => eventId === rows[50]?.eventId && state === 'FAILED',
  ],
  [
    () => ({ from: addMs(START, 3), to: addMs(START, 5) }),
    ({ id }) =>
      rows
        .filter((row) => row.id === id)
        .some((row) => Math.floor(rows.indexOf(row) / 9) >= 3 && Math.floor(rows.indexOf(row) / 9) <= 5),
  ],
];

const EVENTS: [() => EventsFilter, (row: Row) => boolean][] = [
  [() => ({}), () => true],
  [() => ({ type: 'rare' }), ({ type }) => type === 'rare'],
  [() => ({ type: 'order.*' }), ({ type }) => type.startsWith('order.')],
  [() => ({ status: 'FAILED' }), ({ state }) => state === 'FAILED'],
  [() => ({ status: 'SUCCEEDED' }), ({ state }) => state === 'SUCCEEDED'],
  [() => ({ status: 'QUEUED', type: 'rare' }), ({ state, type }) => state === 'QUEUED' && type === 'rare'],
  [() => ({ endpointId: endpointIds[2] }), ({ endpointId }) => endpointId === endpointIds[2]],
  [
    () => ({ id: rows[50]?.eventId, status: 'FAILED' }),
    ({ eventId, state }) => eventId === rows[50]?.eventId && state === 'FAILED',
  ],
];

describe.each([
  [1, 1],
  [3, 2],
  [7, 100],
  [10_000, 50],
])('a list that looks at %i rows at once, with pages of %i', (maxExamined, limit) => {
  it.each(DELIVERIES)('has exactly the deliveries that match: %s', async (filterOf, matches) => {
    const scan = { ...deliveryScan(projectId, filterOf()), maxExamined };
    const expected = newestFirst(rows.filter(matches).map(({ id }) => id));
    expect(await readAll(scan, limit)).toEqual(expected);
  });

  it.each(DELIVERIES)('has them from the oldest: %s', async (filterOf, matches) => {
    const scan = { ...deliveryScan(projectId, filterOf(), true), maxExamined };
    expect(await readAll(scan, limit)).toEqual(newestFirst(rows.filter(matches).map(({ id }) => id)).reverse());
  });

  it.each(EVENTS)('has exactly the events that match: %s', async (filterOf, matches) => {
    const scan = { ...eventScan(projectId, filterOf()), maxExamined };
    expect(await readAll(scan, limit)).toEqual(newestFirst(rows.filter(matches).map(({ eventId }) => eventId)));
  });
});

describe('a count', () => {
  it.each(DELIVERIES)('is the number of deliveries that match: %s', async (filterOf, matches) => {
    const counted = await countMatches(database(), deliveryScan(projectId, filterOf()), {
      upTo: 1_000,
      maxExamined: 1_000,
    });
    expect(counted).toEqual({ count: rows.filter(matches).length, isExact: true });
  });

  it('stops at its limit, and says so', async () => {
    const scan = deliveryScan(projectId, {});
    const most = { upTo: 119, maxExamined: 1_000 };
    expect(await countMatches(database(), scan, most)).toEqual({ count: 119, isExact: false });
    expect(await countMatches(database(), scan, { ...most, upTo: 120 })).toEqual({ count: 120, isExact: true });
    expect(await countMatches(database(), deliveryScan(newId(), {}), most)).toEqual({ count: 0, isExact: true });
  });
});
