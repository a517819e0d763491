import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createRawServer } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Attempt, AttemptDetail } from '@/lib/delivery/schema';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { insertEndpoint, insertEvents, readDeliveries } from '@/tests/fixtures/deliveries';
import { registerMember } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { listen } from '@/tests/http/listen';
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
  return { received, url: `${await listen(server)}/hook?a=1` };
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

  it('has the address and the location of a redirect that was not followed', async () => {
    const receiver = await startReceiver(respondWith(302, '', { location: 'https://elsewhere.example/' }));
    const { path } = await deliver(receiver.url);
    const detail = await inspect(path);
    expect(detail.error).toBe('Answered with status 302: redirects are not followed');
    expect(detail.responseHeaders).toContainEqual(['location', 'https://elsewhere.example/']);
  });

  it.each([
    ['500 headers', `${'a'.repeat(8)}: b\r\n`.repeat(500)],
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
    const { path } = await deliver(`${await listen(server)}/`);
    const detail = await inspect(path);
    expect(detail).toMatchObject({ responseStatus: 200, responseHeadersTruncated: lines.length > 4_000 });
    expect(detail.responseBody).toContain('<script>\uFFFD');
    expect(detail.responseHeaders?.length).toBeLessThanOrEqual(65);
    expect(JSON.stringify(detail.responseHeaders).length).toBeLessThan(6_000);
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
