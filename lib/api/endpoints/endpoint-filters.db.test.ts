import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_NAMED_TARGETS } from '@/lib/delivery/engine/outbox/outbox-sql';
import type { EventDetail, FilterPreview, FilterTest } from '@/lib/delivery/schema';
import { database } from '@/lib/platform/db';
import { select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { insertEndpoints, insertEvents } from '@/tests/fixtures/deliveries';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { asPerson, registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call, expectInvalid, type Problem } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();
const BIG = '{"path":"data.amount","op":"gte","value":12345678901234567890.10}';

/** Sends a body as text, as JSON.stringify would change its numbers. */
const send = <T = Problem>(method: string, path: string, body: string, credential: object = asOwner()) =>
  call<T>(method, `${base()}${path}`, { ...credential, body });
const sendEvent = async (type: string, data: string, project = projects.mine) =>
  (
    await call<{ id: string }>('POST', '/api/v1/events', {
      apiKey: project.key,
      body: `{"type":"${type}","data":${data}}`,
    })
  ).json.id;
const fannedOut = async (eventId: string) => {
  const get = async () => (await call<EventDetail>('GET', `${base()}/events/${eventId}`, asOwner())).json;
  await waitFor('the fan-out', async () => (await get()).fanOutStatus === 'COMPLETED');
  return (await get()).deliveries.map(({ endpointId }) => endpointId);
};

describe('the filter of an endpoint', () => {
  it('is shown with the numbers that it was given, alone, in lists, in the export, and in the audit log', async () => {
    const made = await send<{ id: string }>('POST', '/endpoints', `{"url":"https://a.example","filter":${BIG}}`);
    expect([made.status, made.text]).toEqual([201, expect.stringContaining(`"filter":${BIG}`)]);
    const shown = async (path: string) => (await call('GET', path, asOwner())).text;
    expect(await shown(`${base()}/endpoints/${made.json.id}`)).toContain(`"filter":${BIG}`);
    expect(await shown(`${base()}/endpoints?limit=1`)).toContain(`"filter":${BIG}`);
    expect(await shown(`/api/v1/orgs/${projects.mine.owner.organizationId}/export`)).toContain(BIG);
    const other = BIG.replace('gte', 'lt');
    const changed = await send('PATCH', `/endpoints/${made.json.id}`, `{"filter": ${other} }`);
    expect(changed.text).toContain(`"filter":${other}`);
    const [entry] = await select(`SELECT details FROM audit_log WHERE action = 'endpoint.updated'`);
    expect(entry).toMatchObject({ details: { changes: { filter: { from: BIG, to: other } } } });
    expect((await send('PATCH', `/endpoints/${made.json.id}`, '{"filter":null}')).text).toContain('"filter":null');
  });

  it('is refused where it is wrong, and says where', async () => {
    const condition = { path: 'data.a', op: 'like', value: 1 };
    const body = (filter: unknown) => JSON.stringify({ url: 'https://a.example', filter });
    expectInvalid(await send('POST', '/endpoints', body({ all: [condition] })), 'filter.all.0.op');
    expectInvalid(await send('POST', '/endpoints', body([])), 'filter');
    const { id } = await makeEndpoint(projects.mine);
    expectInvalid(
      await send('PATCH', `/endpoints/${id}`, body({ any: [] }).replace('"url":"https://a.example",', '')),
      'filter.any',
    );
  });

  it('decides which events make a delivery, of those that its subscriptions match', async () => {
    const receiver = await startReceiver();
    const make = (filter: string | null, eventTypes = ['*']) =>
      makeEndpoint(projects.mine, {
        url: receiver.url,
        eventTypes,
        filter: filter === null ? null : JSON.parse(filter),
      });
    const [all, large, none] = [
      await make(null),
      await make('{"path":"data.n","op":"gt","value":10}'),
      await make('{"path":"type","op":"eq","value":"x"}'),
    ];
    await make('{"path":"data.n","op":"gt","value":10}', ['other']);
    await startWorker();
    expect((await fannedOut(await sendEvent('order.paid', '{"n":11}'))).sort()).toEqual([all.id, large.id].sort());
    expect(await fannedOut(await sendEvent('order.paid', '{"n":10}'))).toEqual([all.id]);
    const long = `{"n":${'1'.repeat(20_000)}}`;
    expect((await fannedOut(await sendEvent('order.paid', long))).sort()).toEqual([all.id, large.id].sort());
    // The change of a filter takes effect at once.
    await send('PATCH', `/endpoints/${large.id}`, '{"filter":{"path":"data.n","op":"lt","value":10.5}}');
    expect((await fannedOut(await sendEvent('order.paid', '{"n":10}'))).sort()).toEqual([all.id, large.id].sort());
    expect(await fannedOut(await sendEvent('x', '{"n":10.5}'))).toEqual(expect.arrayContaining([all.id, none.id]));
  });

  it('decides also beyond the targets that a take names', async () => {
    const projectId = await insertEndpoints(
      Array.from({ length: MAX_NAMED_TARGETS + 2 }, (_, at) => `http://receiver.test/${at}`),
    );
    const ids = (
      await select<{ id: string }>(`SELECT id FROM endpoints WHERE project_id = '${projectId}' ORDER BY id`)
    ).map(({ id }) => id);
    const [filtered, last] = ids.slice(-2);
    await database().query(
      `UPDATE endpoints SET filter = '{"path":"data.n","op":"eq","value":2}' WHERE id IN ($1, $2)`,
      [ids[0], filtered],
    );
    await insertEvents(projectId, 1);
    await startWorker();
    await waitFor(
      'the fan-out',
      async () => (await select(`SELECT id FROM outbox WHERE project_id = '${projectId}'`)).length === 0,
    );
    const stored = (
      await select<{ endpoint_id: string }>(`SELECT endpoint_id FROM deliveries WHERE project_id = '${projectId}'`)
    ).map(({ endpoint_id }) => endpoint_id);
    expect(stored).toHaveLength(MAX_NAMED_TARGETS);
    expect([stored.includes(ids[0] ?? ''), stored.includes(filtered ?? ''), stored.includes(last ?? '')]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('a test of a filter', () => {
  const test = (filter: string, data: string, credential?: object) =>
    send<FilterTest & Problem>(
      'POST',
      '/filter-tests',
      `{"filter":${filter},"type":"order.paid","data":${data}}`,
      credential,
    );

  it('says whether an event matches, and names what keeps it from that with exact numbers', async () => {
    expect((await test(BIG, '{"amount": 1.234567890123456789010e19}')).json).toEqual({ matches: true, failed: [] });
    const { text } = await test(
      `{"all":[${BIG},{"path":"data.a.b","op":"exists","value":true},{"not":{"path":"type","op":"startsWith","value":"order."}}]}`,
      '{"amount": 12345678901234567890.09}',
    );
    expect(text).toBe(
      '{"matches":false,"failed":[{"path":"data.amount","op":"gte","value":12345678901234567890.10,"actual":12345678901234567890.09},' +
        '{"path":"data.a.b","op":"exists","value":true,"actual":null},{"path":"type","op":"startsWith","value":"order.","actual":"order.paid"}]}',
    );
  });

  it('is for everybody who reads the project, and changes nothing', async () => {
    const viewer = asPerson(await registerMember(projects.mine.owner.organizationId, 'VIEWER'));
    for (const credential of [viewer, { apiKey: projects.mine.readOnlyKey }]) {
      expect((await test(BIG, '{}', credential)).json.matches).toBe(false);
    }
    expect((await test(BIG, '{}', { apiKey: projects.foreign.key })).status).toBe(404);
    expectInvalid(await test('{}', '{}'), 'filter');
    expect((await test(BIG, `{"a":"${'x'.repeat(256 * 1024)}"}`)).json.code).toBe('payload_too_large');
  });
});

describe('a preview of a filter', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await makeTestProject();
  });
  const preview = (body: string, credential: object = asOwner(project)) =>
    call<FilterPreview & Problem>('POST', `${base(project)}/filter-previews`, { ...credential, body });
  const sendHere = (type: string, data: string) => sendEvent(type, data, project);

  it('tries the newest events of the project, and says with exact numbers what keeps them from matching', async () => {
    await sendHere('order.paid', '{"amount": 12345678901234567890.10}');
    await sendHere('order.paid', '{"amount": 12345678901234567890.09}');
    const newest = await sendHere('user.created', `{"amount": "${'x'.repeat(1_000)}"}`);
    const { json, text } = await preview(`{"filter":${BIG}}`);
    expect(json).toMatchObject({ checked: 3, matching: 1 });
    expect(json.events.map(({ type, matches }) => [type, matches])).toEqual([
      ['user.created', false],
      ['order.paid', false],
      ['order.paid', true],
    ]);
    expect(json.events[0]).toMatchObject({ id: newest, failed: [{ actual: `${'x'.repeat(256)}…` }] });
    expect(text).toContain('"op":"gte","value":12345678901234567890.10,"actual":12345678901234567890.09}');
  });

  it('tries only events of the given types and patterns', async () => {
    for (const type of ['order.paid', 'order.item.added', 'user.created', 'user.deleted']) await sendHere(type, '{}');
    const typesFor = async (eventTypes: string[]) =>
      (await preview(JSON.stringify({ filter: JSON.parse(BIG), eventTypes }))).json.events.map(({ type }) => type);
    expect(await typesFor(['order.*', 'user.created'])).toEqual(['user.created', 'order.item.added', 'order.paid']);
    expect(await typesFor(['user.deleted', 'order.paid', 'order.paid'])).toEqual(['user.deleted', 'order.paid']);
    expect(await typesFor(['order.paid', '*'])).toHaveLength(4);
    expect(await typesFor(Array.from({ length: 20 }, (_, at) => `user.${at}`).concat('order.paid'))).toEqual([
      'order.paid',
    ]);
  });

  it('tries at most 50 events with at most 1 MiB of data', async () => {
    await insertEvents(project.id, 60);
    expect((await preview(`{"filter":${BIG}}`)).json).toMatchObject({ checked: 50, matching: 0 });
    const large = JSON.stringify({ a: 'x'.repeat(255 * 1024) });
    for (let sent = 0; sent < 6; sent += 1) {
      await sendHere('large', large);
    }
    expect((await preview(`{"filter":${BIG}}`)).json.checked).toBe(4);
  });

  it('is for everybody who reads the project, and of no other project', async () => {
    await sendHere('order.paid', '{}');
    const viewer = asPerson(await registerMember(project.owner.organizationId, 'VIEWER'));
    for (const credential of [viewer, { apiKey: project.readOnlyKey }]) {
      expect((await preview(`{"filter":${BIG}}`, credential)).json.checked).toBeGreaterThan(0);
    }
    expect((await preview(`{"filter":${BIG}}`, { apiKey: projects.foreign.key })).status).toBe(404);
    expectInvalid(await preview('{"filter":{}}'), 'filter');
    expectInvalid(await preview(`{"filter":${BIG},"eventTypes":[]}`), 'eventTypes');
  });
});
