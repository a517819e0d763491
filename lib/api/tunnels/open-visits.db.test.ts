import { type ClientRequest, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { markCredentials } from '@/lib/delivery/credentials';
import { settleBackground } from '@/lib/platform/background';
import type { Tunnel, TunnelRequestDetail } from '@/lib/tunnel/schema';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { type LocalTarget, startLocal } from '@/tests/tunnel/local-server';
import { clientOf, connectClient, makeTunnel, type TestTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { begin, visit } from '@/tests/tunnel/visit';

useDatabase();

// Two web processes, as far as tunnels go: each has its own relay, which hears of changes from the database.
const [first, second] = [useTunnelServer(), useTunnelServer()];

const TICK_MS = 20;
/** Only the signal of a change ends a visit. The specification says a second; a busy machine may take longer. */
const SIGNAL_MS = 3_000;
const ADA = { username: 'ada', password: 'the long password' };
const credentialsOf = ({ username, password }: typeof ADA) => ({
  Authorization: `Basic ${btoa(`${username}:${password}`)}`,
});

let project: TestProject;
let local: LocalTarget;
/** When the local server last got a byte of an upload, by its path. */
const uploadedAt = new Map<string, number>();

beforeAll(async () => {
  project = await makeTestProject();
});

async function startTicking(): Promise<void> {
  local = await startLocal((message, response) => {
    const path = message.url ?? '';
    if (path.startsWith('/upload')) {
      message.on('data', () => uploadedAt.set(path, performance.now())).on('error', () => undefined);
      return;
    }
    if (!path.startsWith('/stream')) return void response.end('served');
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const ticking = setInterval(() => response.write(`data: ${JSON.stringify(message.headers)}\n\n`), TICK_MS);
    response.once('close', () => clearInterval(ticking));
  });
}

interface OpenVisit {
  /** When it ended, by performance.now(); null while it is open. */
  endedAt(): number | null;
  lastByteAt(): number;
  /** The status of the answer to an upload; 0 when it broke off. */
  status(): number | null;
}

/** Opens an event stream. */
async function openStream(url: string, headers: Record<string, string>): Promise<OpenVisit> {
  const { response, request } = await begin(`${url}/stream`, { headers });
  onTestFinished(() => void request.destroy());
  let [last, ended] = [0, null as number | null];
  response.on('data', () => (last = performance.now()));
  response.on('error', () => undefined).once('close', () => (ended = performance.now()));
  await expect.poll(() => last).toBeGreaterThan(0);
  return { endedAt: () => ended, lastByteAt: () => last, status: () => null };
}

let uploads = 0;
/** Begins an upload that does not end. */
async function openUpload(url: string, headers: Record<string, string>): Promise<OpenVisit> {
  const path = `/upload/${uploads++}`;
  let [status, ended] = [null as number | null, null as number | null];
  const request: ClientRequest = httpRequest(url + path, { method: 'POST', headers, agent: false }, (response) => {
    status = response.statusCode ?? 0;
    response.resume().on('error', () => undefined);
  });
  const writing = setInterval(() => request.write('x'), TICK_MS);
  request.on('error', () => undefined).once('close', () => (ended = performance.now()));
  onTestFinished(() => {
    clearInterval(writing);
    request.destroy();
  });
  await expect.poll(() => uploadedAt.has(path)).toBe(true);
  return { endedAt: () => ended, lastByteAt: () => uploadedAt.get(path) ?? 0, status: () => status };
}

const pathOf = ({ id }: TestTunnel, tail = '') => `/api/v1/projects/${project.id}/tunnels/${id}${tail}`;
const patch = (body: object) => async (tunnel: TestTunnel) => {
  expect((await call('PATCH', pathOf(tunnel), { apiKey: project.key, body })).status).toBe(200);
  return tunnel;
};
/** @returns the tunnel with its new URL */
const rotate = async (tunnel: TestTunnel): Promise<TestTunnel> => {
  const rotated = await call<Tunnel>('POST', pathOf(tunnel, '/rotate-url'), { apiKey: project.key });
  expect(rotated.status).toBe(200);
  return { ...tunnel, prefix: new URL(rotated.json.url ?? '').pathname.replace(/\/$/, '') };
};

/** Opens a tunnel, whose client is connected to the first process. */
async function openTunnel(body: object = {}): Promise<TestTunnel> {
  const tunnel = await makeTunnel(project, body);
  await connectClient(clientOf(first.origin, tunnel, local.url));
  return tunnel;
}

/** Whether a visit goes on: it is open after half a second, and bytes have come since. A busy machine may delay them. */
const isTicking = async (open: OpenVisit) => {
  const startedAt = performance.now();
  await sleep(500);
  const hasTicked = () => open.endedAt() !== null || open.lastByteAt() > startedAt;
  await expect.poll(hasTicked, { timeout: SIGNAL_MS }).toBe(true);
  return open.endedAt() === null;
};

const NEW = { username: 'ada', password: 'another password' };

describe.each([
  ['its client is connected to', first],
  ['that asks another one for its client', second],
])('the visits to a tunnel in a web process %s', (_, server) => {
  const openBoth = async (tunnel: TestTunnel, headers: Record<string, string> = {}) => {
    const url = `${server.origin}${tunnel.prefix}`;
    return Promise.all([openStream(url, headers), openUpload(url, headers)]);
  };

  it.each([
    ['its URL is rotated', rotate, 404, {}],
    ['its password changes', patch({ basicAuth: NEW }), 401, credentialsOf(NEW)],
    [
      'its username changes',
      patch({ basicAuth: { ...ADA, username: 'eve' } }),
      401,
      credentialsOf({ ...ADA, username: 'eve' }),
    ],
  ])('end at once when %s; its client and the visits to others go on', async (_why, change, status, entry) => {
    await startTicking();
    const [tunnel, other] = [await openTunnel({ basicAuth: ADA }), await openTunnel()];
    const [stream, upload] = await openBoth(tunnel, credentialsOf(ADA));
    const others = await openBoth(other);
    const changedAt = performance.now();
    const changed = await change(tunnel);
    await expect.poll(() => [stream, upload].every((each) => each.endedAt() !== null), { timeout: 5_000 }).toBe(true);
    for (const each of [stream, upload]) {
      expect((each.endedAt() ?? 0) - changedAt).toBeLessThan(SIGNAL_MS);
      expect(each.lastByteAt() - changedAt).toBeLessThan(SIGNAL_MS);
    }
    expect(upload.status()).toBe(status);
    // The old way in is closed at once, and the new one leads to the same client.
    const headers = credentialsOf(ADA);
    expect((await visit(`${server.origin}${tunnel.prefix}/`, { headers })).status).toBe(status);
    const now = await visit(`${server.origin}${changed.prefix}/`, { headers: { ...headers, ...entry } });
    expect([now.status, String(now.body)]).toEqual([200, 'served']);
    for (const each of others) expect(await isTicking(each)).toBe(true);
  });

  it('end at once when its addresses change, and enter again once theirs is allowed', async () => {
    await startTicking();
    const tunnel = await openTunnel();
    const [stream, upload] = await openBoth(tunnel);
    const changedAt = performance.now();
    await patch({ allowedCidrs: ['203.0.113.0/24'] })(tunnel);
    await expect.poll(() => [stream, upload].every((each) => each.endedAt() !== null), { timeout: 5_000 }).toBe(true);
    for (const each of [stream, upload]) expect((each.endedAt() ?? 0) - changedAt).toBeLessThan(SIGNAL_MS);
    expect(upload.status()).toBe(403);
    await patch({ allowedCidrs: ['127.0.0.0/8'] })(tunnel);
    // The process hears of it a moment after the answer.
    const enter = async () => (await visit(`${server.origin}${tunnel.prefix}/`)).status;
    await expect.poll(enter, { timeout: SIGNAL_MS }).toBe(200);
    for (const each of await openBoth(tunnel)) expect(await isTicking(each)).toBe(true);
  });

  it('go on when they may still enter: with another name, the same password, or their address in the list', async () => {
    await startTicking();
    const tunnel = await openTunnel({ basicAuth: ADA });
    const open = await openBoth(tunnel, credentialsOf(ADA));
    for (const body of [{ name: 'renamed' }, { basicAuth: ADA }, { allowedCidrs: ['127.0.0.0/8'] }]) {
      await patch(body)(tunnel);
    }
    for (const each of open) expect(await isTicking(each)).toBe(true);
    await patch({ basicAuth: null })(tunnel);
    for (const each of open) expect(await isTicking(each)).toBe(true);
  });

  it('end although the signal of the change was missed: the next connect of the listener checks all', async () => {
    await startTicking();
    const tunnel = await openTunnel();
    const [stream] = await openBoth(tunnel);
    await run('UPDATE tunnels SET token_hash = sha256(token_hash) WHERE id = $1', tunnel.id);
    expect(await isTicking(stream)).toBe(true);
    // As the handlers are called after a connect.
    await run(`SELECT pg_notify('tunnel_signal', '')`);
    await expect.poll(() => stream.endedAt(), { timeout: 2_000 }).not.toBeNull();
  });

  it('are ended at a test receiver too', async () => {
    const tunnel = await makeTunnel(project, { testResponse: { status: 200, delaySeconds: 20 } });
    const waiting = visit(`${server.origin}${tunnel.prefix}/`, { method: 'POST', body: 'x' });
    await sleep(200);
    const changedAt = performance.now();
    await rotate(tunnel);
    expect(await waiting).toMatchObject({ status: 404, code: 'not_found' });
    expect(performance.now() - changedAt).toBeLessThan(SIGNAL_MS);
  });
});

it('a visit that was ended is logged with what it had carried, but without the credential of a destination', async () => {
  await startTicking();
  const tunnel = await openTunnel();
  const headers = markCredentials({ 'x-vault': 'hush-hush-42', 'x-a': 'b', 'x-eds-incoming-event-id': '0199' }, [
    'x-vault',
  ]);
  const stream = await openStream(`${first.origin}${tunnel.prefix}`, headers);
  await patch({ allowedCidrs: ['203.0.113.0/24'] })(tunnel);
  await expect.poll(() => stream.endedAt()).not.toBeNull();
  await settleBackground();
  const apiKey = project.key;
  const { json } = await call<{ data: { id: string }[] }>('GET', pathOf(tunnel, '/requests'), { apiKey });
  const path = pathOf(tunnel, `/requests/${json.data[0]?.id}`);
  const logged = (await call<TunnelRequestDetail>('GET', path, { apiKey })).json;
  expect(logged).toMatchObject({
    error: 'forbidden',
    responseStatus: 200,
    responseBody: expect.stringContaining('data: '),
  });
  expect(logged.requestHeaders).toEqual(
    expect.arrayContaining([
      ['x-vault', '[redacted]'],
      ['x-a', 'b'],
    ]),
  );
  expect(JSON.stringify(logged)).not.toContain('hush-hush-42');
});
