import { describe, expect, it } from 'vitest';
import { downloadList } from '@/lib/api/list-download';
import type { PersonCaller } from '@/lib/audit/caller';
import type { ApiRequest } from '@/lib/http/request';
import { ALWAYS_ALLOWED } from '@/lib/platform/open-connections';
import { useDatabase } from '@/tests/database/use-database';
import { insertAudit } from '@/tests/fixtures/audit';
import { registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { useAdapters } from '@/tests/http/adapters';

useDatabase();

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
