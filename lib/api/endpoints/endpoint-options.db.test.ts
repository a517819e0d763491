import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { markedCredentials } from '@/lib/delivery/credentials';
import type {
  Attempt,
  AttemptDetail,
  Delivery,
  Endpoint,
  EndpointListItem,
  EndpointSecret,
  TestResult,
} from '@/lib/delivery/schema';
import type { Listing } from '@/lib/platform/pagination';
import { select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { asPerson, registerMember } from '@/tests/fixtures/people';
import { call, expectInvalid, type Problem } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();
const send = <T = Endpoint & Problem>(method: string, path: string, body?: object, credential: object = asOwner()) =>
  call<T>(method, `${base()}/endpoints${path}`, { ...credential, ...(body === undefined ? {} : { body }) });

const KEY = Buffer.from('a key of thirty-two bytes, or so');
const SECRET = `whsec_${KEY.toString('base64')}`;
const PLAIN = 'a secret of an older system';
const CUSTOM = {
  profile: 'CUSTOM',
  header: 'X-Acme-Signature',
  content: '{timestamp}.{body}.{id}',
  algorithm: 'SHA512',
  encoding: 'HEX',
  value: 't={timestamp},v1={signature}',
} as const;

describe('the uid of an endpoint', () => {
  it('is unique among those of the project that are not deleted, and finds it', async () => {
    const { id } = await makeEndpoint(projects.mine, { uid: 'acme:1' });
    expect((await send('POST', '', { url: 'https://a.example', uid: 'acme:1' })).json.code).toBe('conflict');
    const other = await makeEndpoint(projects.mine, { uid: 'acme:2' });
    expect((await send('PATCH', `/${other.id}`, { uid: 'acme:1' })).json.code).toBe('conflict');
    await makeEndpoint(projects.foreign, { uid: 'acme:1' });
    const found = async (query: string) =>
      (await send<Listing<EndpointListItem>>('GET', `?${query}`)).json.data.map((endpoint) => endpoint.id);
    expect(await found('uid=acme:1')).toEqual([id]);
    expect(await found('uid=acme:1&state=ENABLED&sort=host')).toEqual([id]);
    expect(await found('uid=acme:1&state=PAUSED')).toEqual([]);
    expect(await found(`uid=acme:1&q=${other.id}`)).toEqual([]);
    expect(await found('uid=nobody')).toEqual([]);
    expectInvalid(await send('GET', '?uid=%00'), 'uid');
    expect((await send('DELETE', `/${id}`)).status).toBe(204);
    expect((await send('PATCH', `/${other.id}`, { uid: 'acme:1' })).json.uid).toBe('acme:1');
    expect((await send('PATCH', `/${other.id}`, { uid: null })).json.uid).toBeNull();
  });

  it('is one of two that are given at the same time', async () => {
    const made = await Promise.all([1, 2, 3].map(() => send('POST', '', { url: 'https://a.example', uid: 'once' })));
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });

  it.each(['', 'a b', 'é', 'x'.repeat(129), 1])('refuses %j', async (uid) => {
    expectInvalid(await send('POST', '', { url: 'https://a.example', uid }), 'uid');
  });
});

describe('the metadata of an endpoint, a source and a destination', () => {
  it('is kept, replaced and shown', async () => {
    const metadata = { plan: 'enterprise', 'owner id': 'Ada \u0001' };
    const source = await call<{ id: string }>('POST', `${base()}/sources`, { ...asOwner(), body: { name: 's' } });
    const destinations = `/sources/${source.json.id}/destinations`;
    for (const [path, body] of [
      ['/endpoints', { url: 'https://a.example' }],
      ['/sources', { name: 'other' }],
      [destinations, { url: 'https://a.example' }],
    ] as const) {
      const options = (given: object) => ({ ...asOwner(), body: given });
      const plain = await call<Endpoint>('POST', base() + path, options(body));
      expect(plain.json.metadata).toEqual({});
      const one = `${base()}${path}/${plain.json.id}`;
      expect((await call<Endpoint>('PATCH', one, options({ metadata }))).json.metadata).toEqual(metadata);
      expect((await call<Endpoint>('PATCH', one, options({ enabled: true }))).json.metadata).toEqual(metadata);
      expect((await call<Endpoint>('GET', one, asOwner())).json.metadata).toEqual(metadata);
      const made = await call<Endpoint>('POST', base() + path, options({ ...body, metadata }));
      expect(made.json.metadata).toEqual(metadata);
    }
  });

  it.each([
    { n: 1 },
    { '': 'a' },
    { a: 'x'.repeat(4_100) },
    { a: 'x\0' },
    Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`n${n}`, ''])),
    [],
    null,
    JSON.parse('{"__proto__": "a"}'),
  ])('refuses what is no object of texts, or too much: %#', async (metadata) => {
    expect((await send('POST', '', { url: 'https://a.example', metadata })).status).toBe(400);
  });
});

describe('the headers of an endpoint', () => {
  it.each([
    ['Connection'],
    ['HOST'],
    ['content-length'],
    ['Content-Type'],
    ['User-Agent'],
    ['traceparent'],
    ['webhook-id'],
    ['Svix-Signature'],
    ['X-EDS-Via'],
    ['expect'],
    ['X-Forwarded-For'],
    ['x_real_ip'],
    ['a b'],
    [''],
    ['__proto__'],
  ])('refuse %s', async (name) => {
    expect((await send('POST', '', { url: 'https://a.example', headers: { [name]: 'x' } })).status).toBe(400);
  });

  it.each([
    [{ a: 'x\r\nb: c' }],
    [{ a: '' }],
    [{ a: ' x' }],
    [{ a: 'é' }],
    [{ a: '[redacted]' }],
    [{ a: 'x', A: 'y' }],
    [{ a: 'x'.repeat(4_096) }],
    [Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`n${n}`, 'x']))],
  ])('refuse the values of %#', async (headers) => {
    expect((await send('POST', '', { url: 'https://a.example', headers })).status).toBe(400);
  });

  it('are encrypted, and shown to those who may read the secret only', async () => {
    const headers = { 'X-Api-Version': '2026-01', Authorization: 'Bearer hidden-token' };
    const { id, headers: shown } = await makeEndpoint(projects.mine, { headers });
    expect(shown).toEqual(headers);
    const hidden = { 'X-Api-Version': '[redacted]', Authorization: '[redacted]' };
    const viewer = asPerson(await registerMember(projects.mine.owner.organizationId, 'VIEWER'));
    for (const [credential, seen] of [
      [asOwner(), headers],
      [{ apiKey: projects.mine.key }, headers],
      [viewer, hidden],
      [{ apiKey: projects.mine.readOnlyKey }, hidden],
    ] as const) {
      expect((await send('GET', `/${id}`, undefined, credential)).json.headers).toEqual(seen);
      const listed = await send<Listing<Endpoint>>('GET', '', undefined, credential);
      expect(listed.json.data.find((endpoint) => endpoint.id === id)?.headers).toEqual(seen);
    }
    expect(JSON.stringify(await select('SELECT * FROM endpoints WHERE id = $1', id))).not.toContain('hidden-token');
    expect((await send('PATCH', `/${id}`, { headers: { 'X-New': 'hidden-token' } })).json.headers).toEqual({
      'X-New': 'hidden-token',
    });
    const audit = await select(`SELECT details FROM audit_log WHERE target_id = $1`, id);
    expect(JSON.stringify(audit)).not.toContain('hidden-token');
    expect(JSON.stringify(audit)).toContain('headers');
  });
});

describe('the secret and the signature of an endpoint', () => {
  it.each([
    [{ secret: SECRET }, 201],
    [{ secret: `whsec_${Buffer.alloc(24).toString('base64')}` }, 201],
    [{ secret: `whsec_${Buffer.alloc(64, 1).toString('base64')}` }, 201],
    [{ secret: `whsec_${Buffer.alloc(23).toString('base64')}` }, 400],
    [{ secret: `whsec_${Buffer.alloc(65).toString('base64')}` }, 400],
    [{ secret: PLAIN }, 400],
    [{ secret: PLAIN, signature: { profile: 'SVIX' } }, 400],
    [{ secret: PLAIN, signature: CUSTOM }, 201],
    [{ secret: 'x'.repeat(15), signature: CUSTOM }, 400],
    [{ secret: 'x'.repeat(257), signature: CUSTOM }, 400],
    [{ signature: { profile: 'OTHER' } }, 400],
    [{ signature: { profile: 'SVIX', header: 'x' } }, 400],
    [{ signature: { ...CUSTOM, header: 'webhook-signature' } }, 400],
    [{ signature: { ...CUSTOM, content: '{id}' } }, 400],
    [{ signature: { ...CUSTOM, content: '{body}{url}' } }, 400],
    [{ signature: { ...CUSTOM, value: 'x' } }, 400],
    [{ signature: { ...CUSTOM, value: ' {signature}' } }, 400],
    [{ signature: { ...CUSTOM, algorithm: 'MD5' } }, 400],
    [{ signature: CUSTOM, headers: { 'x-ACME-signature': 'x' } }, 400],
  ])('take %j with %i', async (body, status) => {
    expect((await send('POST', '', { url: 'https://a.example', ...body })).status).toBe(status);
  });

  it('may leave the profile CUSTOM only with a secret of Standard Webhooks', async () => {
    const { id, signature } = await makeEndpoint(projects.mine, { secret: PLAIN, signature: CUSTOM });
    expect(signature).toEqual(CUSTOM);
    expect((await send('GET', `/${id}/secret`)).json).toMatchObject({ secret: PLAIN });
    expect((await send('PATCH', `/${id}`, { signature: { profile: 'SVIX' } })).json.code).toBe('conflict');
    expectInvalid(await send('PATCH', `/${id}`, { headers: { 'x-acme-signature': 'x' } }), 'signature.header');
    expect((await send('POST', `/${id}/rotate-secret`, { secret: SECRET })).json).toMatchObject({ secret: SECRET });
    expect((await send('PATCH', `/${id}`, { signature: { profile: 'STANDARD' } })).status).toBe(200);
    expectInvalid(await send('POST', `/${id}/rotate-secret`, { secret: PLAIN }), 'secret');
  });
});

describe('a request to an endpoint with options', () => {
  const DATA = '{"n":12345678901234567890,"price":1.10, "name":"Åse"}';

  /** Sends an event to an endpoint of its own, and returns the request as its receiver got it. */
  async function deliver(options: object) {
    const receiver = await startReceiver((response) => void response.end('hidden-token and ok'));
    const endpoint = await makeEndpoint(projects.mine, { url: receiver.url, eventTypes: ['*'], ...options });
    await startWorker();
    const body = `{"type":"order.paid","data":${DATA}}`;
    const sent = await call<{ id: string }>('POST', '/api/v1/events', { apiKey: projects.mine.key, body });
    expect(sent.status).toBe(202);
    await waitFor('the delivery', isSettled(endpoint.id, 1));
    const [request] = receiver.received;
    await send('PATCH', `/${endpoint.id}`, { enabled: false });
    const { json } = await call<Listing<Delivery>>('GET', `${base()}/deliveries?endpointId=${endpoint.id}`, asOwner());
    const attempts = `${base()}/deliveries/${json.data[0]?.id}/attempts`;
    const attempt = async (credential: object) => {
      const listed = await call<Listing<Attempt>>('GET', attempts, credential);
      return (await call<AttemptDetail>('GET', `${attempts}/${listed.json.data[0]?.id}`, credential)).json;
    };
    const secret = (await send<EndpointSecret>('GET', `/${endpoint.id}/secret`)).json.secret;
    return {
      endpoint,
      headers: request?.headers as Record<string, string>,
      body: request?.body ?? '',
      attempt,
      secret,
    };
  }

  it('has the bytes of the data alone with DATA, and signatures of what is sent', async () => {
    const { headers, body, attempt, secret } = await deliver({ bodyFormat: 'DATA', signature: { profile: 'SVIX' } });
    expect(body).toBe(DATA);
    expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
    for (const name of ['id', 'timestamp', 'signature'])
      expect(headers[`svix-${name}`]).toBe(headers[`webhook-${name}`]);
    const { request } = await attempt(asOwner());
    expect(request?.body).toBe(DATA);
    expect(Object.fromEntries(request?.headers ?? [])).toEqual(headers);
  });

  it('has a signature of its own beside the standard one, of the text of the secret', async () => {
    for (const [secret, key] of [
      [SECRET, KEY],
      [PLAIN, Buffer.from(PLAIN)],
    ] as const) {
      const { headers, body, attempt } = await deliver({ secret, signature: CUSTOM });
      const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']];
      const standard = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${standard}`);
      const own = createHmac('sha512', secret).update(`${timestamp}.${body}.${id}`).digest('hex');
      expect(headers['x-acme-signature']).toBe(`t=${timestamp},v1=${own}`);
      const shown = async (credential: object) =>
        Object.fromEntries((await attempt(credential)).request?.headers ?? [])['x-acme-signature'];
      expect(await shown(asOwner())).toBe(`t=${timestamp},v1=${own}`);
      expect(await shown({ apiKey: projects.mine.readOnlyKey })).toBe('[redacted]');
    }
  });

  it('has the headers in each attempt and test; what is kept of it and of its response has no value of them', async () => {
    const headers = { 'X-Api-Version': '2026-01-31', Authorization: 'Bearer hidden-token' };
    const sent = await deliver({ headers });
    expect(sent.headers).toMatchObject({ 'x-api-version': '2026-01-31', authorization: 'Bearer hidden-token' });
    // A tunnel of the project, which its viewers read, does not log them.
    expect(markedCredentials(Object.entries(sent.headers))).toEqual(['x-api-version', 'authorization']);
    const attempt = await sent.attempt(asOwner());
    expect(Object.fromEntries(attempt.request?.headers ?? [])).toMatchObject({ authorization: '[redacted]' });
    expect(attempt.responseBody).toBe('[credential] and ok');
    const kept = await select(`SELECT * FROM delivery_attempts WHERE id = '${attempt.id}'`);
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain('hidden-token');
    const tested = await send<TestResult>('POST', `/${sent.endpoint.id}/test`);
    expect(tested.json.succeeded).toBe(true);
    expect(tested.text).not.toContain('hidden-token');
  });
});
