import { createHash, createHmac, randomFillSync } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AttemptDetail, SignatureCheck } from '@/lib/delivery/schema';
import { signingKey } from '@/lib/delivery/signature-schemes-policy';
import { getIncomingEventBody } from '@/lib/incoming/incoming-events/queries';
import type { DestinationSecret, IncomingEventDetail } from '@/lib/incoming/schema';
import { currentSearchPath } from '@/lib/platform/cells/current-cell';
import { config } from '@/lib/platform/config/config';
import { shareConnections } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { FairSemaphore } from '@/lib/platform/fair-semaphore';
import { once, setOnce } from '@/lib/platform/globals';
import { GroupCommit } from '@/lib/platform/group-commit/group-commit';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { type MadeSource, SECRET, sourceTools } from '@/tests/fixtures/sources';
import { useWebServer } from '@/tests/http/adapters';
import { waitFor } from '@/tests/http/receiver';
import { scrapeNow } from '@/tests/monitoring/exposition';

useDatabase();
const server = useWebServer();

const MIB = 1024 * 1024;
const SHOWN = 512 * 1024;
const BYTES = randomFillSync(Buffer.alloc(25 * MIB));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const sign = (body: Buffer, secret = SECRET) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

let project: TestProject;
beforeEach(async () => {
  project = await makeTestProject();
  setOnce('config', { ...config(), SOURCE_MAX_BODY_BYTES: 25 * MIB });
  setOnce('large-ingress', undefined);
});

const { manage, makeSource, makeDestination, deliveriesOf } = sourceTools(() => project);
const request = (path: string, options: RequestInit = {}) => fetch(`http://127.0.0.1:${server.port()}${path}`, options);
async function post(source: MadeSource, body: Buffer, headers: Record<string, string> = {}) {
  const response = await request(new URL(source.url).pathname, { method: 'POST', body: new Uint8Array(body), headers });
  return { status: response.status, json: (await response.json()) as { id: string; code?: string } };
}
const pathOf = (id: string, tail = '') => `/api/v1/projects/${project.id}/incoming-events/${id}${tail}`;

async function countDropped(): Promise<number> {
  return (
    (await scrapeNow()).get('ingress_requests_total')?.samples['ingress_requests_total{result="unverified_dropped"}'] ??
    0
  );
}

/** A receiver that keeps the hashes of bodies. */
async function startHashingReceiver() {
  const received: { sha256: string; headers: IncomingHttpHeaders }[] = [];
  const receiver = createServer((message, response) => {
    const hash = createHash('sha256');
    message.on('data', (chunk: Buffer) => hash.update(chunk));
    message.on('end', () => {
      received.push({ sha256: hash.digest('hex'), headers: message.headers });
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  return { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`, received };
}

describe('a body of 25 MiB', () => {
  it('is stored, shown in part, downloaded, forwarded and replayed byte for byte, and its signature is checked', async () => {
    const receiver = await startHashingReceiver();
    const source = await makeSource('GITHUB');
    await makeDestination(source, receiver);
    const signed = await makeDestination(source, receiver, { signing: true });
    const headers = { 'x-hub-signature-256': sign(BYTES), 'x-github-event': 'push', 'x-github-delivery': 'd-1' };
    const { status, json } = await post(source, BYTES, headers);
    expect(status).toBe(202);
    await startWorker();

    const detail = await manage<IncomingEventDetail>('GET', `/incoming-events/${json.id}`);
    expect(detail).toMatchObject({
      size: BYTES.length,
      verified: true,
      eventType: 'push',
      body: null,
      bodyTruncated: true,
    });
    expect(Buffer.from(detail.bodyBase64 ?? '', 'base64').equals(BYTES.subarray(0, SHOWN))).toBe(true);
    const download = await request(pathOf(json.id, '/body'), { headers: { 'x-api-key': project.key } });
    expect(sha256(new Uint8Array(await download.arrayBuffer()))).toBe(sha256(BYTES));

    await waitFor('both forwards', () => receiver.received.length === 2);
    await waitFor('their records', async () =>
      (await deliveriesOf(json.id)).every(({ status }) => status === 'SUCCEEDED'),
    );
    expect(receiver.received.map((each) => each.sha256)).toEqual([sha256(BYTES), sha256(BYTES)]);
    const { secret } = await manage<DestinationSecret>('GET', `/sources/${source.id}/destinations/${signed.id}/secret`);
    const ours = receiver.received.find((each) => each.headers['webhook-signature'] !== undefined)?.headers ?? {};
    const start = `${ours['webhook-id']}.${ours['webhook-timestamp']}.`;
    const expected = createHmac('sha256', signingKey(secret)).update(start).update(BYTES).digest('base64');
    expect(ours['webhook-signature']).toBe(`v1,${expected}`);

    const [delivery] = await deliveriesOf(json.id);
    const [attempt] = (await manage<{ data: { id: string }[] }>('GET', `/deliveries/${delivery?.id}/attempts`)).data;
    const sent = await manage<AttemptDetail>('GET', `/deliveries/${delivery?.id}/attempts/${attempt?.id}`);
    expect(sent.request).toMatchObject({ bodyTruncated: true, bodyBase64: detail.bodyBase64 });
    expect(Object.fromEntries(sent.request?.headers ?? [])).toMatchObject({ 'content-length': String(BYTES.length) });
    const check = await manage<SignatureCheck>('GET', `/incoming-events/${json.id}/signature-check`);
    expect(check).toMatchObject({ verified: true, signedWith: 'current' });

    await manage('POST', `/incoming-events/${json.id}/replay`, {});
    await waitFor('the replays', () => receiver.received.length === 4);
    expect(new Set(receiver.received.map((each) => each.sha256))).toEqual(new Set([sha256(BYTES)]));
  });

  it('gets 413 with one byte more, and at a source whose provider has its token in the body beyond 512 KiB', async () => {
    const source = await makeSource('NONE');
    expect((await post(source, Buffer.concat([BYTES, Buffer.from('x')]))).json.code).toBe('payload_too_large');
    const graph = await makeSource('MICROSOFT_GRAPH');
    expect((await post(graph, BYTES.subarray(0, SHOWN + 1))).json.code).toBe('payload_too_large');
    expect((await post(graph, BYTES.subarray(0, SHOWN))).json.code).toBe('invalid_signature');
  });

  it('without a valid signature is refused and counted, and nothing of it is sent to the database; a small one is kept', async () => {
    const statements: unknown[] = [];
    const store = async (rows: readonly unknown[]): Promise<never[]> => {
      statements.push(rows);
      return [];
    };
    setOnce('large-ingress', new Map([[currentSearchPath(), new GroupCommit(store, 'incoming events')]]));
    const source = await makeSource('GITHUB');
    const body = BYTES.subarray(0, 2 * MIB);
    const before = await countDropped();
    expect(await post(source, body, { 'x-hub-signature-256': sign(body, 'x') })).toMatchObject({
      status: 401,
      json: { code: 'invalid_signature' },
    });
    expect([statements, (await countDropped()) - before]).toEqual([[], 1]);
    const small = BYTES.subarray(0, SHOWN);
    expect((await post(source, small, { 'x-hub-signature-256': sign(small, 'x') })).status).toBe(401);
    expect(await select('SELECT size FROM incoming_events WHERE source_id = $1', source.id)).toEqual([{ size: SHOWN }]);
  });

  it('without a valid signature is hashed once while its source has not changed', async () => {
    const turns = new FairSemaphore({ width: 1, widthPerTenant: 1, waiting: 1, waitingPerTenant: 1 });
    const hashed = vi.spyOn(turns, 'acquire');
    setOnce('hmac-in-pieces', turns);
    onTestFinished(() => setOnce('hmac-in-pieces', undefined));
    const source = await makeSource('GITHUB');
    const body = BYTES.subarray(0, 2 * MIB);
    const refuse = async () => {
      // The process has known the source for long.
      for (const known of once('ingress-sources', () => new Map<string, { readAt: number }>()).values()) {
        known.readAt = Number.NEGATIVE_INFINITY;
      }
      const { status } = await post(source, body, { 'x-hub-signature-256': sign(body, 'x') });
      return [status, hashed.mock.calls.length];
    };
    expect([await refuse(), await refuse()]).toEqual([
      [401, 1],
      [401, 2],
    ]);
    await manage('PATCH', `/sources/${source.id}`, { secret: 'another' });
    expect(await refuse()).toEqual([401, 4]);
  });

  it('is taken with a new secret at once, and gets 404 once its source is disabled', async () => {
    const source = await makeSource('GITHUB');
    const body = BYTES.subarray(0, 2 * MIB);
    const signed = (secret: string) => post(source, body, { 'x-hub-signature-256': sign(body, secret) });
    expect((await signed('another')).status).toBe(401);
    await manage('PATCH', `/sources/${source.id}`, { secret: 'another' });
    expect((await signed('another')).status).toBe(202);
    await manage('PATCH', `/sources/${source.id}`, { enabled: false });
    expect((await signed('wrong')).status).toBe(404);
  });
});

it('the text of a large body is cut between characters', async () => {
  const source = await makeSource('NONE');
  const text = `x${'é'.repeat(MIB)}`;
  const { json } = await post(source, Buffer.from(text));
  const { body, bodyTruncated } = await manage<IncomingEventDetail>('GET', `/incoming-events/${json.id}`);
  expect([body === text.slice(0, SHOWN / 2), bodyTruncated]).toEqual([true, true]);
});

it('a large body is stored without compression, so that reading a piece costs what the piece has; a small one is compressed', async () => {
  const source = await makeSource('NONE');
  const ids = [MIB, SHOWN].map(async (bytes) => (await post(source, Buffer.alloc(bytes, 'x'))).json.id);
  const stored = async (id: string) =>
    (
      await select(
        `SELECT octet_length(body) AS small, pg_column_size(body) < octet_length(body) AS compressed,
           octet_length(large_body) AS large, pg_column_size(large_body) AS "onDisk" FROM incoming_events WHERE id = $1`,
        id,
      )
    )[0];
  const [large, small] = await Promise.all(ids);
  expect(await stored(large ?? '')).toEqual({ small: 0, compressed: false, large: MIB, onDisk: MIB });
  expect(await stored(small ?? '')).toEqual({ small: SHOWN, compressed: true, large: null, onDisk: null });
});

it('a large body that an earlier version stored with the small ones is downloaded, and shown in part', async () => {
  const source = await makeSource('NONE');
  const body = BYTES.subarray(0, 2 * MIB + 1);
  const { json } = await post(source, body);
  await run(`UPDATE incoming_events SET body = large_body, large_body = NULL WHERE id = $1`, json.id);
  const download = await request(pathOf(json.id, '/body'), { headers: { 'x-api-key': project.key } });
  expect(sha256(new Uint8Array(await download.arrayBuffer()))).toBe(sha256(body));
  const { bodyBase64 } = await manage<IncomingEventDetail>('GET', `/incoming-events/${json.id}`);
  expect(Buffer.from(bodyBase64 ?? '', 'base64').equals(body.subarray(0, SHOWN))).toBe(true);
});

it('a download reads 128 KiB at a time, also while the connections of readers are taken', async () => {
  const source = await makeSource('NONE');
  const { json } = await post(source, BYTES.subarray(0, MIB + 1));
  const asReader = <T>(ownerId: string, work: () => Promise<T>) =>
    shareConnections({ network: '192.0.2.1', isReading: true, ownerId }, work);
  const found = await getIncomingEventBody(project.id, json.id);
  const taken = await Promise.all(['a', 'a', 'b', 'b'].map((owner) => asReader(owner, () => database().connect())));
  onTestFinished(() => {
    for (const client of taken) client.release();
  });
  const sizes = await asReader('c', async () => {
    const pieces: number[] = [];
    if ('pieces' in found) for await (const piece of found.pieces) pieces.push(piece.length);
    return pieces;
  });
  expect(sizes).toEqual([...Array(8).fill(SHOWN / 4), 1]);
});

it('a small body is stored while the statement of a large one runs', async () => {
  const never = new GroupCommit<unknown, never>(() => new Promise(() => undefined), 'incoming events');
  setOnce('large-ingress', new Map([[currentSearchPath(), never]]));
  const source = await makeSource('NONE');
  const leaving = new AbortController();
  const large = request(new URL(source.url).pathname, {
    method: 'POST',
    body: new Uint8Array(BYTES.subarray(0, MIB)),
    signal: leaving.signal,
  }).catch(() => null);
  await waitFor('the large one', () => never.oldestWaitMs > 0);
  expect((await post(source, Buffer.from('small'))).status).toBe(202);
  leaving.abort();
  await large;
});

it('a body over 512 KiB gets 413 by default', async () => {
  setOnce('config', { ...config(), SOURCE_MAX_BODY_BYTES: SHOWN });
  const source = await makeSource('NONE');
  expect((await post(source, BYTES.subarray(0, SHOWN))).status).toBe(202);
  expect((await post(source, BYTES.subarray(0, SHOWN + 1))).json.code).toBe('payload_too_large');
});
