import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint, Subscription } from '@/lib/delivery/schema';
import type { Destination, Source } from '@/lib/incoming/schema';
import { findFreePort } from '@/lib/platform/free-port';
import type { Listing } from '@/lib/platform/pagination';
import { useEds } from '@/tests/cli/eds';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { useProjects } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { type Received, readAll, startLocal } from '@/tests/tunnel/local-server';
import { startTunnelServer, type TunnelServer } from '@/tests/tunnel/start-tunnel-server';

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

const base = () => `/api/v1/projects/${projects.mine.id}`;
const get = async <T>(path: string) => (await call<T>('GET', base() + path, { apiKey: projects.mine.key })).json;
const post = async <T>(path: string, body: object) =>
  (await call<T>('POST', base() + path, { apiKey: projects.mine.key, body })).json;

/** Starts a local server, a worker and `eds listen` with its path /hooks, and waits until it is ready. */
async function startListening(args: string[]) {
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
  const types = async () => (await get<Listing<Subscription>>('/subscriptions')).data.map((each) => each.eventType);

  it('receives the events of these types, and removes its endpoint on Ctrl-C', async () => {
    const { running, url, received } = await startListening(['-e', 'order.*', '-e', 'user.created']);
    expect((await endpoints()).map((each) => each.url)).toEqual([url]);
    expect((await types()).sort()).toEqual(['order.*', 'user.created']);
    await post('/events', { type: 'invoice.paid', data: { no: 1 } });
    await post('/events', { type: 'order.created', data: { no: 2 } });
    await running.waitFor(/POST\t\/hooks\t204/);
    expect(received.map(({ path, body }) => [path, JSON.parse(body.toString()).data])).toEqual([['/hooks', { no: 2 }]]);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(running.stderr).toContain('Removed the endpoint');
    expect([await endpoints(), await types()]).toEqual([[], []]);
  });

  it('uses the endpoint that a killed one left, with the types of now', async () => {
    const killed = await startListening(['-e', 'order.*', '-e', 'user.*']);
    const [left] = await endpoints();
    killed.running.child.kill('SIGKILL');
    await killed.running.ended;
    await call('PATCH', `${base()}/endpoints/${left?.id}`, { apiKey: projects.mine.key, body: { enabled: false } });
    const { running, received } = await startListening(['-e', 'user.*', '-e', 'invoice.*']);
    expect(running.stderr).toContain(`Reusing the endpoint ${left?.id}`);
    expect((await endpoints()).map(({ id, enabled }) => [id, enabled])).toEqual([[left?.id, true]]);
    expect((await types()).sort()).toEqual(['invoice.*', 'user.*']);
    await post('/events', { type: 'invoice.paid', data: {} });
    await running.waitFor(/POST\t\/hooks\t204/);
    expect(received).toHaveLength(1);
    running.child.kill('SIGTERM');
    await running.ended;
    expect(await endpoints()).toEqual([]);
  });

  it('leaves an endpoint that a person created with the same URL, and removes what it added', async () => {
    const first = await startListening([]);
    first.running.child.kill('SIGINT');
    await first.running.ended;
    const own = await post<Endpoint>('/endpoints', { url: first.url, description: 'mine' });
    await post('/subscriptions', { endpointId: own.id, eventType: 'order.*' });
    const { running } = await startListening(['-e', 'order.*', '-e', 'user.*']);
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
    const killed = await startListening(['--source', 'shop']);
    const [left] = await destinations();
    expect(left?.url).toBe(killed.url);
    killed.running.child.kill('SIGKILL');
    await killed.running.ended;
    const { running, received } = await startListening(['--source', source.id]);
    expect(running.stderr).toContain(`Reusing the destination ${left?.id}`);
    await fetch(source.url ?? '', { method: 'POST', body: 'paid=1' });
    await running.waitFor(/POST\t\/hooks\t204/);
    expect(received.map(({ path, body }) => [path, body.toString()])).toEqual([['/hooks', 'paid=1']]);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect(await destinations()).toEqual([]);
  });
});
