import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint, EndpointListItem } from '@/lib/delivery/schema';
import { targetSearch } from '@/lib/delivery/targets';
import { HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { rankByDuration } from '@/lib/stats/list-endpoints-sql';
import { rollUpStats } from '@/lib/stats/roll-up';
import { run, select, timeOfId } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { insertAttempt } from '@/tests/fixtures/stats';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();

const list = (query: string, project: TestProject = projects.mine) =>
  call<Listing<EndpointListItem> & Problem>('GET', `${base(project)}/endpoints?${query}`, asOwner(project));

describe('the list of endpoints', () => {
  const names = new Map<string, string>();
  /** Returns the names of the endpoints that a query lists, page by page. */
  async function namesOf(query: string, limit = 100): Promise<(string | undefined)[]> {
    const found: (string | undefined)[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, json, text } = await list(`${query}&limit=${limit}&cursor=${cursor}`);
      expect(status, text).toBe(200);
      found.push(...json.data.map(({ id }) => names.get(id)));
      cursor = json.nextCursor;
    }
    return found;
  }

  beforeAll(async () => {
    const make = async (name: string, body: object) => {
      const endpoint = await makeEndpoint(projects.mine, body);
      names.set(endpoint.id, name);
      return { id: endpoint.id, projectId: projects.mine.id };
    };
    const slow = await make('slow', { url: 'https://c.example.com/hooks', description: 'Billing 100% exact' });
    const failing = await make('failing', { url: 'https://B.example.com/a_b', description: 'audit' });
    const silent = await make('silent', { url: 'http://a.example.com:8080/', eventTypes: ['order.*', 'a.b'] });
    await make('unused', { url: 'https://d.example.com/c.example.com', description: 'Café', uid: 'acme-Billing:4' });
    for (const durationMs of [3_000, 4_000]) await insertAttempt(slow, { status: 200, ageMs: MINUTE_MS, durationMs });
    await insertAttempt(failing, { status: 500, ageMs: 2 * MINUTE_MS });
    await insertAttempt(failing, { status: 200, ageMs: 2 * MINUTE_MS });
    await insertAttempt(silent, { status: 200, ageMs: 30 * HOUR_MS, durationMs: 9_000 });
    await run('UPDATE endpoints SET failing_since = now() WHERE id = $1', failing.id);
    await run(`UPDATE deliveries SET created_at = ${timeOfId('id')} WHERE project_id = $1`, projects.mine.id);
    while (await rollUpStats());
  });

  it.each([
    ['-createdAt', ['unused', 'silent', 'failing', 'slow']],
    ['createdAt', ['slow', 'failing', 'silent', 'unused']],
    ['host', ['silent', 'failing', 'slow', 'unused']],
    ['-host', ['unused', 'slow', 'failing', 'silent']],
    ['description', ['failing', 'slow', 'unused', 'silent']],
    ['-description', ['unused', 'slow', 'failing', 'silent']],
    ['success', ['failing', 'slow', 'unused', 'silent']],
    ['-success', ['slow', 'failing', 'unused', 'silent']],
    ['p95', ['failing', 'slow', 'unused', 'silent']],
    ['-p95', ['slow', 'failing', 'unused', 'silent']],
    ['lastDeliveryAt', ['unused', 'silent', 'failing', 'slow']],
    ['-lastDeliveryAt', ['slow', 'failing', 'silent', 'unused']],
  ])('is sorted by %s, in pages of any size', async (sort, expected) => {
    expect(await namesOf(`sort=${sort}`)).toEqual(expected);
    expect(await namesOf(`sort=${sort}`, 1)).toEqual(expected);
    expect(await namesOf(`sort=${sort}`, 3)).toEqual(expected);
  });

  it('reads the durations of endpoints with attempts in the range only', async () => {
    const filters = { ...targetSearch(projects.mine.id, undefined), customer: null, state: null };
    const rows = await rankByDuration.all(database(), { ...filters, from: new Date(Date.now() - 24 * HOUR_MS) });
    const durations = new Map(rows.map(({ id, key }) => [names.get(id), key?.reduce((sum, count) => sum + count)]));
    expect(Object.fromEntries(durations)).toEqual({ slow: 2, failing: 2, silent: undefined, unused: undefined });
  });

  it('continues after an endpoint that was deleted since its page', async () => {
    const project = await makeTestProject();
    const made: Endpoint[] = [];
    for (const host of ['a', 'a', 'b', 'c']) made.push(await makeEndpoint(project, { url: `https://${host}.example` }));
    const first = await list('sort=host&limit=2', project);
    expect(first.json.data.map(({ id }) => id)).toEqual([made[1]?.id, made[0]?.id]);
    await call('DELETE', `${base(project)}/endpoints/${made[0]?.id}`, asOwner(project));
    const second = await list(`sort=host&limit=2&cursor=${first.json.nextCursor}`, project);
    expect(second.json.data.map(({ id }) => id)).toEqual([made[2]?.id, made[3]?.id]);
    expect(second.json.nextCursor).toBeNull();
  });

  it.each(['-createdAt', 'host'])(
    'ends a page with the endpoint that makes it longer than 256 KiB, and continues after it, by %s',
    async (sort) => {
      const project = await makeTestProject();
      const { id } = await makeEndpoint(project, { metadata: { note: '' } });
      const ids = [id, ...Array.from({ length: 39 }, newId)];
      const [first] = await select<{ secret: Buffer }>(
        'SELECT secret_encrypted AS secret FROM endpoints WHERE id = $1',
        id,
      );
      await run(
        `INSERT INTO endpoints (id, project_id, url, secret_encrypted, metadata)
         SELECT new.id, $2, 'https://a.example', $3, jsonb_build_object('note', repeat('x', 10000)) FROM unnest($1::uuid[]) AS new (id)`,
        ids.slice(1),
        project.id,
        first?.secret,
      );
      const pages: string[][] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { json } = await list(`sort=${sort}&limit=100&cursor=${cursor}`, project);
        pages.push(json.data.map((endpoint) => endpoint.id));
        cursor = json.nextCursor;
      }
      expect(pages.map(({ length }) => length)).toEqual([25, 15]);
      expect(pages.flat()).toEqual(ids.reverse());
    },
  );

  it('refuses a cursor of another order, of another list and of nothing', async () => {
    const { nextCursor } = (await list('sort=host&limit=1')).json;
    expect((await list(`sort=host&limit=1&cursor=${nextCursor}`)).status).toBe(200);
    for (const query of [`sort=-host&cursor=${nextCursor}`, `cursor=${nextCursor}`, 'sort=host&cursor=abc']) {
      const { status, json } = await list(query);
      expect([query, status, json.errors?.[0]?.path]).toEqual([query, 400, 'cursor']);
    }
    expect((await list('sort=url')).json.errors?.[0]?.path).toBe('sort');
  });

  it('finds a text in the URL, the description or the uid in upper or lower case, letter by letter, and an id', async () => {
    const id = [...names].find(([, name]) => name === 'silent')?.[0];
    for (const [q, found] of [
      ['C.EXAMPLE', ['unused', 'slow']],
      ['b.example.com', ['failing']],
      ['a_b', ['failing']],
      ['_', ['failing']],
      ['100%', ['slow']],
      ['%', ['slow']],
      ['CAFÉ', ['unused']],
      [':8080', ['silent']],
      ['acme-billing', ['unused']],
      ['BILLING', ['unused', 'slow']],
      [id, ['silent']],
      [newId(), []],
      ['nowhere', []],
    ] as const) {
      expect([q, await namesOf(`q=${encodeURIComponent(q ?? '')}`)]).toEqual([q, found]);
    }
    expect(await namesOf('q=example.com&sort=-p95', 2)).toEqual(['slow', 'failing', 'unused', 'silent']);
    expect((await list('q=')).status).toBe(400);
  });

  it('is filtered by state', async () => {
    expect(await namesOf('state=FAILING')).toEqual(['failing']);
    expect(await namesOf('state=ENABLED&sort=host')).toEqual(['silent', 'slow', 'unused']);
    expect(await namesOf('state=DISABLED')).toEqual([]);
    expect((await list('state=SILENT')).status).toBe(400);
  });

  it('finds what receives nothing: enabled without an enabled subscription', async () => {
    expect(await namesOf('state=UNSUBSCRIBED')).toEqual(['unused', 'failing', 'slow']);
    expect(await namesOf('state=UNSUBSCRIBED&q=unused')).toEqual([]);
    const project = await makeTestProject();
    const { id } = await makeEndpoint(project, { eventTypes: ['*'] });
    await makeEndpoint(project, { enabled: false });
    const listed = async () => (await list('state=UNSUBSCRIBED', project)).json.data.map((endpoint) => endpoint.id);
    expect(await listed()).toEqual([]);
    await run('UPDATE subscriptions SET enabled = false WHERE endpoint_id = $1', id);
    expect(await listed()).toEqual([id]);
  });

  it('shows the event types and the last delivery of each endpoint, and counts enabled subscriptions alone', async () => {
    const silentId = [...names].find(([, name]) => name === 'silent')?.[0];
    const off = { endpointId: silentId, eventType: 'z', enabled: false };
    expect((await call('POST', `${base()}/subscriptions`, { ...asOwner(), body: off })).status).toBe(201);
    const { json } = await list('sort=host');
    expect(json.data.map(({ eventTypes, eventTypeCount }) => [eventTypes, eventTypeCount])).toEqual([
      [['a.b', 'order.*'], 2],
      [[], 0],
      [[], 0],
      [[], 0],
    ]);
    const ageOf = (at: string | null) => (at === null ? null : Math.round((Date.now() - Date.parse(at)) / MINUTE_MS));
    expect(json.data.map(({ lastDeliveryAt }) => ageOf(lastDeliveryAt))).toEqual([1800, 2, 1, null]);
  });

  it('shows the first 20 event types in alphabetical order, and counts up to 1,000', async () => {
    const project = await makeTestProject();
    const types = Array.from({ length: 1_002 }, (_, index) => `type.${index + 1_000}`);
    const { id } = await makeEndpoint(project, { eventTypes: types.slice(2).reverse() });
    for (const eventType of types.slice(0, 2)) {
      const body = { endpointId: id, eventType };
      expect(
        (await call('POST', `/api/v1/projects/${project.id}/subscriptions`, { apiKey: project.key, body })).status,
      ).toBe(201);
    }
    const listed = async () => (await list('', project)).json.data[0];
    expect(await listed()).toMatchObject({ eventTypes: types.slice(0, 20), eventTypeCount: 1_000 });
    await run('UPDATE subscriptions SET enabled = false WHERE endpoint_id = $1 AND event_type = ANY ($2)', id, [
      ...types.slice(0, 2),
      types[21],
    ]);
    const shown = [...types.slice(2, 21), types[22]];
    expect(await listed()).toMatchObject({ eventTypes: shown, eventTypeCount: 999 });
  });

  it('has nothing of other projects', async () => {
    const foreign = await makeEndpoint(projects.foreign, { url: 'https://c.example.com/foreign' });
    for (const query of [
      'sort=host',
      'sort=-p95',
      'sort=lastDeliveryAt',
      'q=foreign',
      `q=${foreign.id}`,
      'q=example',
    ]) {
      expect([query, (await list(query)).json.data.find(({ id }) => id === foreign.id)]).toEqual([query, undefined]);
    }
    expect((await list(`q=${foreign.id}`, projects.foreign)).json.data).toHaveLength(1);
    const denied = await call('GET', `${base(projects.foreign)}/endpoints?sort=-p95`, asOwner());
    expect(denied.status).toBe(404);
  });
});

describe('an endpoint that is created with event types', () => {
  const create = (body: object, project: TestProject = projects.mine) =>
    call<Endpoint & Problem>('POST', `${base(project)}/endpoints`, { ...asOwner(project), body });
  const url = 'https://new.example.com/';

  it('is subscribed to each, and both are audited', async () => {
    const made = await create({ url, eventTypes: ['order.paid', 'user.*', '*'] });
    expect(made.status, made.text).toBe(201);
    const subscriptions = await call<Listing<{ id: string; eventType: string; enabled: boolean }>>(
      'GET',
      `${base()}/subscriptions?endpointId=${made.json.id}`,
      asOwner(),
    );
    expect(subscriptions.json.data.map(({ eventType, enabled }) => [eventType, enabled]).sort()).toEqual([
      ['*', true],
      ['order.paid', true],
      ['user.*', true],
    ]);
    const { rows } = await run(
      `SELECT action, details FROM audit_log WHERE target_id = $1 OR target_id = ANY($2::uuid[]) ORDER BY action, details->>'eventType' COLLATE "C"`,
      made.json.id,
      subscriptions.json.data.map(({ id }) => id),
    );
    expect(rows.map(({ action, details }) => [action, details.eventType, details.endpointId])).toEqual([
      ['endpoint.created', undefined, undefined],
      ['subscription.created', '*', made.json.id],
      ['subscription.created', 'order.paid', made.json.id],
      ['subscription.created', 'user.*', made.json.id],
    ]);
  });

  it('is not created with a type that is invalid or appears twice, and the error names which', async () => {
    for (const [eventTypes, path] of [
      [['not a type'], 'eventTypes.0'],
      [['order.paid', 'order*'], 'eventTypes.1'],
      [['order.paid', 'order.paid'], 'eventTypes.1'],
      ['order.paid', 'eventTypes'],
      [null, 'eventTypes'],
    ] as const) {
      const { status, json } = await create({ url: 'https://refused.example.com/', eventTypes });
      expect([status, json.errors?.[0]?.path]).toEqual([400, path]);
    }
    expect((await list('q=refused.example.com')).json.data).toEqual([]);
  });

  it('is not created beyond the limit of subscriptions, and is at the limit', async () => {
    const project = await makeTestProject();
    const types = (count: number, prefix: string) => Array.from({ length: count }, (_, n) => `${prefix}.${n}`);
    for (const [prefix, count] of Object.entries({ a: 1_000, b: 1_000, c: 1_000, d: 1_000, e: 998 })) {
      expect((await create({ url, eventTypes: types(count, prefix) }, project)).status).toBe(201);
    }
    expect((await create({ url, eventTypes: types(1_001, 'first') }, project)).json.errors).toEqual([
      { path: 'eventTypes', message: 'must have at most 1,000 entries' },
    ]);
    const refused = await create({ url, eventTypes: types(3, 'second') }, project);
    expect([refused.status, refused.json.code]).toEqual([409, 'limit_reached']);
    expect(refused.json.detail).toContain('PROJECT_MAX_SUBSCRIPTIONS');
    expect((await list('limit=100', project)).json.data).toHaveLength(5);
    expect((await create({ url, eventTypes: types(2, 'second') }, project)).status).toBe(201);
  });
});
