import { createHmac, generateKeyPairSync, sign as signWith } from 'node:crypto';
import { sign } from '@octokit/webhooks-methods';
import Stripe from 'stripe';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { StrangerBudget } from '@/lib/http/stranger-budget';
import type { SourceSecret } from '@/lib/incoming/schema';
import { config } from '@/lib/platform/config/config';
import { hotDatabase } from '@/lib/platform/db';
import { FairSemaphore } from '@/lib/platform/fair-semaphore';
import { setOnce } from '@/lib/platform/globals';
import { select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { type MadeSource, SECRET, sourceTools } from '@/tests/fixtures/sources';
import { call, expectProblem, type Problem } from '@/tests/http/api-request';

useDatabase();

const BODY = '{"id":"evt_1","total":1e2,"text":"é"}';

describe('ingress', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await makeTestProject();
    setOnce('config', { ...config(), SOURCE_UNVERIFIED_PER_HOUR: 100, SOURCE_REQUESTS_PER_MINUTE: 6_000 });
    setOnce('source-limiter', undefined);
  });

  const tools = sourceTools(() => project);
  const manage = <T = MadeSource>(verb: string, tail: string, body?: object) =>
    tools.send<T>(verb, `/sources${tail}`, body);
  const makeSource = (body: object = {}) => tools.manage<MadeSource>('POST', '/sources', { name: 'shop', ...body });
  const post = (
    source: MadeSource,
    { raw = BODY, headers = {} }: { raw?: string; headers?: Record<string, string> } = {},
  ) => tools.post(source, raw, headers);
  const github = async (raw = BODY, secret = SECRET, delivery = 'd-1') => ({
    raw,
    headers: { 'x-hub-signature-256': await sign(secret, raw), 'x-github-delivery': delivery },
  });
  const stored = async (source: MadeSource) => {
    const rows = await select<{
      id: string;
      verified: boolean | null;
      body: Buffer;
      headers: string;
      queued: boolean;
    }>(
      `SELECT i.id, i.verified, i.body, i.headers, i.size, i.content_type, i.provider_event_id,
              EXISTS (SELECT FROM outbox o WHERE o.incoming_event_id = i.id) AS queued
       FROM incoming_events i WHERE i.source_id = $1 ORDER BY i.id`,
      source.id,
    );
    return rows;
  };

  it('stores a request byte for byte with its headers, queues its forwards, and answers 202', async () => {
    const source = await makeSource();
    const raw = '\u0000\u00ff not json \r\n';
    const received = await post(source, { raw, headers: { 'content-type': 'text/weird', 'x-topic': 'orders' } });
    expect([received.status, Object.keys(received.json)]).toEqual([202, ['id', 'createdAt']]);
    const [row] = await stored(source);
    expect(row).toMatchObject({ id: received.json.id, verified: null, content_type: 'text/weird', queued: true });
    expect(row?.body.equals(Buffer.from(raw))).toBe(true);
    expect(JSON.parse(row?.headers ?? '')).toContainEqual(['x-topic', 'orders']);
  });

  it('keeps the type that a header or a small body names, or a large one that is read for its id', async () => {
    const [unsigned, stripe] = [await makeSource(), await makeSource({ provider: 'STRIPE', secret: SECRET })];
    const large = (id: string) => JSON.stringify({ id, text: 'x'.repeat(8 * 1024), type: 'invoice.paid' });
    await post(unsigned, { headers: { 'x-github-event': 'push' } });
    for (const raw of ['{"type":"order.paid"}', '{"type":"a\\u0000"}', 'type=a', large('evt_1')]) {
      expect((await post(unsigned, { raw })).status).toBe(202);
    }
    const payload = large('evt_2');
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret: SECRET });
    await post(stripe, { raw: payload, headers: { 'stripe-signature': signature } });
    const typesOf = async (source: MadeSource) =>
      (await select('SELECT event_type FROM incoming_events WHERE source_id = $1 ORDER BY id', source.id)).map(
        ({ event_type }) => event_type,
      );
    expect(await typesOf(unsigned)).toEqual(['push', 'order.paid', null, null, null]);
    expect(await typesOf(stripe)).toEqual(['invoice.paid']);
  });

  it('keeps the query string as it was sent, and refuses one of more than 2,048 characters', async () => {
    const source = await makeSource();
    const { pathname } = new URL(source.url);
    const send = (query: string) => call<Problem>('POST', `${pathname}?${query}`, { body: BODY });
    for (const query of ['a=%C3%A9&b=1+2&b=', 'x'.repeat(2_048)]) expect((await send(query)).status).toBe(202);
    expect((await send('')).status).toBe(202);
    expectProblem(await send('x'.repeat(2_049)), 400, 'validation_failed');
    const rows = await select('SELECT query FROM incoming_events WHERE source_id = $1 ORDER BY id', source.id);
    expect(rows.map(({ query }) => query)).toEqual(['a=%C3%A9&b=1+2&b=', 'x'.repeat(2_048), null]);
  });

  it('accepts a body of 512 KiB and refuses a larger one', async () => {
    const source = await makeSource();
    expect((await post(source, { raw: 'x'.repeat(512 * 1024) })).status).toBe(202);
    expect((await post(source, { raw: 'x'.repeat(512 * 1024 + 1) })).json.code).toBe('payload_too_large');
  });

  it('accepts the signatures of GitHub and Stripe made by their own libraries', async () => {
    const ofGithub = await makeSource({ provider: 'GITHUB', secret: SECRET });
    const ofStripe = await makeSource({ provider: 'STRIPE', secret: SECRET });
    expect((await post(ofGithub, await github())).status).toBe(202);
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({ payload: BODY, secret: SECRET });
    expect((await post(ofStripe, { headers: { 'stripe-signature': signature } })).status).toBe(202);
    expect(await stored(ofGithub)).toMatchObject([{ verified: true, provider_event_id: 'd-1', queued: true }]);
    expect(await stored(ofStripe)).toMatchObject([{ verified: true, provider_event_id: 'evt_1', queued: true }]);
  });

  it('answers 401 to a wrong signature, keeps the request unverified, and forwards nothing', async () => {
    const source = await makeSource({ provider: 'GITHUB', secret: SECRET });
    const refused = await post(source, await github(BODY, 'another secret'));
    expectProblem(refused, 401, 'invalid_signature');
    // GitHub signs no time.
    expect(refused.json).toMatchObject({ detail: 'The signature doesn’t match this source’s secret.' });
    expect(await stored(source)).toMatchObject([{ verified: false, provider_event_id: null, queued: false }]);
  });

  it('keeps a bounded number of unverified requests per hour, and still takes verified ones', async () => {
    setOnce('config', { ...config(), SOURCE_UNVERIFIED_PER_HOUR: 3 });
    const source = await makeSource({ provider: 'GITHUB', secret: SECRET });
    const wrong = await github(BODY, 'another secret');
    for (let n = 0; n < 5; n += 1) expect((await post(source, wrong)).status).toBe(401);
    const many = await Promise.all(Array.from({ length: 20 }, () => post(source, wrong)));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await post(source, await github())).status).toBe(202);
    expect((await stored(source)).map(({ verified }) => verified)).toEqual([false, false, false, true]);
  });

  it('recognizes a repeat by the id of the provider, answers it like the first, and queues it once', async () => {
    const source = await makeSource({ provider: 'GITHUB', secret: SECRET });
    const first = await post(source, await github());
    const repeats = await Promise.all(
      Array.from({ length: 10 }, async () => post(source, await github('{"again":true}'))),
    );
    for (const repeat of repeats) expect([repeat.status, repeat.json]).toEqual([202, first.json]);
    expect((await post(source, await github(BODY, SECRET, 'd-2'))).json.id).not.toBe(first.json.id);
    expect(await stored(source)).toHaveLength(2);
  });

  it('lets no stranger claim the id of an event', async () => {
    const source = await makeSource({ provider: 'GITHUB', secret: SECRET });
    await post(source, await github(BODY, 'another secret'));
    expect((await post(source, await github())).status).toBe(202);
    expect((await stored(source)).map(({ verified, queued }) => [verified, queued])).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it('recognizes the same id of another source as another event', async () => {
    const one = await makeSource({ provider: 'GITHUB', secret: SECRET });
    const two = await makeSource({ provider: 'GITHUB', secret: SECRET });
    const ids = [(await post(one, await github())).json.id, (await post(two, await github())).json.id];
    expect(new Set(ids).size).toBe(2);
  });

  it('accepts both secrets after a rotation, and the old one not once it is ended or replaced', async () => {
    const source = await makeSource({ provider: 'GITHUB', secret: SECRET });
    await post(source, await github());
    const { secret } = (await manage<SourceSecret>('POST', `/${source.id}/rotate-secret`)).json;
    expect((await post(source, await github(BODY, secret, 'd-2'))).status).toBe(202);
    expect((await post(source, await github(BODY, SECRET, 'd-3'))).status).toBe(202);
    await manage('DELETE', `/${source.id}/previous-secret`);
    expect((await post(source, await github(BODY, SECRET, 'd-6'))).status).toBe(401);
    expect((await post(source, await github(BODY, secret, 'd-7'))).status).toBe(202);
    await manage('PATCH', `/${source.id}`, { secret: 'the third' });
    expect((await post(source, await github(BODY, 'the third', 'd-4'))).status).toBe(202);
    expect((await post(source, await github(BODY, secret, 'd-5'))).status).toBe(401);
  });

  it('accepts both URLs after a rotation, and the old one not without a grace period', async () => {
    const source = await makeSource();
    await post(source);
    const rotated = (await manage('POST', `/${source.id}/rotate-url`, { gracePeriodHours: 1 })).json;
    expect([(await post(source)).status, (await post(rotated)).status]).toEqual([202, 202]);
    const ended = (await manage('POST', `/${source.id}/rotate-url`, { gracePeriodHours: 0 })).json;
    expect([(await post(source)).status, (await post(rotated)).status, (await post(ended)).status]).toEqual([
      404, 404, 202,
    ]);
  });

  it('answers 404 alike to an unknown, a disabled and a deleted source, from the next request on', async () => {
    const source = await makeSource();
    expect((await post(source)).status).toBe(202);
    await manage('PATCH', `/${source.id}`, { enabled: false });
    const disabled = await post(source);
    const unknown = await post({ ...source, url: source.url.replace(/.{43}$/, 'x'.repeat(43)) });
    await manage('PATCH', `/${source.id}`, { enabled: true });
    expect((await post(source)).status).toBe(202);
    await manage('DELETE', `/${source.id}`);
    const deleted = await post(source);
    const answers = [disabled, unknown, deleted].map(({ status, json: { code, detail } }) => ({
      status,
      code,
      detail,
    }));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' });
    expect(await stored(source)).toHaveLength(2);
  });

  it('lets a URL without a source cost the network of its client, and a source nothing', async () => {
    const source = await makeSource();
    const unknown = { ...source, url: source.url.replace(/.{43}$/, 'x'.repeat(43)) };
    setOnce('stranger-budget', new StrangerBudget(0.01));
    try {
      expect((await post(source)).status).toBe(202);
      expect([(await post(unknown)).status, (await post(unknown)).status]).toEqual([404, 429]);
      expect((await post(source)).status).toBe(202);
    } finally {
      setOnce('stranger-budget', undefined);
    }
  });

  it('waits for the turn of its owner to have its body parsed, and answers 429 when too many wait', async () => {
    const source = await makeSource();
    const none = { width: 0, widthPerTenant: 0, waiting: 0, waitingPerTenant: 0 };
    setOnce('thread-turns', { pace: { restAfter: () => 0 }, semaphore: new FairSemaphore(none) });
    onTestFinished(() => setOnce('thread-turns', undefined));
    expect((await post(source)).json.code).toBe('rate_limited');
    setOnce('thread-turns', undefined);
    expect((await post(source)).status).toBe(202);
  });

  it('answers 429 with Retry-After beyond the limit of the source, and only for that source', async () => {
    setOnce('config', { ...config(), SOURCE_REQUESTS_PER_MINUTE: 2 });
    setOnce('source-limiter', undefined);
    const busy = await makeSource();
    const quiet = await makeSource();
    const statuses = [(await post(busy)).status, (await post(busy)).status];
    const limited = await post(busy);
    expect([...statuses, limited.status, limited.json.code]).toEqual([202, 202, 429, 'rate_limited']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await post(quiet)).status).toBe(202);
  });

  it('echoes the signed challenge of Slack, and no unsigned one', async () => {
    const source = await makeSource({ provider: 'SLACK', secret: SECRET });
    const raw = JSON.stringify({ type: 'url_verification', challenge: '3eZbrw1aBm2rZg' });
    const seconds = String(Math.floor(Date.now() / 1000));
    const signature = `v0=${createHmac('sha256', SECRET).update(`v0:${seconds}:${raw}`).digest('hex')}`;
    const headers = { 'x-slack-request-timestamp': seconds, 'x-slack-signature': signature };
    const echoed = await post(source, { raw, headers });
    expect([echoed.status, echoed.text, echoed.headers['content-type']]).toEqual([200, '3eZbrw1aBm2rZg', 'text/plain']);
    expect((await post(source, { raw })).status).toBe(401);
  });

  const hmacOf = (text: string, encoding: 'hex' | 'base64') =>
    createHmac('sha256', SECRET).update(text).digest(encoding);
  const nowSeconds = () => String(Math.floor(Date.now() / 1000));
  const asZoom = (raw: string) => {
    const seconds = nowSeconds();
    const signature = `v0=${hmacOf(`v0:${seconds}:${raw}`, 'hex')}`;
    return { raw, headers: { 'x-zm-request-timestamp': seconds, 'x-zm-signature': signature } };
  };

  it('answers the signed URL validation of Zoom with the signed token, and stores nothing', async () => {
    const source = await makeSource({ provider: 'ZOOM', secret: SECRET });
    const raw = JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken: 'qgg8vlvZRS6' } });
    const answered = await post(source, asZoom(raw));
    expect([answered.status, answered.headers['content-type']]).toEqual([200, 'application/json']);
    expect(answered.json).toEqual({ plainToken: 'qgg8vlvZRS6', encryptedToken: hmacOf('qgg8vlvZRS6', 'hex') });
    expect(await stored(source)).toEqual([]);
    expect((await post(source, { raw })).status).toBe(401);
    expect((await post(source, asZoom('{"event":"meeting.started"}'))).status).toBe(202);
  });

  it('answers a rotated secret’s challenge with the secret that signed it', async () => {
    const source = await makeSource({ provider: 'ZOOM', secret: SECRET });
    await manage('POST', `/${source.id}/rotate-secret`, { secret: 'a newer secret' });
    const raw = JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken: 'abc' } });
    expect((await post(source, asZoom(raw))).json).toMatchObject({ encryptedToken: hmacOf('abc', 'hex') });
  });

  it('answers no challenge with a secret that was replaced, nor of a deleted source, although the process knows it', async () => {
    const graph = await makeSource({ provider: 'MICROSOFT_GRAPH', secret: SECRET });
    const meta = await makeSource({ provider: 'META', secret: SECRET });
    const zoom = await makeSource({ provider: 'ZOOM', secret: SECRET });
    const raw = JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken: 'abc' } });
    const challenges = async () => [
      (await call('POST', `${new URL(graph.url).pathname}?validationToken=abc`, { body: '' })).status,
      (
        await call(
          'GET',
          `${new URL(meta.url).pathname}?hub.mode=subscribe&hub.challenge=1&hub.verify_token=${meta.id}`,
        )
      ).status,
      (await post(zoom, asZoom(raw))).status,
    ];
    expect(await challenges()).toEqual([200, 200, 200]);
    for (const { id } of [graph, meta]) await manage('DELETE', `/${id}`);
    await manage('POST', `/${zoom.id}/rotate-secret`, { secret: 'a newer secret', gracePeriodHours: 0 });
    expect(await challenges()).toEqual([404, 405, 401]);
  });

  it('answers challenges from the connections of the owner: those that store requests and events stay free', async () => {
    const graph = await makeSource({ provider: 'MICROSOFT_GRAPH', secret: SECRET });
    const meta = await makeSource({ provider: 'META', secret: SECRET });
    const metaQuery = `hub.mode=subscribe&hub.challenge=1&hub.verify_token=${meta.id}`;
    const challenges = () =>
      Promise.all([
        call('POST', `${new URL(graph.url).pathname}?validationToken=abc`, { body: '' }),
        call('GET', `${new URL(meta.url).pathname}?${metaQuery}`),
      ]);
    await challenges();
    const hot = await Promise.all(Array.from({ length: hotDatabase().options.max }, () => hotDatabase().connect()));
    onTestFinished(() => {
      for (const client of hot) client.release();
    });
    expect((await challenges()).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('echoes the validation token of Microsoft Graph as text that no browser renders, and stores nothing', async () => {
    const source = await makeSource({ provider: 'MICROSOFT_GRAPH', secret: SECRET });
    const { pathname } = new URL(source.url);
    const send = (token: string, path = pathname) =>
      call<Problem>('POST', `${path}?validationToken=${encodeURIComponent(token)}`, { body: '' });
    const echoed = await send('<script>alert(1)</script>');
    expect([echoed.status, echoed.text]).toEqual([200, '<script>alert(1)</script>']);
    expect(echoed.headers['content-type']).toBe('text/plain');
    expect(echoed.headers['x-content-type-options']).toBe('nosniff');
    expect((await send('x'.repeat(1_001))).status).toBe(401);
    const other = await makeSource();
    expect((await send('token', new URL(other.url).pathname)).status).toBe(202);
    const raw = JSON.stringify({ value: [{ changeType: 'updated', clientState: SECRET }] });
    expect((await post(source, { raw })).status).toBe(202);
    expect((await post(source, { raw: raw.replace(SECRET, 'another') })).status).toBe(401);
    expect((await stored(source)).map(({ verified }) => verified)).toEqual([false, true, false]);
  });

  it('echoes the challenge of Meta for the right verify token, and refuses GET everywhere else', async () => {
    const source = await makeSource({ provider: 'META', secret: SECRET });
    const get = (path: string, token: string, verb = 'GET') =>
      call<Problem>(verb, `${path}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`);
    const { pathname } = new URL(source.url);
    const echoed = await get(pathname, source.id);
    expect([echoed.status, echoed.text, echoed.headers['content-type']]).toEqual([200, '1158201444', 'text/plain']);
    expect(echoed.headers['x-content-type-options']).toBe('nosniff');
    expectProblem(await get(pathname, 'another'), 401, 'invalid_signature');
    const other = await makeSource({ provider: 'GITHUB', secret: SECRET });
    for (const path of [new URL(other.url).pathname, `/api/v1/ingress/${'A'.repeat(43)}`, '/api/v1/ingress/x']) {
      const refused = await get(path, other.id);
      expectProblem(refused, 405, 'method_not_allowed');
      expect(refused.headers.allow).toBe('POST, OPTIONS');
    }
    const raw = '{"object":"page"}';
    const signed = { raw, headers: { 'x-hub-signature-256': `sha256=${hmacOf(raw, 'hex')}` } };
    expect((await post(source, signed)).status).toBe(200);
    expect(await stored(source)).toMatchObject([{ verified: true }]);
  });

  it('counts the GET of Meta toward the limit of its source', async () => {
    setOnce('config', { ...config(), SOURCE_REQUESTS_PER_MINUTE: 1 });
    const source = await makeSource({ provider: 'META', secret: SECRET });
    const get = () => call<Problem>('GET', new URL(source.url).pathname);
    expect([(await get()).status, (await get()).status]).toEqual([401, 429]);
  });

  it('answers the pings and events of Discord with 204, signed with its private key', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const secret = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
    const source = await makeSource({ provider: 'DISCORD', secret });
    const asDiscord = (raw: string) => {
      const seconds = nowSeconds();
      const signature = signWith(null, Buffer.from(`${seconds}${raw}`), privateKey).toString('hex');
      return { raw, headers: { 'x-signature-timestamp': seconds, 'x-signature-ed25519': signature } };
    };
    expect((await post(source, asDiscord('{"version":1,"type":0}'))).status).toBe(204);
    expect((await post(source, { ...asDiscord('{"type":0}'), raw: '{"type":1}' })).status).toBe(401);
    const pong = await post(source, asDiscord('{"type":1,"token":"a"}'));
    expect([pong.status, pong.json]).toEqual([200, { type: 1 }]);
    const event = asDiscord('{"type":1,"event":{"type":"ENTITLEMENT_CREATE"}}');
    expect((await post(source, event)).status).toBe(204);
    expect((await stored(source)).map(({ verified }) => verified)).toEqual([false, true]);
  });

  it('verifies what signs its public URL, with its query', async () => {
    const [hubspot, square] = [
      await makeSource({ provider: 'HUBSPOT', secret: SECRET }),
      await makeSource({ provider: 'SQUARE', secret: SECRET }),
    ];
    const send = (source: MadeSource, query: string, headers: Record<string, string>) =>
      call<Problem>('POST', `${new URL(source.url).pathname}${query}`, { body: BODY, headers });
    const time = `${nowSeconds()}000`;
    const ofHubspot = {
      'x-hubspot-request-timestamp': time,
      'x-hubspot-signature-v3': hmacOf(`POST${hubspot.url}?a=b${BODY}${time}`, 'base64'),
    };
    expect((await send(hubspot, '?a=b', ofHubspot)).status).toBe(202);
    expect((await send(hubspot, '?a=c', ofHubspot)).status).toBe(401);
    const ofSquare = { 'x-square-hmacsha256-signature': hmacOf(`${square.url}${BODY}`, 'base64') };
    expect((await send(square, '', ofSquare)).status).toBe(202);
    expect((await send(hubspot, '', ofSquare)).status).toBe(401);
  });

  it('never stores the token that it compares, and recognizes retries by a header', async () => {
    const source = await makeSource({ provider: 'TOKEN', signatureHeader: 'X-Acme', idHeader: 'X-Id', secret: SECRET });
    const first = await post(source, { headers: { 'x-acme': SECRET, 'x-id': 'a' } });
    expect(first.status).toBe(202);
    expect((await post(source, { headers: { 'x-acme': SECRET, 'x-id': 'a' } })).json.id).toBe(first.json.id);
    expect((await post(source, { headers: { 'x-acme': 'guess', 'x-id': 'b' } })).status).toBe(401);
    const gitlab = await makeSource({ provider: 'GITLAB', secret: SECRET });
    expect((await post(gitlab, { headers: { 'x-gitlab-token': SECRET, 'x-gitlab-event': 'Push Hook' } })).status).toBe(
      202,
    );
    for (const { headers } of [...(await stored(source)), ...(await stored(gitlab))]) {
      expect(headers).toContain('[redacted]');
      expect(headers).not.toMatch(/a secret of the provider|guess/);
    }
    const rows = await stored(source);
    const check = await tools.send<{ reason: string }>('GET', `/incoming-events/${rows[1]?.id}/signature-check`);
    expect(check.json.reason).toBe('wrong_secret');
  });

  it('takes what a generic HMAC signs by its template', async () => {
    const source = await makeSource({
      provider: 'GENERIC_HMAC',
      secret: SECRET,
      signedContent: '{id}.{timestamp}.{body}',
      idHeader: 'X-Id',
      timestampKey: 't',
      signatureKey: 'v1',
    });
    const send = (age: number, id: string) => {
      const time = Number(nowSeconds()) - age;
      const signature = `t=${time},v1=${hmacOf(`a.${time}.${BODY}`, 'hex')}`;
      return post(source, { headers: { 'x-id': id, 'x-signature': signature } });
    };
    expect([(await send(0, 'a')).status, (await send(400, 'a')).status, (await send(0, 'b')).status]).toEqual([
      202, 401, 401,
    ]);
    expect((await stored(source))[0]).toMatchObject({ verified: true, provider_event_id: 'a' });
  });
});
