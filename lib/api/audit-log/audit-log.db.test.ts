import { beforeAll, describe, expect, it } from 'vitest';
import type { AuditLogEntry } from '@/lib/audit/schema';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { insertAudit } from '@/tests/fixtures/audit';
import { makeProject, registerMember, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { makeKey } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { type CallOptions, call, TEST_ADDRESS } from '@/tests/http/api-request';

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
      target: { type: 'api_key', id: keyId },
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

  it('has pages that lose and repeat nothing while entries are added', async () => {
    const other = await registerPerson();
    await insertAudit({ organizationId: other.organizationId, count: 7 });
    const whole = (await read(other)).json.data;
    const seen: AuditLogEntry[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Listing<AuditLogEntry> = (await read(other, `?limit=3${cursor && `&cursor=${cursor}`}`)).json;
      seen.push(...page.data);
      cursor = page.nextCursor;
      await makeProject(other);
    }
    expect(seen).toEqual(whole);
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
    const response = await call('GET', pathOf(owner, `?${query}`), { bearer: owner.accessToken });
    expect([response.status, response.json.errors?.[0]?.path]).toEqual([400, query.split('=')[0]]);
  });

  it('is readable by admins and owners only', async () => {
    const admin = await registerMember(owner.organizationId, 'ADMIN');
    const readAs = async (options: CallOptions) => {
      const { status, json } = await call('GET', pathOf(owner), options);
      return [status, json.code];
    };
    expect(await readAs({ bearer: admin.accessToken })).toEqual([200, undefined]);
    for (const role of ['DEVELOPER', 'VIEWER'] as const) {
      const member = await registerMember(owner.organizationId, role);
      expect(await readAs({ bearer: member.accessToken }), role).toEqual([403, 'forbidden']);
    }
    expect(await readAs({ bearer: (await registerPerson()).accessToken })).toEqual([404, 'not_found']);
    const { key } = await makeKey(projectId, owner, { name: 'k' });
    expect(await readAs({ apiKey: key })).toEqual([403, 'person_required']);
    expect(await readAs({})).toEqual([401, 'unauthenticated']);
  });

  it('contains entries of its organization only, whatever the filter', async () => {
    const other = await registerPerson();
    await insertAudit({ organizationId: other.organizationId, count: 3, actorId: owner.userId });
    for (const query of ['', `?actorId=${owner.userId}`, '?action=project.updated', '?format=csv']) {
      expect((await read(owner, query)).text, query).not.toContain(other.organizationId);
    }
    const cursor = (await read(other, '?limit=1')).json.nextCursor;
    expect((await read(owner, `?cursor=${cursor}`)).text).not.toContain(other.organizationId);
  });

  it('shows the email address of an account until it is erased', async () => {
    const admin = await registerMember(owner.organizationId, 'ADMIN');
    await call('POST', `/api/v1/orgs/${owner.organizationId}/projects`, {
      bearer: admin.accessToken,
      body: { name: 'Theirs' },
    });
    expect((await read(owner, `?actorId=${admin.userId}`)).text).toContain(admin.email);
    expect((await call('DELETE', '/api/v1/auth/me', { bearer: admin.accessToken })).status).toBe(204);
    const { json, text } = await read(owner, `?actorId=${admin.userId}`);
    expect(json.data.map(({ action }) => action)).toContain('project.created');
    expect(json.data[0]?.actor).toEqual({ type: 'USER', id: admin.userId });
    expect(text).not.toContain('erased');
    expect((await read(owner, '?format=csv')).text).not.toContain(admin.email);
  });
});

describe.each(useAdapters())('the audit log as CSV, %s', (_name, callThrough) => {
  const fetchCsv = (person: TestPerson, query: string, headers: Record<string, string> = {}) =>
    callThrough('GET', pathOf(person, query), { bearer: person.accessToken, headers });

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

  it('contains every entry that matches: limit and cursor are refused', async () => {
    const owner = await registerPerson();
    for (const name of ['limit=10', 'cursor=AAAAAAAAAAAAAAAAAAAAAA']) {
      const { status, json } = await fetchCsv(owner, `?format=csv&${name}`);
      expect([status, json.errors?.[0]?.path]).toEqual([400, name.split('=')[0]]);
    }
  });

  it('does not let the address of a member start a formula', async () => {
    const owner = await registerPerson({ email: `=cmd+${Date.now()}${Math.random()}@example.com` });
    const { text } = await fetchCsv(owner, '?format=csv');
    expect(text).toContain(`"'${owner.email}"`);
    expect(text).not.toContain(`"${owner.email}"`);
  });
});
