import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CatalogueType } from '@/lib/events/schema';
import {
  CONVOY_KEY,
  CONVOY_PROJECT,
  CONVOY_SECRET,
  convoyEndpoint,
  convoySubscription,
  useConvoyServer,
} from '@/tests/cli/convoy-server';
import { sendJson } from '@/tests/cli/svix-server';
import { useCli } from '@/tests/cli/use-cli';
import { useImport } from '@/tests/cli/use-import';
import { startReceiver } from '@/tests/http/receiver';

const { projects, eds } = useCli();
const convoy = useConvoyServer();
const { run, start, api, customers, endpoints, endpointCalled, secretOf } = useImport({
  eds,
  projects,
  // As its documentation names servers.
  line: () => ['convoy', '--url', `${convoy.url()}/api`, '--from-project', CONVOY_PROJECT],
  token: { CONVOY_API_KEY: CONVOY_KEY },
});

describe('eds import convoy', () => {
  it('makes owners customers, and endpoints with secrets, subscriptions, headers and rates', async () => {
    convoy.pageSize = 1;
    convoy.eventTypes = [{ name: 'order.paid', category: 'Orders', json_schema: { type: 'object' } }];
    convoy.links = [
      { uid: 'l1', owner_id: 'acme', name: 'Acme Inc.' },
      { uid: 'l2', owner_id: 'empty', name: 'Empty' },
    ];
    convoy.endpoints = [
      convoyEndpoint('EP1', {
        description: 'Billing',
        rate_limit: 100,
        rate_limit_duration: 60,
        authentication: { type: 'api_key', api_key: { header_name: 'X-Key', header_value: 'value' } },
      }),
      convoyEndpoint('EP2', {
        status: 'paused',
        authentication: { type: 'basic_auth', basic_auth: { username: 'u', password: 'p' } },
      }),
      convoyEndpoint('EP3', { owner_id: '' }),
    ];
    convoy.subscriptions = [
      convoySubscription('EP1', ['order.paid', 'order.sent']),
      convoySubscription('EP2', ['*'], { body: { amount: { $gte: 100 } } }),
    ];
    const { code, items, of } = await run();
    expect([code, items.map(({ from, result }) => [from, result]).sort()]).toEqual([
      0,
      ['EP1', 'EP2', 'EP3', 'acme', 'empty', 'order.paid'].map((from) => [from, 'made']),
    ]);
    expect(await api<CatalogueType>('GET', '/event-types/order.paid')).toMatchObject({
      group: 'Orders',
      schema: { type: 'object' },
    });
    expect((await customers()).map(({ uid, name }) => [uid, name]).sort()).toEqual([
      ['acme', 'Acme Inc.'],
      ['empty', 'Empty'],
    ]);
    expect(await endpointCalled('EP1')).toMatchObject({
      url: 'https://ep1.example.com/',
      description: 'EP1: Billing',
      enabled: false,
      customerUid: 'acme',
      eventTypes: ['order.paid', 'order.sent'],
      filter: null,
      headers: { 'X-Key': 'value' },
      rateLimit: { requests: 100, seconds: 60 },
      bodyFormat: 'DATA',
    });
    expect(await endpointCalled('EP2')).toMatchObject({
      eventTypes: ['*'],
      filter: { path: 'data.amount', op: 'gte', value: 100 },
      headers: { Authorization: `Basic ${Buffer.from('u:p').toString('base64')}` },
    });
    expect(of('EP2').disabledThere).toBe(true);
    expect(await endpointCalled('EP3')).toMatchObject({ customerUid: null, eventTypes: [] });
    expect(await secretOf(of('EP1').id)).toBe(CONVOY_SECRET);
    expect((await run()).items.every(({ result }) => result === 'unchanged')).toBe(true);
    expect(await endpoints()).toHaveLength(3);
  });

  it.each([
    [true, 'hex', 'SHA256', ','],
    [false, 'base64', 'SHA512', null],
  ] as const)(
    'signs as there: receivers see no difference (advanced: %s)',
    async (isAdvanced, encoding, hash, separator) => {
      const receiver = await startReceiver();
      const versions = [
        { uid: 'a', hash: 'MD5', encoding: 'hex', created_at: '2023-01-01T00:00:00Z' },
        { uid: 'b', hash, encoding, created_at: '2024-01-01T00:00:00Z' },
      ];
      convoy.project = { type: 'outgoing', config: { signature: { header: 'X-Convoy-Signature', versions } } };
      convoy.endpoints = [convoyEndpoint('EPS', { url: receiver.url, owner_id: '', advanced_signatures: isAdvanced })];
      convoy.subscriptions = [convoySubscription('EPS', ['*'])];
      const { of } = await run();
      const data = { amount: 4200 };
      await api('POST', `/endpoints/${of('EPS').id}/test`, { type: 'order.paid', data });
      const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
      expect(body).toBe(JSON.stringify(data));
      const given = String(headers['x-convoy-signature']);
      const [, time, signature] = isAdvanced ? (/^t=(\d+),v1=(.+)$/.exec(given) ?? []) : ['', '', given];
      const signed = separator === null ? body : `${time}${separator}${body}`;
      expect(signature).toBe(createHmac(hash, CONVOY_SECRET).update(signed).digest(encoding));
    },
  );

  it('names what cannot be expressed, and the endpoint gets no event that it should not', async () => {
    convoy.endpoints = [
      convoyEndpoint('FN'),
      convoyEndpoint('HD'),
      convoyEndpoint('OA', { authentication: { type: 'oauth2', oauth2: { url: 'https://id.example.com' } } }),
      convoyEndpoint('CT', { content_type: 'application/x-www-form-urlencoded', http_timeout: 60 }),
      convoyEndpoint('NS', { secrets: [] }),
      convoyEndpoint('SS', { secrets: [{ value: 'short' }] }),
      convoyEndpoint('U', { owner_id: '0f8fad5b-d9cb-469f-a165-70867728950e' }),
      convoyEndpoint('B', { owner_id: 'two words' }),
    ];
    convoy.subscriptions = [
      convoySubscription('FN', ['*'], {}, { function: 'function transform() {}' }),
      convoySubscription('HD', ['order.paid'], { headers: { 'x-source': 'billing' } }),
      convoySubscription('HD', ['order.sent'], { body: { name: { $regex: '^a' } } }),
      convoySubscription('HD', ['order.ok', 'two words'], { body: { name: 'a' } }),
    ];
    const { code, of } = await run();
    expect(code).toBe(1);
    expect(of('FN').notes).toEqual([expect.stringContaining('function')]);
    expect(of('HD').notes).toEqual([
      'the event type “two words” is left out: it cannot be one here',
      'events of type “order.paid” are left out: a filter on headers has no equal here',
      'events of type “order.sent” are left out: the operator “$regex” has no equal here',
      expect.stringContaining('Convoy also finds a value in an array'),
    ]);
    expect(await endpointCalled('HD')).toMatchObject({
      eventTypes: ['order.ok'],
      filter: { path: 'data.name', op: 'eq', value: 'a' },
    });
    expect(of('OA').notes).toEqual([expect.stringContaining('authentication')]);
    expect(of('CT').notes).toEqual([expect.stringContaining('content type'), expect.stringContaining('60 s')]);
    expect([of('NS').result, of('SS').result, of('two words').result]).toEqual(['skipped', 'skipped', 'skipped']);
    expect(of('0f8fad5b-d9cb-469f-a165-70867728950e')).toMatchObject({
      uid: 'uid:0f8fad5b-d9cb-469f-a165-70867728950e',
      complete: true,
    });
  });

  it('reads the filters that newer servers keep for each event type', async () => {
    convoy.endpoints = [convoyEndpoint('NF')];
    const subscription = convoySubscription('NF', ['a', 'b', 'c']);
    convoy.subscriptions = [subscription];
    convoy.filters = {
      [String(subscription.uid)]: [
        { event_type: 'a', body: { 'user.plan': 'pro' } },
        { event_type: 'b', body: { user: { plan: 'pro' } } },
      ],
    };
    expect((await run()).code).toBe(0);
    expect(await endpointCalled('NF')).toMatchObject({
      eventTypes: ['a', 'b', 'c'],
      filter: {
        any: [
          {
            all: [
              { path: 'type', op: 'in', value: ['a', 'b'] },
              { path: 'data.user.plan', op: 'eq', value: 'pro' },
            ],
          },
          { path: 'type', op: 'eq', value: 'c' },
        ],
      },
    });
  });

  it.each([
    [{ filter_config: 'x' }, null, {}],
    [{ filter_config: { event_types: 'a' } }, null, {}],
    [{ filter_config: { event_types: ['a', 7] } }, null, {}],
    [{ filter_config: { event_types: ['a'], filter: 'x' } }, null, {}],
    [{}, [null], {}],
    [{}, [{ event_type: 7, body: { n: 1 } }], {}],
    [{}, { a: { n: 1 } }, {}],
    [{}, null, { owner_id: 7 }],
  ])(
    'never drops what narrows: with %j, %j and %j the endpoint is named, and not made',
    async (more, filters, fields) => {
      convoy.endpoints = [convoyEndpoint('NW', fields)];
      const subscription = convoySubscription('NW', ['a'], {}, more);
      convoy.subscriptions = [subscription];
      convoy.filters = filters && { [String(subscription.uid)]: filters as never };
      const { code, of } = await run();
      expect([code, of('NW').result, of('NW').notes.length]).toEqual([1, 'skipped', 1]);
      expect(await endpoints()).toEqual([]);
    },
  );

  it('keeps no more of lists than a bound, and makes nothing of half of them', async () => {
    let page = 0;
    convoy.fault = (path, response) => {
      if (!path.endsWith('/subscriptions')) return false;
      page += 1;
      const content = [{ uid: `${page}`.padEnd(7 * 1024 * 1024, 'x') }];
      const pagination = { has_next_page: page < 40, next_page_cursor: String(page) };
      return sendJson(response, { data: { content, pagination } });
    };
    const { code, stdout, stderr } = await start();
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('lists of more than 128 MiB')]);
    expect(page).toBeLessThan(20);
  });

  it('takes over only the owners of --only', async () => {
    convoy.endpoints = [convoyEndpoint('O1', { owner_id: 'one' }), convoyEndpoint('O2', { owner_id: 'two' })];
    const { code, items } = await run(['--only', 'two,three']);
    expect([code, items.map(({ from, result }) => [from, result])]).toEqual([
      1,
      [
        ['two', 'made'],
        ['O2', 'made'],
        ['three', 'skipped'],
      ],
    ]);
  });

  it('refuses a project that receives webhooks, and needs the name of one', async () => {
    convoy.project = { type: 'incoming' };
    expect((await start()).stderr).toContain('receives webhooks');
    const { code, stderr } = await eds.run(['import', 'convoy', '--url', convoy.url()], {
      env: { EDS_API_KEY: 'eds_x' },
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--from-project')]);
  });

  it('stops at a list that never ends, and makes nothing of half of what it knows', async () => {
    convoy.endpoints = [convoyEndpoint('E')];
    convoy.fault = (path, response) =>
      path.endsWith('/subscriptions') &&
      sendJson(response, { data: { content: [], pagination: { has_next_page: true, next_page_cursor: 'same' } } });
    const { code, stderr, stdout } = await start();
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('the same page again and again')]);
    expect(await endpoints()).toEqual([]);
  });
});
