import { afterEach, describe, expect, it, vi } from 'vitest';
import { streamCounts } from '@/lib/changes/stream-counts';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { fillProject } from '@/tests/fixtures/full-project';
import { registerMember } from '@/tests/fixtures/people';
import { useWebServer } from '@/tests/http/adapters';
import { call } from '@/tests/http/api-request';
import { type OpenStream, openStream } from '@/tests/http/open-stream';

useDatabase();
const server = useWebServer();
const { projects, asOwner, base } = useEndpoints();

const opened: OpenStream[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0)) close();
  await vi.waitFor(() => expect(streamCounts().open).toBe(0));
});

/** Opens a stream on a socket of its own. */
async function open(headers: Record<string, string>, seconds = 60, path = `${base()}/changes`): Promise<OpenStream> {
  const made = await openStream(server.port(), `${path}?seconds=${seconds}`, { 'Accept-Encoding': 'gzip', ...headers });
  opened.push(made);
  return made;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const asMember = () => bearer(projects.mine.owner.accessToken);
const waitForText = (stream: OpenStream, text: string) => vi.waitFor(() => expect(stream.text()).toContain(text), 5000);
const kindsIn = (stream: OpenStream) => [
  ...new Set([...stream.text().matchAll(/"kinds":(\[.*?\])/g)].flatMap(([, kinds]) => JSON.parse(kinds ?? '[]'))),
];

const send = async () => {
  const sent = await call<{ id: string }>('POST', '/api/v1/events', {
    apiKey: projects.mine.key,
    body: { type: 'order.paid', data: { canary: 'Minnow' } },
  });
  expect(sent.status).toBe(202);
  return sent.json.id;
};

describe('GET /projects/{projectId}/changes', () => {
  it('is a stream of events that neither this service nor a proxy holds back', async () => {
    const stream = await open(asMember());
    const { statusCode, headers } = stream.response;
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(headers['content-encoding']).toBeUndefined();
    await waitForText(stream, 'event: ready\n');
  });

  it('tells a person and a key that only reads which lists changed, and nothing of the rows', async () => {
    const viewer = await registerMember(projects.mine.owner.organizationId, 'VIEWER');
    const readOnly = await call<{ key: string }>('POST', `${base()}/api-keys`, {
      ...asOwner(),
      body: { name: 'reader', scope: 'READ_ONLY' },
    });
    const streams = [await open(bearer(viewer.accessToken)), await open({ 'X-API-Key': readOnly.json.key })];
    for (const stream of streams) await waitForText(stream, 'event: ready');
    await send();
    for (const stream of streams) {
      await waitForText(stream, 'event: change\ndata: {"kinds":["events"]}\n\n');
      expect(stream.text()).not.toMatch(/Minnow|order\.paid/);
    }
  });

  it('tells of a delivery that changes, of incoming events and of requests to tunnels', async () => {
    const stream = await open(asMember());
    await waitForText(stream, 'event: ready');
    await fillProject(projects.mine.id);
    const kinds = ['deliveries', 'incomingEvents', 'tunnelRequests'];
    await vi.waitFor(() => expect(kindsIn(stream)).toEqual(expect.arrayContaining(kinds)), 5000);
    const before = stream.text().length;
    await run(`UPDATE deliveries SET status = 'SUCCEEDED' WHERE project_id = $1`, projects.mine.id);
    await vi.waitFor(() => expect(stream.text().slice(before)).toContain('{"kinds":["deliveries"]}'), 5000);
  });

  it('tells nothing of another project, and a member of another organization gets 404', async () => {
    const foreign = await open(
      bearer(projects.foreign.owner.accessToken),
      60,
      `/api/v1/projects/${projects.foreign.id}/changes`,
    );
    const mine = await open(asMember());
    await waitForText(foreign, 'event: ready');
    await waitForText(mine, 'event: ready');
    await send();
    await waitForText(mine, 'event: change');
    expect(foreign.text()).not.toContain('change');
    expect((await open(bearer(projects.foreign.owner.accessToken))).response.statusCode).toBe(404);
    expect((await open({ 'X-API-Key': projects.foreign.key })).response.statusCode).toBe(404);
  });

  it('refuses an eleventh stream of one person with 429, says what to do, and serves others', async () => {
    for (let n = 0; n < 10; n++) await open(asMember());
    const refused = await open(asMember());
    await refused.ended;
    expect(refused.response.statusCode).toBe(429);
    expect(refused.response.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'retry-after': '10',
    });
    expect(JSON.parse(refused.text())).toMatchObject({
      code: 'rate_limited',
      detail: 'You already have 10 streams of changes open. Close one first. Read the lists at intervals meanwhile.',
    });
    expect((await open({ 'X-API-Key': projects.mine.key })).response.statusCode).toBe(200);
  });

  it('answers HEAD without opening a stream', async () => {
    const { status, headers, text } = await call('HEAD', `${base()}/changes?seconds=60`, asOwner());
    expect([status, headers['content-type'], text]).toEqual([200, 'text/event-stream', '']);
    expect(streamCounts().open).toBe(0);
  });
});
