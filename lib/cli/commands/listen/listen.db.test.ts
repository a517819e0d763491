import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifySignature } from '@/lib/client/verify-signature';
import type { Customer } from '@/lib/customers/schema';
import type { Endpoint, Subscription } from '@/lib/delivery/schema';
import type { Destination, Source } from '@/lib/incoming/schema';
import { findFreePort } from '@/lib/platform/free-port';
import { toHeaderPairs } from '@/lib/platform/net/header-pairs';
import type { Listing } from '@/lib/platform/pagination';
import type { Tunnel } from '@/lib/tunnel/schema';
import { type RunOptions, useEds } from '@/tests/cli/eds';
import { signIn } from '@/tests/cli/sign-in';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { useProjects } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';
import { type Received, readAll, startLocal } from '@/tests/tunnel/local-server';
import { startTunnelServer, type TunnelServer } from '@/tests/tunnel/start-tunnel-server';
import { visit } from '@/tests/tunnel/visit';

const port = await findFreePort();
const origin = `http://127.0.0.1:${port}`;
// Nothing private may be reached, except for the tunnels of the service itself.
useDatabase({ APP_BASE_URL: origin, DELIVERY_ALLOWED_CIDRS: '' });
const projects = useProjects();
const eds = useEds(() => origin);
let server: TunnelServer;
beforeAll(async () => {
  server = await startTunnelServer({}, port);
});
afterAll(() => server.stop());

const withKey = (): RunOptions => ({ env: { EDS_API_KEY: projects.mine.key } });

/** Starts a local server and `eds listen`. @returns both, and the public URL */
async function startListening(args: string[] = [], options: RunOptions = withKey()) {
  const local = await startLocal((request, response) => {
    response.writeHead(request.url?.startsWith('/missing') ? 404 : 201).end(`hello from ${request.url}`);
  });
  const running = eds.start(['listen', String(local.port), ...args], options);
  const [url] = await running.waitFor(/http:\/\/[\w.:]+\/t\/[\w-]+\//);
  return { local, running, url };
}

/** Creates a tunnel, so that tests do not share the one of this machine. */
async function makeTunnel(name: string, body: object = {}): Promise<Tunnel> {
  const path = `/api/v1/projects/${projects.mine.id}/tunnels`;
  return (await call<Tunnel>('POST', path, { apiKey: projects.mine.key, body: { name, ...body } })).json;
}

describe('eds listen', () => {
  it('writes the public URL first and a line for each request, and exits with 130 on Ctrl-C', async () => {
    const { local, running, url } = await startListening();
    expect(running.stdout).toBe(`${url} -> http://localhost:${local.port}\n`);
    expect(running.stderr).toContain('Created the tunnel ');
    const visited = await visit(`${url}orders?id=1`);
    expect([visited.status, visited.body.toString()]).toEqual([201, 'hello from /orders?id=1']);
    await running.waitFor(/^\d{4}-\S+Z\tGET\t\/orders\?id=1\t201\t\d+ ms$/m);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect((await visit(url)).status).toBe(502);
    const again = await startListening();
    expect(again.url).toBe(url);
    expect(again.running.stderr).not.toContain('Created');
  });

  it('writes NDJSON with --json', async () => {
    const tunnel = await makeTunnel('json');
    const { local, running, url } = await startListening(['--tunnel', 'JSON', '--json']);
    await visit(`${url}missing`, { method: 'PUT' });
    await running.waitFor('"request"');
    const [ready, request] = running.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(ready).toEqual({
      type: 'ready',
      url: tunnel.url,
      target: `http://localhost:${local.port}`,
      projectId: projects.mine.id,
      dashboardUrl: `${origin}/projects/${projects.mine.id}/tunnels/${tunnel.id}`,
      tunnel: { id: tunnel.id, name: 'json' },
      events: [],
      endpoint: null,
      source: null,
    });
    expect(request).toEqual({
      type: 'request',
      method: 'PUT',
      path: '/missing',
      status: 404,
      error: null,
      time: expect.any(String),
      durationMs: expect.any(Number),
      eventType: null,
    });
  });

  it('colors lines on a terminal, replays with r, opens with o, and quits with q', async () => {
    const { id } = await makeTunnel('keys');
    const env = { EDS_API_KEY: projects.mine.key, FORCE_COLOR: '1', BROWSER: 'true' };
    const { local, running, url } = await startListening(['-t', id], { env, tty: ['stdin', 'stdout', 'stderr'] });
    await running.waitFor('Keys: r replays');
    running.child.stdin?.write('r');
    await running.waitFor('No requests yet.');
    await visit(`${url}missing?a=1`);
    await running.waitFor('\x1b[33m404\x1b[39m');
    expect(running.stdout).toContain('\x1b[1mGET   \x1b[22m  \x1b[33m404\x1b[39m  ');
    expect(running.stdout).toMatch(/ms\S+ {2}\/missing\?a=1\n/);
    running.child.stdin?.write('r');
    await running.waitFor('Replaying GET /missing?a=1');
    await waitFor('the replay', () => running.stdout.split('/missing?').length === 3);
    running.child.stdin?.write('o');
    await running.waitFor(`Opened ${origin}/projects/${projects.mine.id}/tunnels/${id}`);
    await local.close();
    await visit(`${url}later`);
    await running.waitFor(/ECONN(REFUSED|RESET)/);
    running.child.stdin?.write('q');
    expect((await running.ended).code).toBe(0);
  });

  it('exits with 130 when Ctrl-C reaches it as a key of the terminal', async () => {
    await makeTunnel('raw');
    const tty = { ...withKey(), tty: ['stdin' as const] };
    const { running } = await startListening(['-t', 'raw'], tty);
    await running.waitFor('Keys: r replays');
    running.child.stdin?.write('\x03');
    expect((await running.ended).code).toBe(130);
  });

  it('signs in as a person, and ends with the reason when the session has ended', async () => {
    const session = await signIn(eds, origin, projects.mine.owner);
    await makeTunnel('person');
    const options = { env: { EDS_PROJECT: projects.mine.id } };
    const { running, url } = await startListening(['-t', 'person'], options);
    expect((await visit(url)).status).toBe(201);
    await server.stop();
    await running.waitFor('Reconnecting in');
    await call('POST', '/api/v1/auth/logout', { bearer: session.accessToken, body: {} });
    server = await startTunnelServer({}, port);
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([4, expect.stringContaining('eds login')]);
  });

  it('ends with the reason when another client takes over, or the tunnel is deleted', async () => {
    const { id } = await makeTunnel('shared');
    const first = await startListening(['-t', 'shared']);
    const second = await eds.run(['listen', '4000', '-t', 'shared'], withKey());
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('Add --takeover')]);
    const third = await startListening(['-t', 'shared', '--takeover']);
    const { code, stderr } = await first.running.ended;
    expect([code, stderr]).toEqual([1, expect.stringMatching(/Another (client|connection) took the tunnel over\./)]);
    expect((await visit(third.url)).status).toBe(201);
    const path = `/api/v1/projects/${projects.mine.id}/tunnels/${id}`;
    await call('DELETE', path, { apiKey: projects.mine.key });
    expect((await third.running.ended).code).toBe(3);
  });

  it('refuses what cannot work, each with its own exit code', async () => {
    const refused = async (args: string[], env: Record<string, string> = { EDS_API_KEY: projects.mine.key }) => {
      const { code, stderr } = await eds.run(['listen', ...args], { env });
      return [code, stderr];
    };
    const { id } = await makeTunnel('locked', { basicAuth: { username: 'ada', password: 'a long password' } });
    const readOnly = { EDS_API_KEY: projects.mine.readOnlyKey };
    const all = await Promise.all([
      refused(['shop']),
      refused(['4000', '--customer', 'cus_1']),
      refused(['4000', '--tunnel', 'unknown']),
      refused(['4000', '--source', 'unknown']),
      refused(['4000', '--tunnel', 'locked'], readOnly),
      refused(['4000'], {}),
      refused(['4000', '--tunnel', id, '--events', '*']),
    ]);
    expect(all).toEqual([
      [2, expect.stringContaining('neither a port nor the URL')],
      [2, expect.stringContaining('Use --customer with --events.')],
      [3, expect.stringContaining('couldn’t find the tunnel “unknown”')],
      [3, expect.stringContaining('couldn’t find the source “unknown”')],
      [5, expect.stringContaining('Error:')],
      [4, expect.stringContaining('eds login')],
      [1, expect.stringContaining('requires a password')],
    ]);
  });
});

const base = () => `/api/v1/projects/${projects.mine.id}`;
const get = async <T>(path: string) => (await call<T>('GET', base() + path, { apiKey: projects.mine.key })).json;
const post = async <T>(path: string, body: object) =>
  (await call<T>('POST', base() + path, { apiKey: projects.mine.key, body })).json;

/** Starts a local server, a worker and `eds listen` with its path /hooks, and waits until it is ready. */
async function startReceiving(args: string[]) {
  const received: Received[] = [];
  const local = await startLocal(async (request, response) => {
    received.push(await readAll(request));
    response.writeHead(204).end();
  });
  await startWorker();
  const running = eds.start(['listen', `${local.port}/hooks`, ...args], { env: { EDS_API_KEY: projects.mine.key } });
  const [, url = ''] = await running.waitFor(/^(\S+\/hooks) -> http:\/\/localhost:\d+\/hooks\n/);
  return { running, url, received };
}

describe('eds listen --events', () => {
  const endpoints = async () => (await get<Listing<Endpoint>>('/endpoints')).data;
  const remove = async (endpoint: Endpoint | undefined) =>
    call('DELETE', `${base()}/endpoints/${endpoint?.id}`, { apiKey: projects.mine.key });
  const types = async () => (await get<Listing<Subscription>>('/subscriptions')).data.map((each) => each.eventType);

  it('receives the events of these types, and pauses its endpoint on Ctrl-C', async () => {
    const { running, url, received } = await startReceiving(['-e', 'order.*', '-e', 'user.created']);
    expect((await endpoints()).map((each) => each.url)).toEqual([url]);
    expect((await types()).sort()).toEqual(['order.*', 'user.created']);
    await post('/events', { type: 'invoice.paid', data: { no: 1 } });
    await post('/events', { type: 'order.created', data: { no: 2 } });
    await running.waitFor(/POST\t\/hooks\t204/);
    expect(received.map(({ path, body }) => [path, JSON.parse(body.toString()).data])).toEqual([['/hooks', { no: 2 }]]);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(running.stderr).toContain('Paused the endpoint');
    const [paused] = await endpoints();
    expect(paused).toMatchObject({ url, enabled: false, pauseReason: 'eds listen has ended' });
    await remove(paused);
  });

  it('receives the events of a customer alone, by an endpoint of the customer', async () => {
    const customer = await post<Customer>('/customers', { uid: 'cus_local' });
    const { running, url, received } = await startReceiving(['-e', 'order.*', '--customer', 'cus_local']);
    const [endpoint] = await endpoints();
    expect(endpoint).toMatchObject({ url, customerId: customer.id });
    await post('/events', { type: 'order.created', data: { no: 1 } });
    await post('/events', { type: 'order.created', data: { no: 2 }, customer: 'cus_local' });
    await running.waitFor(/POST\t\/hooks\t204/);
    expect(received.map(({ body }) => JSON.parse(body.toString()).data)).toEqual([{ no: 2 }]);
    running.child.kill('SIGINT');
    await running.ended;
    // An endpoint with the same URL is of the customer, and not used for events of the project.
    const own = await startReceiving(['-e', 'order.*']);
    expect((await endpoints()).map(({ customerId }) => customerId)).toEqual([null, customer.id]);
    own.running.child.kill('SIGINT');
    await own.running.ended;
    for (const each of await endpoints()) await remove(each);
  });

  it('uses the same endpoint and signing secret each time, and prints the secret', async () => {
    const secrets: (string | undefined)[] = [];
    for (let time = 0; time < 2; time++) {
      const { running, received } = await startReceiving(['-e', 'order.*']);
      await running.waitFor(/Signing secret: whsec_\S+/);
      secrets.push(/Signing secret: (\S+)/.exec(running.stderr)?.[1]);
      await post('/events', { type: 'order.created', data: { time } });
      await running.waitFor(/POST\t\/hooks\t204/);
      const [{ rawHeaders, body }] = received as [Received];
      const headers = new Headers(toHeaderPairs(rawHeaders));
      expect(verifySignature(body, headers, secrets[time] ?? '').id).toBe(headers.get('webhook-id'));
      running.child.kill('SIGINT');
      await running.ended;
    }
    expect(secrets[1]).toBe(secrets[0]);
    const all = await endpoints();
    expect(all).toHaveLength(1);
    await remove(all[0]);
  });

  it('uses the endpoint that a killed one left, with the types of now', async () => {
    const killed = await startReceiving(['-e', 'order.*', '-e', 'user.*']);
    const [left] = await endpoints();
    killed.running.child.kill('SIGKILL');
    await killed.running.ended;
    await call('PATCH', `${base()}/endpoints/${left?.id}`, { apiKey: projects.mine.key, body: { enabled: false } });
    const { running, received } = await startReceiving(['-e', 'user.*', '-e', 'invoice.*']);
    expect(running.stderr).toContain(`Reusing the endpoint ${left?.id}`);
    expect((await endpoints()).map(({ id, enabled }) => [id, enabled])).toEqual([[left?.id, true]]);
    expect((await types()).sort()).toEqual(['invoice.*', 'user.*']);
    await post('/events', { type: 'invoice.paid', data: {} });
    await running.waitFor(/POST\t\/hooks\t204/);
    expect(received).toHaveLength(1);
    running.child.kill('SIGTERM');
    await running.ended;
    const [paused] = await endpoints();
    expect(paused).toMatchObject({ id: left?.id, enabled: false });
    await remove(paused);
  });

  it('leaves an endpoint that a person created with the same URL, and removes what it added', async () => {
    const first = await startReceiving([]);
    first.running.child.kill('SIGINT');
    await first.running.ended;
    const own = await post<Endpoint>('/endpoints', { url: first.url, description: 'mine' });
    await post('/subscriptions', { endpointId: own.id, eventType: 'order.*' });
    const { running } = await startReceiving(['-e', 'order.*', '-e', 'user.*']);
    expect((await types()).sort()).toEqual(['order.*', 'user.*']);
    running.child.kill('SIGINT');
    await running.ended;
    expect([(await endpoints()).map(({ id }) => id), await types()]).toEqual([[own.id], ['order.*']]);
    await call('DELETE', `${base()}/endpoints/${own.id}`, { apiKey: projects.mine.key });
  });

  it('leaves nothing when the server refuses a type', async () => {
    const { code, stderr } = await eds.run(['listen', '4000', '-e', 'no type'], {
      env: { EDS_API_KEY: projects.mine.key },
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('eventType')]);
    expect(await endpoints()).toEqual([]);
  });
});

describe('eds listen --source', () => {
  it('receives what the source takes in, uses the destination that a killed one left, and removes it', async () => {
    const source = await post<Source>('/sources', { name: 'Shop', provider: 'NONE' });
    const destinations = async () => (await get<Listing<Destination>>(`/sources/${source.id}/destinations`)).data;
    const killed = await startReceiving(['--source', 'shop']);
    const [left] = await destinations();
    expect(left?.url).toBe(killed.url);
    killed.running.child.kill('SIGKILL');
    await killed.running.ended;
    const { running, received } = await startReceiving(['--source', source.id]);
    expect(running.stderr).toContain(`Reusing the destination ${left?.id}`);
    await fetch(source.url ?? '', { method: 'POST', body: 'paid=1' });
    await running.waitFor(/POST\t\/hooks\t204/);
    expect(received.map(({ path, body }) => [path, body.toString()])).toEqual([['/hooks', 'paid=1']]);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(await destinations()).toEqual([]);
  });
});

describe('the sample of the documentation', () => {
  it('prints on a terminal what the documentation shows', async () => {
    const { id } = await makeTunnel('sample');
    const env = { EDS_API_KEY: projects.mine.key, NO_COLOR: '1' };
    const args = ['-t', id, '--events', 'order.*'];
    const { local, running, url } = await startListening(args, { env, tty: ['stdin', 'stdout', 'stderr'] });
    await running.waitFor('Keys: r replays');
    await visit(`${url}webhooks`, { method: 'POST', body: '{"type":"order.paid","data":{}}' });
    await running.waitFor(/ms {2}.*webhooks\n/);
    const before = running.stderr;
    running.child.stdin?.write('q');
    const { stdout, stderr } = await running.ended;
    const [first, ...requests] = stdout.split('\n');
    // Both streams are one terminal.
    const printed = [first, before.trimEnd(), ...requests.slice(0, -1), stderr.slice(before.length)]
      .join('\n')
      .replace(url, 'https://events.example.com/t/k3v9q2m7x4hd/')
      .replace(String(local.port), '4000')
      .replace(/whsec_\S+/, 'whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH')
      .replace(/\d\d:\d\d:\d\d/, '09:05:07')
      .replace(/ +\d+ ms/, '     12 ms')
      .replace(/endpoint [\da-f-]{36}/, 'endpoint 0197b6a0-2f10-7a3b-8c1d-4e9a6b2f7d05');
    const line = "$ eds listen 4000 --events 'order.*'";
    await expect(`${line}\n${printed}`).toMatchFileSnapshot('../../output-samples/listen.txt');
  });
});
