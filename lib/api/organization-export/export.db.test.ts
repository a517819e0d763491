import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Alert } from '@/lib/alerts/schema';
import { countAudit } from '@/lib/audit/list-audit';
import type { Customer } from '@/lib/customers/schema';
import type { BulkRetry, EndpointListItem, Subscription } from '@/lib/delivery/schema';
import type { CatalogueType } from '@/lib/events/schema';
import type { Destination, Replay, Source } from '@/lib/incoming/schema';
import type { ApiKey } from '@/lib/keys/schema';
import type { OrganizationExport } from '@/lib/lifecycle/export/schema';
import {
  selectCustomers,
  selectDestinations,
  selectEndpoints,
  selectSources,
} from '@/lib/lifecycle/export/sections-sql';
import type { Invitation, Project } from '@/lib/orgs/schema';
import { database, type Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import type { Tunnel } from '@/lib/tunnel/schema';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf, insertAudit } from '@/tests/fixtures/audit';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { fillProject } from '@/tests/fixtures/full-project';
import { asPerson, makeProject, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { makeKey } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { call } from '@/tests/http/api-request';

useDatabase();

const pathOf = ({ organizationId }: TestPerson) => `/api/v1/orgs/${organizationId}/export`;
const exportOf = async (person: TestPerson) =>
  (await call<OrganizationExport>('GET', pathOf(person), asPerson(person))).json;
const countExports = async ({ organizationId }: TestPerson) =>
  (await auditOf(organizationId)).filter(({ action }) => action === 'organization.exported').length;

const byId = <T extends { id: string }>(items: readonly T[]) => items.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** An organization with one of each resource, and the same for a stranger. */
const owner = {} as TestPerson;
const stranger = {} as TestPerson;
const projects: Project[] = [];

beforeAll(async () => {
  Object.assign(owner, await registerPerson({ organizationName: 'Émile & Co' }));
  Object.assign(stranger, await registerPerson());
  await registerMember(owner.organizationId, 'VIEWER');
  projects.push(await makeProject(owner, 'Shop'), await makeProject(owner, 'Warehouse'));
  for (const { id } of [...projects, await makeProject(stranger)]) await fillProject(id, { events: 1, attempts: 1 });
  await makeKey(projects[0]?.id ?? '', owner, { name: 'server', scope: 'READ_ONLY' });
});

/** What the API lists for each project, with the id of the project. */
async function listInProjects<T>(what: string): Promise<(T & { projectId: string })[]> {
  const items: (T & { projectId: string })[] = [];
  for (const { id } of projects) {
    const path = `/api/v1/projects/${id}/${what}`;
    const { data } = (await call<Listing<T>>('GET', path, asPerson(owner))).json;
    items.push(...data.map((item) => ({ ...item, projectId: id })));
  }
  return items;
}

describe.each(useAdapters())('an export, %s', (_name, callThrough) => {
  const get = (person: TestPerson) => callThrough<OrganizationExport>('GET', pathOf(person), asPerson(person));

  it('is one JSON document, for download, with a file name that fits into a header', async () => {
    const { status, headers, json } = await get(owner);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/json', 'no-store']);
    const day = json.exportedAt.slice(0, 10);
    expect(headers['content-disposition']).toBe(`attachment; filename="emile-co-export-${day}.json"`);
    expect(Object.keys(json)).toEqual([
      'exportedAt',
      'organization',
      'members',
      'invitations',
      'projects',
      'customers',
      'portalSessions',
      'eventTypes',
      'endpoints',
      'subscriptions',
      'sources',
      'destinations',
      'tunnels',
      'apiKeys',
      'alerts',
      'bulkRetries',
      'eventReplays',
      'replays',
      'auditLogs',
      'auditLogsTruncated',
      'auditLogsTotal',
    ]);
  });
});

describe('the content of an export', () => {
  it('equals what the API shows', async () => {
    const document = await exportOf(owner);
    const list = async <T>(path: string) => (await call<Listing<T>>('GET', path, asPerson(owner))).json.data;
    expect(document.organization).toMatchObject({ id: owner.organizationId, name: 'Émile & Co' });
    const members = await list<{ userId: string }>(`/api/v1/orgs/${owner.organizationId}/members`);
    expect(document.members).toHaveLength(2);
    expect(document.members).toEqual(members.toSorted((a, b) => (a.userId < b.userId ? -1 : 1)));
    expect(document.projects).toEqual(byId(projects));
    const endpoints = (await listInProjects<EndpointListItem>('endpoints')).map(
      // What a list shows of their subscriptions and deliveries.
      ({ eventTypes: _types, eventTypeCount: _count, lastDeliveryAt: _at, ...endpoint }) => endpoint,
    );
    expect(byId(document.endpoints)).toEqual(byId(endpoints));
    const customers = await listInProjects<Customer>('customers');
    expect(customers).toHaveLength(2);
    expect(byId(document.customers)).toEqual(byId(customers));
    const types = await listInProjects<CatalogueType>('event-types?status=ACTIVE');
    expect(types).toHaveLength(2);
    expect(document.eventTypes.map(({ id: _, ...type }) => type)).toEqual(
      expect.arrayContaining(types.map(({ mismatches: _count, lastSeenAt: _at, ...type }) => type)),
    );
    expect(document.portalSessions).toHaveLength(2);
    expect(document.portalSessions).toContainEqual({
      id: expect.any(String),
      projectId: customers[0]?.projectId,
      customerId: customers[0]?.id,
      permissions: 'READ',
      sessionSeconds: 300,
      isOpen: true,
      expiresAt: expect.any(String),
      createdAt: expect.any(String),
    });
    expect(byId(document.subscriptions)).toEqual(byId(await listInProjects<Subscription>('subscriptions')));
    const keys = await listInProjects<ApiKey>('api-keys');
    expect(keys).toHaveLength(5);
    expect(byId(document.apiKeys)).toEqual(byId(keys));
    const alerts = await listInProjects<Alert>('alerts');
    expect(alerts).toHaveLength(2);
    expect(byId(document.alerts)).toEqual(byId(alerts).map((alert) => ({ ...alert, target: '[redacted]' })));
    const bulkRetries = await listInProjects<BulkRetry>('bulk-retries');
    expect(bulkRetries).toHaveLength(2);
    expect(byId(document.bulkRetries)).toEqual(byId(bulkRetries));
    const replays = await listInProjects<Replay>('incoming-event-replays');
    expect(replays).toHaveLength(2);
    expect(byId(document.replays)).toEqual(byId(replays));
  });

  it('has every field of the API, so that resources can be made again, except secrets and what changes by itself', async () => {
    const path = `/api/v1/projects/${projects[0]?.id}`;
    const signing = { provider: 'GENERIC_HMAC', signatureHeader: 'X-Check', signaturePrefix: 'v1=' };
    for (const [what, body] of [
      ['sources', { name: 'custom', ...signing }],
      ['tunnels', { testResponse: { status: 503, delaySeconds: 2 }, allowedCidrs: ['192.0.2.0/24'] }],
    ] as const) {
      const made = await call('POST', `${path}/${what}`, asPerson(owner, body));
      expect(made.status, made.text).toBe(201);
    }
    const document = await exportOf(owner);
    const without = <T extends object>(items: T[], ...names: string[]) =>
      items.map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name))));
    const sources = await listInProjects<Source>('sources');
    expect(byId(document.sources)).toEqual(without(byId(sources), 'url'));
    expect(document.sources).toContainEqual(expect.objectContaining(signing));
    const destinations = await Promise.all(
      sources.map(async ({ id, projectId }) =>
        (
          await call<Listing<Destination>>('GET', `/api/v1/projects/${projectId}/sources/${id}/destinations`, {
            bearer: owner.accessToken,
          })
        ).json.data.map((item) => ({ ...item, projectId })),
      ),
    );
    expect(byId(document.destinations)).toEqual(without(byId(destinations.flat()), 'auth'));
    expect(byId(document.tunnels)).toEqual(without(byId(await listInProjects<Tunnel>('tunnels')), 'url', 'online'));
    expect([document.destinations.length, document.tunnels.length]).toEqual([2, 3]);
  });

  it('has the invitations that can still be accepted', async () => {
    const path = `/api/v1/orgs/${owner.organizationId}/invitations`;
    const body = { email: 'grace@example.com', role: 'DEVELOPER' };
    const { id } = (await call<{ id: string }>('POST', path, asPerson(owner, body))).json;
    const { data } = (await call<Listing<Invitation>>('GET', path, asPerson(owner))).json;
    expect((await exportOf(owner)).invitations).toEqual(data);
    await call('DELETE', `${path}/${id}`, asPerson(owner));
    expect([data.length, (await exportOf(owner)).invitations]).toEqual([1, []]);
  });

  it('includes nothing that is deleted', async () => {
    const person = await registerPerson();
    const kept = await makeProject(person);
    const deleted = await makeProject(person);
    const gone = await insertEndpoint({ url: 'https://gone.example', projectId: kept.id });
    await insertEndpoint({ url: 'https://with-its-project.example', projectId: deleted.id });
    await run('UPDATE endpoints SET deleted_at = now() WHERE id = $1', gone.id);
    await run('UPDATE projects SET deleted_at = now() WHERE id = $1', deleted.id);
    const document = await exportOf(person);
    expect(document.projects.map(({ id }) => id)).toEqual([kept.id]);
    expect(document.endpoints).toEqual([]);
    // The rows were marked as deleted with SQL: the API would have deleted the subscriptions too.
    expect(document.subscriptions.map(({ projectId }) => projectId)).toEqual([kept.id]);
  });

  it('is complete over many pages: no project, row or audit entry is lost or repeated', async () => {
    const person = await registerPerson();
    const { organizationId } = person;
    await run(
      `INSERT INTO projects (id, organization_id, name) SELECT gen_random_uuid(), $1, 'p' || n FROM generate_series(1, 450) n`,
      organizationId,
    );
    const ofOrganization = 'SELECT id FROM projects WHERE organization_id = $1';
    await run(
      `INSERT INTO endpoints (id, project_id, url) SELECT gen_random_uuid(), id, 'https://e.example' FROM (${ofOrganization}) p`,
      organizationId,
    );
    await run(
      `INSERT INTO subscriptions (id, project_id, endpoint_id, event_type)
       SELECT gen_random_uuid(), e.project_id, e.id, 't' || n FROM generate_series(1, 1101) n,
         (SELECT * FROM endpoints WHERE project_id IN (${ofOrganization}) ORDER BY id LIMIT 2) e`,
      organizationId,
    );
    await insertAudit({ organizationId, count: 1_777 });
    const document = await exportOf(person);
    const idsOf = async (sql: string) =>
      (await select<{ id: string }>(sql, organizationId)).map(({ id }) => id).toSorted();
    const exported = (items: { id: string }[]) => items.map(({ id }) => id).toSorted();
    expect(exported(document.projects)).toEqual(await idsOf(ofOrganization));
    for (const table of ['endpoints', 'subscriptions'] as const) {
      const sql = `SELECT id FROM ${table} WHERE project_id IN (${ofOrganization})`;
      expect(exported(document[table]), table).toEqual(await idsOf(sql));
    }
    expect(document.subscriptions).toHaveLength(2_202);
    expect(exported(document.auditLogs)).toEqual(await idsOf('SELECT id FROM audit_log WHERE organization_id = $1'));
  });
});

it('an export reads 25 rows that may be large at a time', async () => {
  const reads = [selectCustomers, selectEndpoints, selectSources, selectDestinations].map((page) =>
    vi.spyOn(page, 'all'),
  );
  await exportOf(owner);
  const limits = reads.map((read) => read.mock.calls.map(([, { limit }]) => limit));
  vi.restoreAllMocks();
  expect(limits).toEqual([[25], [25], [25], [25]]);
});

describe('the audit log of an export', () => {
  it('has the export itself as its newest entry, and counts it', async () => {
    const person = await registerPerson();
    const before = (await auditOf(person.organizationId)).length;
    const { auditLogs, auditLogsTruncated, auditLogsTotal, exportedAt } = await exportOf(person);
    expect(auditLogs[0]).toMatchObject({
      action: 'organization.exported',
      actor: { type: 'USER', id: person.userId, email: person.email },
      target: { type: 'organization', id: person.organizationId },
    });
    expect(auditLogs).toHaveLength(before + 1);
    expect([auditLogsTotal, auditLogsTruncated]).toEqual([before + 1, false]);
    expect(String(auditLogs[0]?.createdAt) <= exportedAt).toBe(true);
  });

  it('has the newest 10,000 entries and the exact count, and is marked as truncated only when it is', async () => {
    const person = await registerPerson();
    const { organizationId } = person;
    const has = (await auditOf(organizationId)).length;
    await insertAudit({ organizationId, count: 10_000 - has - 1 });
    const full = await exportOf(person);
    expect([full.auditLogs.length, full.auditLogsTotal, full.auditLogsTruncated]).toEqual([10_000, 10_000, false]);
    const cut = await exportOf(person);
    expect([cut.auditLogs.length, cut.auditLogsTotal, cut.auditLogsTruncated]).toEqual([10_000, 10_001, true]);
    expect(cut.auditLogs.slice(1)).toEqual(full.auditLogs.slice(0, -1));
  });

  it('is counted up to a number, in statements that each look at 20,000 entries', async () => {
    const organizationId = newId();
    await insertAudit({ organizationId, count: 45_000 });
    const query = vi.fn((text: string, values: unknown[]) => database().query(text, values));
    const sql = { query } as unknown as Sql;
    expect(await countAudit(sql, organizationId, 100_000)).toBe(45_000);
    expect(query).toHaveBeenCalledTimes(3);
    expect(await countAudit(sql, organizationId, 45_000)).toBe(45_000);
    expect(await countAudit(sql, organizationId, 30_000)).toBe(30_000);
    expect(query).toHaveBeenCalledTimes(8);
  });
});

describe('an export is', () => {
  it('not made for HEAD, which returns only the headers', async () => {
    const before = await countExports(owner);
    const { status, text } = await call('HEAD', pathOf(owner), asPerson(owner));
    expect([status, text]).toEqual([200, '']);
    expect(await countExports(owner)).toBe(before);
  });
});
