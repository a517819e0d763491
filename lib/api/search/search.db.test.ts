import { beforeEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import type { SearchResults } from '@/lib/search/schema';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import { makeTeam, makeTenant, type Tenant } from '@/tests/tenancy/tenants';

useDatabase();

let [own, foreign]: Tenant[] = [];
beforeEach(async () => {
  await run('TRUNCATE rate_limits');
  own ??= await makeTenant(await makeTeam(), 'ownwords');
  foreign ??= await makeTenant(await makeTeam(), 'foreignwords');
});

const find = (tenant: Tenant, q: string, person: TestPerson = tenant.team.VIEWER) =>
  call<SearchResults>('GET', `/api/v1/orgs/${tenant.ids.orgId}/search?${new URLSearchParams({ q })}`, {
    bearer: person.accessToken,
  });
const kindsOf = async (tenant: Tenant, q: string) => (await find(tenant, q)).json.results.map(({ kind }) => kind);

describe('a search by id', () => {
  it.each([
    ['projectId', 'project'],
    ['customer', 'customer'],
    ['apiKeyId', 'api_key'],
    ['endpointId', 'endpoint'],
    ['subscriptionId', 'subscription'],
    ['eventId', 'event'],
    ['deliveryId', 'delivery'],
    ['sourceId', 'source'],
    ['destinationId', 'destination'],
    ['incomingEventId', 'incoming_event'],
    ['tunnelId', 'tunnel'],
    ['userId', 'member'],
  ] as const)('finds %s in its organization only', async (name, kind) => {
    const id = own?.ids[name] ?? '';
    const { json } = await find(own as Tenant, id.toUpperCase());
    expect(json.results).toEqual([expect.objectContaining({ kind, id })]);
    expect(json.results[0]?.projectId).toBe(kind === 'member' ? null : own?.ids.projectId);
    expect((await find(foreign as Tenant, id)).json).toEqual({ results: [] });
  });
});

describe('a search by text', () => {
  it('finds names and URLs in any case, and nothing of another organization', async () => {
    const kinds = await kindsOf(own as Tenant, 'OWNwords');
    expect(new Set(kinds)).toEqual(
      new Set(['project', 'customer', 'endpoint', 'api_key', 'source', 'destination', 'tunnel']),
    );
    expect(await kindsOf(foreign as Tenant, 'ownwords')).toEqual([]);
  });

  it('finds endpoints and destinations by what they are for, and shows it after the URL', async () => {
    const { ids } = own as Tenant;
    for (const [table, id] of [
      ['endpoints', ids.endpointId],
      ['destinations', ids.destinationId],
    ]) {
      await run(`UPDATE ${table} SET description = 'Customer 26' WHERE id = $1`, id);
    }
    const { results } = (await find(own as Tenant, 'customer 26')).json;
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['destination', 'endpoint']);
    for (const { title } of results) expect(title).toMatch(/^https?:\S+ · Customer 26$/);
    const byId = (await find(own as Tenant, ids.endpointId ?? '')).json.results;
    expect(byId[0]?.title).toMatch(/ · Customer 26$/);
  });

  it('finds a customer by the beginning of its uid or name, and an endpoint by its whole uid', async () => {
    const { ids } = own as Tenant;
    await run(`UPDATE customers SET uid = 'cus_42', name = 'Ünited Parcels' WHERE id = $1`, ids.customer);
    await run(`UPDATE endpoints SET uid = 'acme-billing' WHERE id = $1`, ids.endpointId);
    for (const q of ['cus_42', 'cus_', 'ünited p']) {
      const { results } = (await find(own as Tenant, q)).json;
      expect(results).toEqual([
        expect.objectContaining({ kind: 'customer', id: ids.customer, title: 'Ünited Parcels · cus_42' }),
      ]);
      expect(await kindsOf(foreign as Tenant, q)).toEqual([]);
    }
    expect(await kindsOf(own as Tenant, 'parcels')).toEqual([]);
    expect(await kindsOf(own as Tenant, 'acme-billing')).toEqual(['endpoint']);
    expect(await kindsOf(own as Tenant, 'acme-bill')).toEqual([]);
    await run(`UPDATE customers SET deleted_at = now() WHERE id = $1`, ids.customer);
    expect(await kindsOf(own as Tenant, 'cus_42')).toEqual([]);
    await run(`UPDATE customers SET deleted_at = NULL WHERE id = $1`, ids.customer);
  });

  it('finds an event by its whole idempotency key, in its organization only', async () => {
    const { ids } = own as Tenant;
    await run('UPDATE events SET idempotency_key = $2 WHERE id = $1', ids.eventId, 'order-42-paid');
    const { results } = (await find(own as Tenant, 'order-42-paid')).json;
    expect(results).toEqual([expect.objectContaining({ kind: 'event', id: ids.eventId, projectId: ids.projectId })]);
    expect(await kindsOf(own as Tenant, 'order-42')).toEqual([]);
    expect(await kindsOf(foreign as Tenant, 'order-42-paid')).toEqual([]);
  });

  it('finds a person by name and by address', async () => {
    const owner = await registerPerson({ name: 'Ada Lovelace' });
    const member = await registerMember(owner.organizationId, 'VIEWER');
    await run('UPDATE users SET name = $2 WHERE id = $1', member.userId, 'Grace Hopper');
    const tenant = { ids: { orgId: owner.organizationId } } as unknown as Tenant;
    for (const q of ['grace', 'Hopper', member.email.slice(0, 30)]) {
      const { results } = (await find(tenant, q, owner)).json;
      expect(
        results.map(({ id }) => id),
        q,
      ).toEqual([member.userId]);
    }
  });

  it('finds only what begins with a text of more than 64 characters, for which looking further would take long', async () => {
    const tenant = await makeTenant(await makeTeam(), 'pasted');
    const { rows } = await database().query('SELECT url FROM endpoints WHERE id = $1', [tenant.ids.endpointId]);
    const url = `${rows[0].url}/${'a'.repeat(100)}`;
    await database().query('UPDATE endpoints SET url = $2 WHERE id = $1', [tenant.ids.endpointId, url]);
    expect(await kindsOf(tenant, url.toUpperCase())).toEqual(['endpoint']);
    expect(await kindsOf(tenant, url.slice(1))).toEqual([]);
    expect(await kindsOf(tenant, 'a'.repeat(64))).toEqual(['endpoint']);
    expect(await kindsOf(tenant, 'a'.repeat(65))).toEqual([]);
  });

  it('takes the wildcards of SQL as letters', async () => {
    for (const q of ['%%', '__', '\\\\', "'; --"]) expect(await kindsOf(own as Tenant, q)).toEqual([]);
  });

  it('returns at most five of a kind', async () => {
    await run(
      `INSERT INTO endpoints (id, project_id, url, secret_encrypted, updated_at)
       SELECT gen_random_uuid(), project_id, 'https://many.example/' || n, secret_encrypted, now()
       FROM endpoints, generate_series(1, 9) n WHERE id = $1`,
      own?.ids.endpointId,
    );
    expect(await kindsOf(own as Tenant, 'many.example')).toHaveLength(5);
  });
});

describe('a search of an organization with many endpoints', () => {
  let nextId = 1;
  const addEndpoints = async (tenant: Tenant, count: number, path: string) => {
    const [first] = await select(
      'SELECT project_id, secret_encrypted FROM endpoints WHERE id = $1',
      tenant.ids.endpointId,
    );
    await run(
      `INSERT INTO endpoints (id, project_id, url, secret_encrypted, updated_at)
       SELECT lpad(to_hex(n), 32, '0')::uuid, $1, 'https://n' || n || '.example/' || ${path}, $4, now()
       FROM generate_series($2::int, $3::int) n`,
      first.project_id,
      nextId,
      nextId + count - 1,
      first.secret_encrypted,
    );
    nextId += count;
  };

  it('finds the oldest of 5,000', async () => {
    const tenant = await makeTenant(await makeTeam(), 'many');
    const first = nextId;
    await addEndpoints(tenant, 5_000, `'hook'`);
    expect(await kindsOf(tenant, `n${first}.example`)).toEqual(['endpoint']);
  });

  it('looks at the newest two megabytes of URLs', async () => {
    const tenant = await makeTenant(await makeTeam(), 'long');
    const first = nextId;
    await addEndpoints(tenant, 1_200, `repeat('x', 1900)`);
    expect(await kindsOf(tenant, `n${first + 1_199}.example`)).toEqual(['endpoint']);
    expect(await kindsOf(tenant, `n${first}.example`)).toEqual([]);
  });
});

it.each(['', 'x', 'x'.repeat(201), ' a '])('refuses %j', async (q) => {
  expect((await find(own as Tenant, q)).status).toBe(400);
});

it('limits the searches of a person, not those of others', async () => {
  const tenant = own as Tenant;
  const { OWNER, VIEWER } = tenant.team;
  for (let round = 0; round < 12; round++) {
    const searches = await Promise.all(Array.from({ length: 10 }, () => find(tenant, 'nothing', OWNER)));
    expect(new Set(searches.map(({ status }) => status))).toEqual(new Set([200]));
  }
  expect((await find(tenant, 'nothing', OWNER)).status).toBe(429);
  expect((await find(tenant, 'nothing', VIEWER)).status).toBe(200);
});
