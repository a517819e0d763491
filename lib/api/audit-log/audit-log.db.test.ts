import { beforeAll, describe, expect, it } from 'vitest';
import { downloadList } from '@/lib/api/list-download';
import type { PersonCaller } from '@/lib/audit/caller';
import type { AuditLogEntry } from '@/lib/audit/schema';
import type { ApiRequest } from '@/lib/http/request';
import { newId } from '@/lib/platform/ids';
import { ALWAYS_ALLOWED } from '@/lib/platform/open-connections';
import type { Listing } from '@/lib/platform/pagination';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { insertAudit } from '@/tests/fixtures/audit';
import { asPerson, makeProject, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { makeKey } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { type CallOptions, call, expectInvalid, TEST_ADDRESS } from '@/tests/http/api-request';

useDatabase();

const pathOf = ({ organizationId }: TestPerson, query = '') => `/api/v1/orgs/${organizationId}/audit-log${query}`;

const read = (person: TestPerson, query = '', options: CallOptions = {}) =>
  call<Listing<AuditLogEntry>>('GET', pathOf(person, query), { bearer: person.accessToken, ...options });

const actionsOf = async (person: TestPerson, query = '') =>
  (await read(person, query)).json.data.map(({ action }) => action);

describe('the audit log of an organization', () => {
  let owner: TestPerson;
  let projectId: string;
  let keyId: string;

  beforeAll(async () => {
    owner = await registerPerson();
    projectId = (await makeProject(owner)).id;
    keyId = (await makeKey(projectId, owner, { name: 'server' })).id;
  });

  it('lists actions with actor, target, IP address and time, newest first', async () => {
    const { status, json } = await read(owner);
    expect(status).toBe(200);
    expect(json.data[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      action: 'api_key.created',
      actor: { type: 'USER', id: owner.userId, email: owner.email },
      target: { type: 'api_key', id: keyId, name: 'server', exists: true },
      organizationId: owner.organizationId,
      ipAddress: TEST_ADDRESS,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      details: expect.any(Object),
    });
    const ids = json.data.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().reverse());
  });

  it('filters by action and by actor', async () => {
    const member = await registerMember(owner.organizationId, 'ADMIN');
    await insertAudit({ organizationId: owner.organizationId, count: 2, actorId: member.userId });
    expect(await actionsOf(owner, '?action=api_key.created')).toEqual(['api_key.created']);
    expect(await actionsOf(owner, `?actorId=${member.userId}`)).toEqual(['project.updated', 'project.updated']);
    expect(await actionsOf(owner, `?actorId=${member.userId}&action=api_key.created`)).toEqual([]);
    expect(await actionsOf(owner, '?action=organization.exported')).toEqual([]);
  });

  it('names a key that changed something, only in the log of its organization', async () => {
    const { id, key, hint } = await makeKey(projectId, owner, { name: 'checkout' });
    const body = { url: 'https://shop.example/billing' };
    expect((await call('POST', `/api/v1/projects/${projectId}/endpoints`, { apiKey: key, body })).status).toBe(201);
    const own = await read(owner, `?actorId=${id}`);
    expect(own.json.data.map(({ actor }) => actor)).toEqual([{ type: 'API_KEY', id, name: 'checkout', hint }]);
    const other = await registerPerson();
    await insertAudit({ organizationId: other.organizationId, count: 1, actorType: 'API_KEY', actorId: id });
    const foreign = await read(other, `?actorId=${id}`);
    expect(foreign.json.data.map(({ actor }) => actor)).toEqual([{ type: 'API_KEY', id }]);
  });

  it('names the target, also after it is deleted, and says whether it exists', async () => {
    const other = await registerPerson();
    const shop = await makeProject(other, 'Shop');
    const bearer = other.accessToken;
    const base = `/api/v1/projects/${shop.id}`;
    const make = async (path: string, body: object) =>
      (await call<{ id: string }>('POST', `${base}/${path}`, { bearer, body })).json.id;
    const endpointId = await make('endpoints', { url: 'https://shop.example/billing?token=hidden' });
    const tunnelId = await make('tunnels', { name: 'Laptop' });
    const sourceId = await make('sources', { name: 'Payments' });
    const subscriptionId = await make('subscriptions', { endpointId, eventType: 'order.paid' });
    const targetsOf = async () => {
      const { json } = await read(other);
      return new Map(json.data.map(({ action, target }) => [action, target]));
    };
    const before = await targetsOf();
    const [url, exists] = ['https://shop.example/billing', true];
    expect(before.get('endpoint.created')).toEqual({ type: 'endpoint', id: endpointId, name: url, exists });
    expect(before.get('tunnel.created')).toEqual({ type: 'tunnel', id: tunnelId, name: 'Laptop', exists });
    for (const path of [`subscriptions/${subscriptionId}`, `endpoints/${endpointId}`, `tunnels/${tunnelId}`]) {
      expect((await call('DELETE', `${base}/${path}`, { bearer })).status).toBe(204);
    }
    await call('DELETE', `${base}/sources/${sourceId}`, { bearer });
    const after = await targetsOf();
    const gone = { exists: false };
    expect(after.get('endpoint.created')).toMatchObject({ ...gone, name: url });
    expect(after.get('endpoint.deleted')).toMatchObject({ ...gone, name: url });
    for (const what of ['created', 'deleted']) {
      expect(after.get(`tunnel.${what}`)).toMatchObject({ ...gone, name: 'Laptop' });
      expect(after.get(`source.${what}`)).toMatchObject({ ...gone, name: 'Payments' });
      expect(after.get(`subscription.${what}`)).toMatchObject({ ...gone, name: 'order.paid' });
    }
    expect(after.get('project.created')).toMatchObject({ name: 'Shop', exists });
    await call('DELETE', base, { bearer });
    expect((await targetsOf()).get('project.deleted')).toMatchObject({ ...gone, name: 'Shop' });
  });

  it('names no target of another organization', async () => {
    const other = await registerPerson();
    await insertAudit({ organizationId: other.organizationId, count: 1, action: 'project.updated' });
    await run(
      `INSERT INTO audit_log (id, organization_id, action, actor_type, target_type, target_id)
       VALUES ($1, $2, 'api_key.created', 'SYSTEM', 'api_key', $3), ($4, $2, 'project.created', 'SYSTEM', 'project', $5)`,
      newId(),
      other.organizationId,
      keyId,
      newId(),
      projectId,
    );
    const { json } = await read(other, '?action=api_key.created');
    expect(json.data[0]?.target).toEqual({ type: 'api_key', id: keyId, exists: false });
    const projects = await read(other, '?action=project.created');
    expect(projects.json.data[0]?.target).toEqual({ type: 'project', id: projectId, exists: false });
  });

  it('leaves out sign-ins on request, by an index', async () => {
    const other = await registerPerson();
    const signIns = { organizationId: other.organizationId, action: 'session.created' };
    await insertAudit({ organizationId: other.organizationId, count: 1, action: 'project.updated', stepMs: 1000 });
    await insertAudit({ ...signIns, count: 3 });
    expect((await actionsOf(other)).filter((action) => action === 'session.created').length).toBeGreaterThan(2);
    const rest = await actionsOf(other, '?withoutSignIns=true');
    expect(rest).toContain('project.updated');
    expect(rest.filter((action) => action.startsWith('session.'))).toEqual([]);
    expect(await actionsOf(other, '?withoutSignIns=false')).toEqual(await actionsOf(other));
    expect((await read(other, '?withoutSignIns=1')).status).toBe(400);
  });

  it('filters by target', async () => {
    expect(await actionsOf(owner, `?targetId=${keyId}`)).toEqual(['api_key.created']);
    expect(await actionsOf(owner, `?targetId=${keyId}&withoutSignIns=true`)).toEqual(['api_key.created']);
    expect(await actionsOf(owner, `?targetId=${newId()}`)).toEqual([]);
    expect(await actionsOf(await registerPerson(), `?targetId=${keyId}`)).toEqual([]);
  });

  it('filters by time, both ends inclusive', async () => {
    const other = await registerPerson();
    await insertAudit({ organizationId: other.organizationId, count: 10, stepMs: 3_600_000 });
    const { data } = (await read(other, '?action=project.updated')).json;
    expect(data).toHaveLength(10);
    const [newest, , third] = data;
    const range = `&from=${third?.createdAt}&to=${newest?.createdAt}`;
    expect((await read(other, `?action=project.updated${range}`)).json.data).toEqual(data.slice(0, 3));
    const offset = encodeURIComponent(String(third?.createdAt.replace('Z', '+00:00')));
    expect((await read(other, `?action=project.updated&to=${offset}`)).json.data).toEqual(data.slice(2));
  });

  it.each([
    'action=nothing.done',
    'actorId=me',
    'from=yesterday',
    'to=2026',
    'limit=0',
    'cursor=x',
    'format=xml',
    'x=1',
  ])('refuses ?%s and names the parameter', async (query) => {
    expectInvalid(await call('GET', pathOf(owner, `?${query}`), asPerson(owner)), query.split('=')[0]);
  });

  it('shows the email address of an account until it is erased', async () => {
    const admin = await registerMember(owner.organizationId, 'ADMIN');
    await call('POST', `/api/v1/orgs/${owner.organizationId}/projects`, asPerson(admin, { name: 'Theirs' }));
    expect((await read(owner, `?actorId=${admin.userId}`)).text).toContain(admin.email);
    expect((await call('DELETE', '/api/v1/auth/me', asPerson(admin))).status).toBe(204);
    const { json, text } = await read(owner, `?actorId=${admin.userId}`);
    expect(json.data.map(({ action }) => action)).toContain('project.created');
    expect(json.data[0]?.actor).toEqual({ type: 'USER', id: admin.userId });
    expect(text).not.toContain('erased');
    expect((await read(owner, '?format=csv')).text).not.toContain(admin.email);
  });
});

describe.each(useAdapters())('the audit log as CSV, %s', (_name, callThrough) => {
  const fetchCsv = (person: TestPerson, query: string, headers: Record<string, string> = {}) =>
    callThrough('GET', `/api/v1/orgs/${person.organizationId}/audit-log${query}`, {
      bearer: person.accessToken,
      headers,
    });

  it('is a file with a line for every entry that matches, even beyond one page', async () => {
    const owner = await registerPerson();
    await insertAudit({ organizationId: owner.organizationId, count: 1_201 });
    const { status, headers, text } = await fetchCsv(owner, '?format=csv&action=project.updated');
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(headers['content-disposition']).toBe('attachment; filename="audit-log.csv"');
    expect(headers['x-audit-log-truncated']).toBe('false');
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toBe(
      '"createdAt","action","actorType","actorId","actorEmail","targetType","targetId","organizationId","ipAddress","details","id"',
    );
    expect(lines).toHaveLength(1_201);
    expect(new Set(lines).size).toBe(1_201);
    expect(lines).toEqual(lines.toSorted().reverse());
  });

  it('is also returned for Accept: text/csv, and ?format= takes precedence', async () => {
    const owner = await registerPerson();
    const typeOf = async (query: string, accept: string) =>
      (await fetchCsv(owner, query, { accept })).headers['content-type']?.split(';')[0];
    expect(await typeOf('', 'text/csv')).toBe('text/csv');
    expect(await typeOf('', 'application/json;q=0.1, TEXT/CSV; q=0.9')).toBe('text/csv');
    expect(await typeOf('?format=json', 'text/csv')).toBe('application/json');
    for (const accept of ['*/*', 'text/*', 'text/csv;q=0', 'text/html, text/csvx']) {
      expect(await typeOf('', accept), accept).toBe('application/json');
    }
  });

  it('is one download at a time for a person, like that of other lists; the log itself can be read meanwhile', async () => {
    const owner = await registerPerson();
    const caller = { type: 'person', ...owner } as unknown as PersonCaller;
    const request = { method: 'GET', query: new URLSearchParams() } as ApiRequest;
    const other = {
      name: 'events',
      columns: {},
      read: async () => ({ rows: [], next: null }),
      isTruncated: async () => false,
    };
    const content = (await downloadList({ caller, request, whileAllowed: ALWAYS_ALLOWED, format: 'csv', ...other })).raw
      ?.content;
    expect((await fetchCsv(owner, '?format=csv')).json.code).toBe('rate_limited');
    expect((await fetchCsv(owner, '')).status).toBe(200);
    if (typeof content === 'function') await new Response(content('identity')).text();
    for (let n = 0; n < 2; n++) expect((await fetchCsv(owner, '?format=csv')).status).toBe(200);
  });
});
