import { afterEach, describe, expect, it, vi } from 'vitest';
import { streamCounts } from '@/lib/changes/stream-counts';
import { useDatabase } from '@/tests/database/use-database';
import { makeProject, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { makeKey, makeTestProject } from '@/tests/fixtures/projects';
import { useWebServer } from '@/tests/http/adapters';
import { call } from '@/tests/http/api-request';
import { type OpenStream, openStream } from '@/tests/http/open-stream';

useDatabase();
const server = useWebServer();

const opened: OpenStream[] = [];
afterEach(async () => {
  for (const { close } of opened.splice(0)) close();
  await vi.waitFor(() => expect(streamCounts().open).toBe(0));
});

async function watch(projectId: string, key: string): Promise<OpenStream> {
  const stream = await openStream(server.port(), `/api/v1/projects/${projectId}/changes?seconds=60`, {
    'X-API-Key': key,
  });
  opened.push(stream);
  return stream;
}

/** Makes projects of an organization, with a key each. @returns functions that watch one with its key */
async function makeWatched(owner: TestPerson, projects: number) {
  const made: (() => Promise<OpenStream>)[] = [];
  for (let n = 0; n < projects; n++) {
    const { id } = await makeProject(owner);
    const { key } = await makeKey(id, owner, { name: 'server' });
    made.push(() => watch(id, key));
  }
  return made;
}

const statusOf = ({ response }: OpenStream) => response.statusCode;
const count = (streams: readonly OpenStream[], status: number) =>
  streams.filter((stream) => statusOf(stream) === status).length;

describe('live updates of one tenant', () => {
  it('are had by 20 of its 100 projects, and by those of another organization', async () => {
    const other = await makeTestProject();
    const watches = await makeWatched(await registerPerson(), 100);
    const streams = await Promise.all(watches.map((open) => open()));
    expect([count(streams, 200), count(streams, 429)]).toEqual([20, 80]);
    const refused = streams.find((stream) => statusOf(stream) === 429) as OpenStream;
    expect(refused.response.headers['retry-after']).toBe('10');
    await vi.waitFor(() => expect(refused.text()).toContain('Your organization already watches 20 projects.'));
    expect(statusOf(await watch(other.id, other.key))).toBe(200);
  });

  it('make room for those of others when one owner has filled the process, and end properly', async () => {
    const others = [await makeTestProject(), await makeTestProject()];
    const owner = await registerPerson();
    const watches: (() => Promise<OpenStream>)[] = [];
    for (let n = 0; n < 5; n++) {
      const path = '/api/v1/orgs';
      const made = await call<{ id: string }>('POST', path, { bearer: owner.accessToken, body: { name: `Org ${n}` } });
      expect(made.status, made.text).toBe(201);
      watches.push(...(await makeWatched({ ...owner, organizationId: made.json.id }, 20)));
    }
    const streams = await Promise.all(watches.map((open) => open()));
    expect(count(streams, 200)).toBe(100);
    const sixth = await makeWatched(owner, 1);
    expect(statusOf((await sixth[0]?.()) as OpenStream)).toBe(429);

    const ends: boolean[] = [];
    for (const { ended } of streams) void ended.then((isProper) => ends.push(isProper));
    const admitted = await Promise.all(others.map(({ id, key }) => watch(id, key)));
    expect(admitted.map(statusOf)).toEqual([200, 200]);
    await vi.waitFor(() => expect(ends).toEqual([true, true]));
    for (const stream of admitted) await vi.waitFor(() => expect(stream.text()).toContain('event: ready'));
    expect(streamCounts().open).toBe(100);
  });
});
