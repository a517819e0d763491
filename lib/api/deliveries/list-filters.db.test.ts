import { beforeAll, describe, expect, it } from 'vitest';
import type { Delivery, Endpoint } from '@/lib/delivery/schema';
import type { EventListItem } from '@/lib/events/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { insertEvents } from '@/tests/fixtures/deliveries';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { call } from '@/tests/http/api-request';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();

/** The deliveries of the tests: the type of the event, the status, the attempts, and the last response. */
const ROWS = [
  ['queued', 'order.paid', 'PENDING', 0, null],
  ['retrying', 'order.paid', 'PENDING', 2, 503],
  ['unreachable', 'order.item.added', 'PENDING', 1, null],
  ['succeeded', 'invoice.sent', 'SUCCEEDED', 1, 204],
  ['gone', 'invoice.sent', 'FAILED', 1, 410],
  ['failed', 'order', 'FAILED', 10, 500],
] as const;
type Name = (typeof ROWS)[number][0];

let [first, second]: Endpoint[] = [];
const ids = new Map<string, Name>();
const events = new Map<string, Name>();
const idOf = (map: Map<string, Name>, name: Name) => [...map].find(([, each]) => each === name)?.[0] ?? '';

async function insertRow([name, type, status, attempts, response]: (typeof ROWS)[number], endpointId: string) {
  const [eventId = ''] = await insertEvents(projects.mine.id, 1, { type });
  const id = newId();
  await database().query(
    `INSERT INTO deliveries
       (id, project_id, event_id, endpoint_id, status, attempt_count, last_response_status, next_attempt_at, completed_at)
     VALUES ($1, $2, $3, $4, $5::"DeliveryStatus", $6, $7, CASE WHEN $5 = 'PENDING' THEN now() END,
             CASE WHEN $5 <> 'PENDING' THEN now() END)`,
    [id, projects.mine.id, eventId, endpointId, status, attempts, response],
  );
  ids.set(id, name);
  events.set(eventId, name);
}

beforeAll(async () => {
  [first, second] = [await makeEndpoint(), await makeEndpoint()];
  for (const row of ROWS) await insertRow(row, (row[0] === 'failed' ? second : first)?.id ?? '');
});

/** Returns the names of the rows of all pages, oldest first. */
async function namesOf(list: 'deliveries' | 'events', query: string): Promise<(Name | undefined)[]> {
  const names: (Name | undefined)[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `${base()}/${list}?limit=1&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page = await call<Listing<{ id: string }>>('GET', path, asOwner());
    expect(page.status, page.text).toBe(200);
    names.unshift(...page.json.data.map(({ id }) => (list === 'events' ? events : ids).get(id)));
    cursor = page.json.nextCursor;
  }
  return names;
}

describe.each(['deliveries', 'events'] as const)('%s, page by page,', (list) => {
  it.each([
    ['QUEUED', ['queued']],
    ['RETRYING', ['retrying', 'unreachable']],
    ['PENDING', ['queued', 'retrying', 'unreachable']],
    ['SUCCEEDED', ['succeeded']],
    ['FAILED', ['gone', 'failed']],
  ])('can be listed by the state %s', async (state, names) => {
    expect(await namesOf(list, `status=${state}`)).toEqual(names);
  });

  it.each([
    ['order.*', ['queued', 'retrying', 'unreachable']],
    ['order', ['failed']],
    ['order.pai', []],
    ['invoice.sent', ['succeeded', 'gone']],
    ['*', ROWS.map(([name]) => name)],
  ])('can be listed by the event type %s', async (type, names) => {
    expect(await namesOf(list, `${list === 'events' ? 'type' : 'eventType'}=${type}`)).toEqual(names);
  });

  it('can be listed by endpoint, also together with a state', async () => {
    expect(await namesOf(list, `endpointId=${second?.id}`)).toEqual(['failed']);
    expect(await namesOf(list, `endpointId=${first?.id}&status=FAILED`)).toEqual(['gone']);
    expect(await namesOf(list, `endpointId=${second?.id}&status=QUEUED`)).toEqual([]);
  });

  it('can be listed by id', async () => {
    expect(await namesOf(list, `id=${idOf(list === 'events' ? events : ids, 'gone')}`)).toEqual(['gone']);
    expect(await namesOf(list, `id=${newId()}`)).toEqual([]);
  });
});

describe('deliveries', () => {
  it.each([
    ['503', ['retrying']],
    ['5xx', ['retrying', 'failed']],
    ['4xx', ['gone']],
    ['2xx', ['succeeded']],
    ['none', ['unreachable']],
    ['404', []],
  ])('can be listed by the last response %s', async (response, names) => {
    expect(await namesOf('deliveries', `responseStatus=${response}`)).toEqual(names);
  });

  it('can be found by the id of their event', async () => {
    expect(await namesOf('deliveries', `id=${idOf(events, 'failed')}`)).toEqual(['failed']);
  });

  it.each(['status=DONE', 'responseStatus=9xx', 'responseStatus=50', 'eventType=a%20b', 'id=x', 'sourceId=1'])(
    'refuse the filter %s with 400 and name it',
    async (query) => {
      const { status, json } = await call('GET', `${base()}/deliveries?${query}`, asOwner());
      expect([status, json.code, json.errors?.[0]?.path]).toEqual([400, 'validation_failed', query.split('=')[0]]);
    },
  );
});

it('an event counts its deliveries by the states that they show', async () => {
  const { json } = await call<Listing<EventListItem>>('GET', `${base()}/events`, asOwner());
  const counts = Object.fromEntries(json.data.map(({ id, deliveries }) => [events.get(id), deliveries]));
  const none = { pending: 0, queued: 0, retrying: 0, succeeded: 0, failed: 0 };
  expect(counts).toEqual({
    queued: { ...none, pending: 1, queued: 1 },
    retrying: { ...none, pending: 1, retrying: 1 },
    unreachable: { ...none, pending: 1, retrying: 1 },
    succeeded: { ...none, succeeded: 1 },
    gone: { ...none, failed: 1 },
    failed: { ...none, failed: 1 },
  });
});

it('a delivery of an event of another project is never shown by its type', async () => {
  const { json } = await call<Listing<Delivery>>(
    'GET',
    `${base(projects.foreign)}/deliveries?eventType=order.*`,
    asOwner(projects.foreign),
  );
  expect(json.data).toEqual([]);
});
