import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { call } from '@/tests/http/api-request';
import { makePortal, type TenantPortal } from '@/tests/tenancy/portals';
import { makeTeam, makeTenant, type Tenant } from '@/tests/tenancy/tenants';

useDatabase();

/** One more than a page of a list looks at. */
const ROWS = 10_001;
/** The id of row `n`: its time, then a hash that tells the tables apart. */
const idOf = (table: string) =>
  `overlay(lpad(to_hex(n), 12, '0') || '7' || md5(n || '${table}') placing '8' from 17)::varchar(32)::uuid`;

/** `owner` has many rows of each resource; `stranger` is of another organization. */
let owner = {} as Tenant;
let stranger = {} as Tenant;
/** Two customers of one project. `neighbor` has many deliveries. */
let mine = {} as TenantPortal;
let neighbor = {} as TenantPortal;

beforeAll(async () => {
  owner = await makeTenant(await makeTeam(), 'Barracuda');
  stranger = await makeTenant(await makeTeam(), 'Minnow');
  mine = await makePortal(owner);
  neighbor = await makePortal(owner);
  const { projectId, endpointId, eventId, destinationId, incomingEventId, sourceId } = owner.ids;
  const fill = (sql: string, ...values: unknown[]) => run(`${sql} FROM generate_series(1, ${ROWS}) n`, ...values);
  await fill(
    `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status) SELECT ${idOf('a')}, $1, $2, $3, 'SUCCEEDED'`,
    projectId,
    eventId,
    endpointId,
  );
  await fill(
    `INSERT INTO deliveries (id, project_id, incoming_event_id, destination_id, status)
     SELECT ${idOf('b')}, $1, $2, $3, 'SUCCEEDED'`,
    projectId,
    incomingEventId,
    destinationId,
  );
  await fill(
    `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, customer_id, status)
     SELECT ${idOf('c')}, $1, $2, $3, $4, 'FAILED'`,
    projectId,
    neighbor.ids.eventId,
    neighbor.ids.endpointId,
    neighbor.customerId,
  );
  await fill(
    `INSERT INTO incoming_events (id, project_id, source_id, method, headers, body, size)
     SELECT ${idOf('d')}, $1, $2, 'POST', '[]', '', 0`,
    projectId,
    sourceId,
  );
});

const NOTHING = { data: [], nextCursor: null };

/** Lists that filter by the id of another resource, and the parameter of the path that names it. */
const LISTS: [list: string, name: string][] = [
  ['/deliveries?endpointId=', 'endpointId'],
  ['/deliveries?status=FAILED&endpointId=', 'endpointId'],
  ['/deliveries?eventType=a&endpointId=', 'endpointId'],
  ['/deliveries?destinationId=', 'destinationId'],
  ['/deliveries?eventId=', 'eventId'],
  ['/deliveries?incomingEventId=', 'incomingEventId'],
  ['/deliveries?id=', 'eventId'],
  ['/deliveries?id=', 'incomingEventId'],
  ['/deliveries?id=', 'deliveryId'],
  ['/deliveries?customer=', 'customer'],
  ['/events?endpointId=', 'endpointId'],
  ['/events?status=SUCCEEDED&endpointId=', 'endpointId'],
  ['/events?q=from&endpointId=', 'endpointId'],
  ['/events?id=', 'eventId'],
  ['/events?status=SUCCEEDED&id=', 'eventId'],
  ['/events?apiKeyId=', 'apiKeyId'],
  ['/events?customer=', 'customer'],
  ['/incoming-events?sourceId=', 'sourceId'],
  ['/incoming-events?q=a&sourceId=', 'sourceId'],
  ['/incoming-events?eventType=a&sourceId=', 'sourceId'],
  ['/incoming-events?id=', 'incomingEventId'],
  ['/subscriptions?endpointId=', 'endpointId'],
  ['/subscriptions?customer=', 'customer'],
  ['/endpoints?customer=', 'customer'],
];

const list = (tenant: Tenant, path: string) =>
  call<Listing<{ id: string }>>('GET', `/api/v1/projects/${tenant.ids.projectId}${path}`, {
    bearer: tenant.team.OWNER.accessToken,
  });

describe.each(LISTS)('GET %s{%s}', (path, name) => {
  it('of another tenant lists nothing and has no next page, as for an id that does not exist', async () => {
    const foreign = await list(stranger, `${path}${owner.ids[name]}`);
    expect(foreign.status, foreign.text).toBe(200);
    expect(foreign.json).toEqual(NOTHING);
    expect((await list(stranger, `${path}${newId()}`)).json).toEqual(NOTHING);
  });
});

it.each(LISTS.filter(([path]) => /^.[a-z-]+\?[a-zA-Z]+=$/.test(path) && !path.includes('customer')))(
  'GET %s{%s} of the own project has items',
  async (path, name) => {
    const { json, text } = await list(owner, `${path}${owner.ids[name]}`);
    expect(json.data.length, text).toBeGreaterThan(0);
  },
);

it.each(['endpointId', 'destinationId', 'sourceId'])('lists items of a deleted resource: %s', async (name) => {
  const id = owner.ids[name];
  const table = name.replace('Id', 's');
  await run(`UPDATE ${table} SET deleted_at = now() WHERE id = $1`, id);
  const path = name === 'sourceId' ? '/incoming-events?sourceId=' : `/deliveries?${name}=`;
  const { json } = await list(owner, `${path}${id}`);
  await run(`UPDATE ${table} SET deleted_at = NULL WHERE id = $1`, id);
  expect(json.data).toHaveLength(50);
});

it.each(LISTS.filter(([path]) => path.startsWith('/deliveries?')))(
  'GET /delivery-count counts nothing of another tenant: %s{%s}',
  async (path, name) => {
    const count = await list(stranger, `${path.replace('/deliveries', '/delivery-count')}${owner.ids[name]}`);
    expect(count.json).toEqual({ count: 0, isExact: true });
  },
);

const PORTAL_LISTS: [query: string, name: 'endpointId' | 'eventId' | 'deliveryId'][] = [
  ['endpointId=', 'endpointId'],
  ['status=FAILED&endpointId=', 'endpointId'],
  ['status=SUCCEEDED&endpointId=', 'endpointId'],
  ['eventId=', 'eventId'],
  ['status=FAILED&eventId=', 'eventId'],
  ['id=', 'eventId'],
  ['id=', 'deliveryId'],
];

const listInPortal = async (portal: TenantPortal, query: string) =>
  (
    await call<Listing<{ id: string }>>('GET', `/api/v1/portal/deliveries?${query}`, {
      bearer: portal.tokens.READ,
    })
  ).json;

describe('GET /portal/deliveries', () => {
  it.each(PORTAL_LISTS)('has nothing of another customer and no next page: %s{%s}', async (query, name) => {
    expect(await listInPortal(mine, `${query}${neighbor.ids[name]}`)).toEqual(NOTHING);
    expect(await listInPortal(mine, `${query}${newId()}`)).toEqual(NOTHING);
  });

  it.each(['endpointId', 'eventId'])('has nothing of the company and no next page: %s', async (name) => {
    expect(await listInPortal(mine, `${name}=${owner.ids[name]}`)).toEqual(NOTHING);
  });

  it.each(['status=FAILED', 'status=UNDELIVERED', 'responseStatus=none', 'responseStatus=5xx'])(
    'has no cursor of another customer: %s',
    async (query) => {
      const { data, nextCursor } = await listInPortal(mine, query);
      expect(nextCursor).toBeNull();
      expect(data.every(({ id }) => id === mine.ids.deliveryId)).toBe(true);
    },
  );

  it.each(PORTAL_LISTS.filter(([query]) => !query.includes('SUCCEEDED')))(
    'has items of the own customer: %s{%s}',
    async (query, name) => {
      const { data } = await listInPortal(mine, `${query}${mine.ids[name]}`);
      expect(data.map(({ id }) => id)).toEqual([mine.ids.deliveryId]);
    },
  );
});
