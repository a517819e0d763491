import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { sealDestinationAuth } from '@/lib/delivery/credentials';
import type { Attempt, AttemptDetail } from '@/lib/delivery/schema';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { insertEndpoint, insertEvents, readDeliveries } from '@/tests/fixtures/deliveries';
import { registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { respondWith, startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase({ DELIVERY_RETRY_SECONDS: '1' });

let project: TestProject;
beforeEach(async () => {
  await run('TRUNCATE deliveries, outbox');
  project = await makeTestProject();
});

/** Delivers one event to a URL. @returns its endpoint, and the path of its delivery */
async function deliver(url: string, data = '{"total": 12.50}') {
  const endpoint = await insertEndpoint({ url, projectId: project.id, retrySeconds: [1] });
  await startWorker();
  await insertEvents(project.id, 1, { data });
  await waitFor('the delivery', isSettled(endpoint.id, 1));
  const [delivery] = await readDeliveries(endpoint.id);
  return { endpoint, path: `/api/v1/projects/${project.id}/deliveries/${delivery?.id}` };
}

type Credential = { apiKey: string } | { bearer: string };
const asKey = () => ({ apiKey: project.key });

async function readAttempts(path: string): Promise<Attempt[]> {
  return (await call<Listing<Attempt>>('GET', `${path}/attempts`, asKey())).json.data;
}

async function inspect(path: string, credential: Credential = asKey()): Promise<AttemptDetail> {
  const [attempt] = await readAttempts(path);
  const found = await call<AttemptDetail>('GET', `${path}/attempts/${attempt?.id}`, credential);
  expect(found.status, found.text).toBe(200);
  return found.json;
}

/** Starts a receiver that keeps the headers as they arrived. */
async function startRawReceiver() {
  const received: { headers: string[]; body: string }[] = [];
  const server = createServer(async (message: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of message) body += chunk;
    received.push({ headers: message.rawHeaders, body });
    response.writeHead(200, { 'content-type': 'text/plain', 'x-served-by': 'a', 'set-cookie': 'sid=hush' }).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=1` };
}

describe('the request of an attempt', () => {
  it('is shown as the receiver got it, header by header and byte by byte', async () => {
    const receiver = await startRawReceiver();
    const { endpoint, path } = await deliver(receiver.url, '{"name":"Åse \\u0041", "n": 1.50}');
    const { request } = await inspect(path);
    const [seen] = receiver.received;
    expect(request?.headers.flat()).toEqual(seen?.headers);
    expect(request).toMatchObject({ method: 'POST', url: receiver.url, body: seen?.body, bodyBase64: null });
    const verified = new Webhook(endpoint.secret).verify(
      request?.body ?? '',
      Object.fromEntries(request?.headers ?? []),
    );
    expect(verified).toMatchObject({ data: { n: 1.5 } });
  });

  it('stays as it was after the secret is rotated, and names no URL after that has changed', async () => {
    const receiver = await startRawReceiver();
    const { endpoint, path } = await deliver(receiver.url);
    const before = await inspect(path);
    const endpointPath = `/api/v1/projects/${project.id}/endpoints/${endpoint.id}`;
    for (const _ of [1, 2]) await call('POST', `${endpointPath}/rotate-secret`, asKey());
    await call('PATCH', endpointPath, { ...asKey(), body: { description: 'Same URL', url: receiver.url } });
    expect((await inspect(path)).request).toEqual(before.request);
    await call('PATCH', endpointPath, { ...asKey(), body: { url: 'https://elsewhere.example/hook' } });
    const { request } = await inspect(path);
    expect(request).toMatchObject({ url: null, body: before.request?.body });
    expect(request?.headers.map(([name]) => name)).not.toContain('host');
  });

  it('shows its signature to those who may read the secret, and to no others', async () => {
    const { path } = await deliver((await startRawReceiver()).url);
    const signatureFor = async (credential: Credential) =>
      Object.fromEntries((await inspect(path, credential)).request?.headers ?? [])['webhook-signature'];
    const { organizationId } = project.owner;
    const [viewer, developer] = await Promise.all(
      (['VIEWER', 'DEVELOPER'] as const).map((role) => registerMember(organizationId, role)),
    );
    expect(await signatureFor({ bearer: developer?.accessToken ?? '' })).toMatch(/^v1,/);
    expect(await signatureFor(asKey())).toMatch(/^v1,/);
    expect(await signatureFor({ bearer: viewer?.accessToken ?? '' })).toBe('[redacted]');
    expect(await signatureFor({ apiKey: project.readOnlyKey })).toBe('[redacted]');
  });

  it('never has the credential of a destination, not even in what the receiver repeats', async () => {
    const secret = 'Bearer-of-a-long-secret-42';
    const receiver = await startReceiver((response, _, { headers }) =>
      response.writeHead(200, { 'x-echo': `got ${headers['x-custom']}` }).end(),
    );
    const sourceId = newId();
    const destinationId = newId();
    const incomingId = newId();
    await run(
      `INSERT INTO sources (id, project_id, name, provider, token_hash, token_encrypted)
       SELECT $1, $2, 'Shop', 'NONE', sha256($3::bytea), $3::bytea`,
      sourceId,
      project.id,
      Buffer.from(sourceId),
    );
    await run(
      `INSERT INTO destinations (id, project_id, source_id, url, retry_seconds, auth_encrypted) VALUES ($1, $2, $3, $4, '{}', $5)`,
      destinationId,
      project.id,
      sourceId,
      receiver.url,
      sealDestinationAuth({ type: 'HEADER', name: 'X-Custom', value: secret }),
    );
    await run(
      `WITH stored AS (
         INSERT INTO incoming_events (id, project_id, source_id, method, headers, body, size)
         VALUES ($1, $2, $3, 'POST', '[["content-type","text/plain"],["user-agent","Shop/1"]]', '\\xff00', 2) RETURNING id)
       INSERT INTO outbox (id, kind, project_id, incoming_event_id) SELECT $4, 'INCOMING_EVENT', $2, id FROM stored`,
      incomingId,
      project.id,
      sourceId,
      newId(),
    );
    await startWorker();
    const find = `SELECT id FROM deliveries WHERE destination_id = $1 AND status = 'SUCCEEDED'`;
    await waitFor('the forward', async () => (await select(find, destinationId)).length === 1);
    const rows = await select<{ id: string }>(find, destinationId);
    const detail = await inspect(`/api/v1/projects/${project.id}/deliveries/${rows[0]?.id}`);
    const sent = Object.fromEntries(detail.request?.headers ?? []);
    expect(sent).toMatchObject({ 'x-custom': '[redacted]', 'user-agent': 'Shop/1', 'x-eds-source-id': sourceId });
    expect(detail.request).toMatchObject({ body: null, bodyBase64: Buffer.from([0xff, 0]).toString('base64') });
    expect(detail.responseHeaders).toContainEqual(['x-echo', 'got [credential]']);
    const all = JSON.stringify(await select('SELECT * FROM delivery_attempts'));
    expect([all.includes(secret), JSON.stringify(detail).includes(secret)]).toEqual([false, false]);
  });
});

describe('the response of an attempt', () => {
  it('has its headers without cookies, its timing, and the address that responded', async () => {
    const receiver = await startRawReceiver();
    const { path } = await deliver(receiver.url);
    const [listed] = await readAttempts(path);
    expect(listed).toMatchObject({
      remoteAddress: new URL(receiver.url).host,
      timing: { reusedConnection: false, dnsMs: null, connectMs: expect.any(Number), tlsMs: null },
      responseHeadersTruncated: false,
    });
    expect(listed?.responseHeaders).toEqual(
      expect.arrayContaining([
        ['x-served-by', 'a'],
        ['set-cookie', '[redacted]'],
      ]),
    );
    expect(JSON.stringify(listed)).not.toContain('hush');
  });

  it.each([
    ['refuses', (): string => 'http://127.0.0.1:1/hook', 'Connection refused', { firstByteMs: null }],
    [
      'has an unknown name',
      () => 'http://nobody.invalid/hook',
      /Host name|DNS/,
      { connectMs: null, firstByteMs: null },
    ],
  ])('has the step at which it failed when the receiver %s', async (_, url, error, timing) => {
    const { path } = await deliver(url());
    const detail = await inspect(path);
    expect(detail.error).toMatch(error);
    expect(detail).toMatchObject({ remoteAddress: null, responseHeaders: null, timing });
    expect(detail.request?.body).toContain('"total": 12.50');
  });

  it('has the address and the location of a redirect that was not followed', async () => {
    const receiver = await startReceiver(respondWith(302, '', { location: 'https://elsewhere.example/' }));
    const { path } = await deliver(receiver.url);
    const detail = await inspect(path);
    expect(detail.error).toBe('Answered with status 302: redirects are not followed');
    expect(detail.responseHeaders).toContainEqual(['location', 'https://elsewhere.example/']);
  });

  it.each([
    ['3,000 headers', 'a: b\r\n'.repeat(2_500)],
    ['a line of 10 KB', `x-long: ${'y'.repeat(10_000)}\r\n`],
    ['bytes that are not UTF-8', `x-bytes: ${String.fromCharCode(0xff, 0xfe, 0x80)}\r\n`],
  ])('is bounded for a receiver that responds with %s', async (_, lines) => {
    const server = createRawServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          const head = `HTTP/1.1 200 OK\r\ncontent-length: 20\r\nconnection: close\r\n${lines}\r\n`;
          socket.end(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from('<script>\0\u00ff</script>', 'latin1')]));
        });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { path } = await deliver(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const detail = await inspect(path);
    expect(detail).toMatchObject({ responseStatus: 200, responseHeadersTruncated: lines.length > 4_000 });
    expect(detail.responseBody).toContain('<script>\uFFFD');
    expect(detail.responseHeaders?.length).toBeLessThanOrEqual(65);
    expect(JSON.stringify(detail.responseHeaders).length).toBeLessThan(6_000);
  });

  it('is a failure when a header line has a megabyte', async () => {
    const server = createRawServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          socket.write(`HTTP/1.1 200 OK\r\nx-huge: ${'y'.repeat(1_000_000)}\r\n\r\n`);
        });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { path } = await deliver(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await inspect(path)).toMatchObject({ error: 'Response headers are too large', responseHeaders: null });
  });
});

describe('an attempt', () => {
  it('of an earlier version has no timing, no headers and no request', async () => {
    const { path } = await deliver((await startRawReceiver()).url);
    await run(`UPDATE delivery_attempts SET request_parts = NULL, response_headers = NULL, remote_address = NULL, first_byte_us = NULL,
              connect_us = NULL`);
    const nothing = { timing: null, responseHeaders: null, remoteAddress: null, request: null };
    expect(await inspect(path)).toMatchObject(nothing);
  });

  it('is not found below another delivery, in another project, or once it is removed', async () => {
    const { path } = await deliver((await startRawReceiver()).url);
    const [attempt] = await readAttempts(path);
    const stranger = await makeTestProject();
    const own = `${path}/attempts/${attempt?.id}`;
    expect((await call('GET', own, { apiKey: stranger.key })).status).toBe(404);
    expect((await call('GET', own.replace(project.id, stranger.id), { apiKey: stranger.key })).status).toBe(404);
    expect((await call('GET', `${path.replace(/[^/]+$/, newId())}/attempts/${attempt?.id}`, asKey())).status).toBe(404);
    expect((await call('GET', own, asKey())).status).toBe(200);
    await run('DELETE FROM delivery_attempts');
    expect((await call('GET', own, asKey())).status).toBe(404);
  });
});
