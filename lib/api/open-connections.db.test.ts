import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS, SECOND_MS } from '@/lib/platform/clock';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { OpenConnections } from '@/lib/platform/open-connections';
import { openTunnel, type TunnelHandle } from '@/lib/tunnel/client';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { queuedMails, tokenIn } from '@/tests/fixtures/mails';
import { changeRole, removeMember } from '@/tests/fixtures/members';
import {
  makeProject,
  PASSWORD,
  registerMember,
  registerPerson,
  signInAgain,
  type TestPerson,
} from '@/tests/fixtures/people';
import { makeKey } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { readResponse, registerLargeOwner } from '@/tests/http/export-server';
import { type OpenStream, openStream } from '@/tests/http/open-stream';
import { startLocal } from '@/tests/tunnel/local-server';
import { makeTunnel, useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { visit } from '@/tests/tunnel/visit';

useDatabase();
// Without regular checks, only a notification or a timer ends anything.
const connections = new OpenConnections(HOUR_MS);
beforeAll(() => setOnce('open-connections', connections));
afterAll(() => setOnce('open-connections', undefined));
const server = useTunnelServer();

/** Larger than all buffers together: a download cannot complete before its client reads it. */
const BATCHES = 8;
const BATCH_ROWS = 4_000;

interface Place {
  projectId: string;
  owner: TestPerson;
}
/** A project with many events. */
const place = {} as Place;
beforeAll(async () => {
  const owner = await registerPerson();
  Object.assign(place, { owner, projectId: (await makeProject(owner)).id });
  for (let batch = 0; batch < BATCHES; batch++) await insertEvents(place.projectId);
});

const insertEvents = (projectId: string) =>
  run(
    `INSERT INTO events (id, project_id, type, payload) SELECT id, $2, repeat('x', 128), '{}' FROM unnest($1::uuid[]) e(id)`,
    Array.from({ length: BATCH_ROWS }, newId),
    projectId,
  );

/** The connections of one caller, which stay open. */
interface Opened {
  tunnel: TunnelHandle;
  stream: OpenStream;
  download: IncomingMessage;
  /** The public URL of the tunnel. */
  url: string;
}

const closes: (() => void)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) close();
  await expect.poll(() => connections.size).toBe(0);
});

async function openAll({ projectId, owner }: Place, credential: string): Promise<Opened> {
  const headers: Record<string, string> = credential.startsWith('eds_')
    ? { 'X-API-Key': credential }
    : { Authorization: `Bearer ${credential}` };
  const port = Number(new URL(server.origin).port);
  const { key } = await makeKey(projectId, owner, { name: 'makes tunnels' });
  const { id: tunnelId, prefix } = await makeTunnel({ id: projectId, key });
  const local = await startLocal((_message, response) => void response.end('served'));
  const tunnel = openTunnel({
    url: server.origin,
    projectId,
    tunnelId,
    target: local.url,
    env: {},
    authorization: async () => `Bearer ${credential}`,
  });
  closes.push(() => void tunnel.close());
  await tunnel.connected;
  const stream = await openStream(port, `/api/v1/projects/${projectId}/changes?seconds=60`, headers);
  closes.push(stream.close);
  const download = await openDownload(port, `/api/v1/projects/${projectId}/events?format=csv`, headers);
  expect([stream.response.statusCode, download.statusCode]).toEqual([200, 200]);
  return { tunnel, stream, download, url: `${server.origin}${prefix}/` };
}

/** Requests a download, and reads nothing after its headers. */
function openDownload(port: number, path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request: ClientRequest = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.on('error', () => undefined);
      resolve(response);
    });
    closes.push(() => request.destroy());
    request.on('error', reject).end();
  });
}

/** Expects that all connections of a caller end within a second, and that no visitor reaches the tunnel any more. */
async function expectEnds({ tunnel, stream, download, url }: Opened, left: number): Promise<void> {
  await expect.poll(() => connections.size, { timeout: SECOND_MS, interval: 10 }).toBe(left);
  const { status, code } = await visit(url);
  // A tunnel of a deleted project has no URL.
  expect([502, 404], code).toContain(status);
  await tunnel.closed;
  await stream.ended;
  expect((await readResponse(download)).isComplete).toBe(false);
}

/** Waits for the first check of the connections, which would find out what no notification tells. */
async function checked(): Promise<void> {
  const last = connections.watch(
    null,
    async () => [{ refusal: null, endsInMs: null }],
    [],
    () => undefined,
  );
  await last.checked();
  last.release();
}

/** Expects that all connections of a caller are open. */
async function expectStays({ stream, download, url }: Opened): Promise<void> {
  expect(String((await visit(url)).body)).toBe('served');
  expect([stream.response.destroyed, download.destroyed]).toEqual([false, false]);
}

const as = ({ accessToken: bearer }: TestPerson) => ({ bearer });
const path = (rest: string) => `/api/v1/projects/${place.projectId}${rest}`;
async function succeed(asked: ReturnType<typeof call>): Promise<void> {
  const { status, text } = await asked;
  expect(status, text).toBeLessThan(300);
}

describe('the tunnel, the stream and the download of a key', () => {
  const onKey = (verb: 'POST' | 'DELETE', rest: string, body?: object) =>
    succeed(call(verb, path(`/api-keys/${rest}`), { ...as(place.owner), ...(body === undefined ? {} : { body }) }));

  it.each<[string, (keyId: string) => Promise<unknown>]>([
    ['it is revoked', (keyId) => onKey('DELETE', keyId)],
    ['it is rotated without grace', (keyId) => onKey('POST', `${keyId}/rotate`, { gracePeriodHours: 0 })],
    [
      'its expiry is moved to this moment',
      (keyId) => run('UPDATE api_keys SET expires_at = now() WHERE id = $1', keyId),
    ],
  ])('end within a second when %s; those of another key stay', async (_, end) => {
    const { id, key } = await makeKey(place.projectId, place.owner, { name: 'ends' });
    const other = await makeKey(place.projectId, place.owner, { name: 'stays' });
    const ends = await openAll(place, key);
    const stays = await openAll(place, other.key);
    await expectStays(ends);
    await end(id);
    await expectEnds(ends, 3);
    await expectStays(stays);
  });

  it('stay open in the grace period of a rotation, and end with it', async () => {
    const { id, key } = await makeKey(place.projectId, place.owner, { name: 'rotates' });
    const opened = await openAll(place, key);
    await onKey('POST', `${id}/rotate`, { gracePeriodHours: 1 });
    await expectStays(opened);
    await run(`UPDATE api_keys SET grace_ends_at = now() + interval '1 second' WHERE id = $1`, id);
    await expectStays(opened);
    await new Promise((resolve) => setTimeout(resolve, SECOND_MS));
    await expectEnds(opened, 0);
  });

  it('end by themselves when the key expires', async () => {
    const expiresAt = new Date(Date.now() + 2_000);
    const { key } = await makeKey(place.projectId, place.owner, {
      name: 'expires',
      expiresAt: expiresAt.toISOString(),
    });
    const opened = await openAll(place, key);
    await expectStays(opened);
    await new Promise((resolve) => setTimeout(resolve, expiresAt.getTime() - Date.now()));
    await expectEnds(opened, 0);
  });
});

describe('the tunnel, the stream and the download of a person', () => {
  const me = '/api/v1/auth';

  it.each<[string, (person: TestPerson) => Promise<unknown>]>([
    ['they sign out', (person) => succeed(call('POST', `${me}/logout`, { ...as(person), body: {} }))],
    ['they close all sessions', (person) => succeed(call('DELETE', `${me}/sessions`, as(person)))],
    [
      'they close the session from another one',
      async (person) => succeed(call('DELETE', `${me}/sessions?keepCurrent=true`, as(await signInAgain(person)))),
    ],
    ['they reset their password', resetPassword],
    ['the session expires', ({ userId }) => run('UPDATE sessions SET expires_at = now() WHERE user_id = $1', userId)],
    ['they are removed', (person) => succeed(removeMember(place.owner, place.owner.organizationId, person))],
    ['they erase their account', (person) => succeed(call('DELETE', `${me}/me`, as(person)))],
  ])('end within a second when %s; those of another member stay', async (_, end) => {
    const { organizationId } = place.owner;
    const member = await registerMember(organizationId, 'DEVELOPER');
    const other = await registerMember(organizationId, 'DEVELOPER');
    const ends = await openAll(place, member.accessToken);
    const stays = await openAll(place, other.accessToken);
    await expectStays(ends);
    await end(member);
    await expectEnds(ends, 3);
    await expectStays(stays);
  });

  async function resetPassword({ email }: TestPerson): Promise<void> {
    await succeed(call('POST', `${me}/forgot-password`, { body: { email } }));
    let token = '';
    await expect
      .poll(async () => {
        token = tokenIn((await queuedMails(email)).findLast(({ text }) => text.includes('/reset-password?token=')));
        return token;
      })
      .not.toBe('');
    await succeed(call('POST', `${me}/reset-password`, { body: { token, password: `${PASSWORD} 2` } }));
  }

  it('end as far as a lower role does not allow them; a higher role changes nothing', async () => {
    const { organizationId } = place.owner;
    const member = await registerMember(organizationId, 'DEVELOPER');
    const opened = await openAll(place, member.accessToken);
    await succeed(changeRole(place.owner, organizationId, member, 'ADMIN'));
    await expectStays(opened);
    await succeed(changeRole(place.owner, organizationId, member, 'VIEWER'));
    await expect.poll(() => connections.size, { timeout: SECOND_MS, interval: 10 }).toBe(2);
    expect(await opened.tunnel.closed).toBe('This needs the role DEVELOPER or higher.');
    expect([opened.stream.response.destroyed, opened.download.destroyed]).toEqual([false, false]);
  });
});

describe('a download of incoming events', () => {
  /** Longer than all buffers together, too. */
  const query = `token=CANARY&filler=${'x'.repeat(1_900)}`;
  beforeAll(async () => {
    const body = { name: 'shop', provider: 'NONE' };
    const { json } = await call<{ id: string }>('POST', path('/sources'), { ...as(place.owner), body });
    await run(
      `INSERT INTO incoming_events (id, project_id, source_id, method, headers, body, size, verified, query)
       SELECT id, $2, $3, 'POST', '[]', '', 0, true, $4 FROM unnest($1::uuid[]) e(id)`,
      Array.from({ length: 2 * BATCH_ROWS }, newId),
      place.projectId,
      json.id,
      query,
    );
  });
  const open = ({ accessToken }: TestPerson) => {
    const headers = { Authorization: `Bearer ${accessToken}` };
    return openDownload(Number(new URL(server.origin).port), path('/incoming-events?format=ndjson'), headers);
  };

  it('that shows secrets ends within a second when the person may not see them any more', async () => {
    const { organizationId } = place.owner;
    const member = await registerMember(organizationId, 'DEVELOPER');
    const download = await open(member);
    await succeed(changeRole(place.owner, organizationId, member, 'ADMIN'));
    await checked();
    expect([download.statusCode, connections.size]).toEqual([200, 1]);
    await succeed(changeRole(place.owner, organizationId, member, 'VIEWER'));
    await expect.poll(() => connections.size, { timeout: SECOND_MS, interval: 10 }).toBe(0);
    const { text, isComplete } = await readResponse(download);
    expect([text.includes('CANARY'), isComplete]).toEqual([true, false]);
  });

  it('that redacts secrets redacts all of them, and completes, whatever the role becomes', async () => {
    const { organizationId } = place.owner;
    const member = await registerMember(organizationId, 'VIEWER');
    const download = await open(member);
    for (const role of ['DEVELOPER', 'VIEWER'] as const) {
      await succeed(changeRole(place.owner, organizationId, member, role));
      await checked();
      expect(connections.size).toBe(1);
    }
    const { text, isComplete } = await readResponse(download);
    expect([text.includes('CANARY'), isComplete]).toEqual([false, true]);
    expect(text.trimEnd().split('\n')).toHaveLength(2 * BATCH_ROWS);
  });
});

describe('all connections', () => {
  it.each<[string, (at: Place) => string]>([
    ['a project end when it is deleted', ({ projectId }) => `/api/v1/projects/${projectId}`],
    ['an organization end when it is deleted', ({ owner }) => `/api/v1/orgs/${owner.organizationId}`],
  ])('of %s; those of others stay', async (_, pathOf) => {
    const owner = await registerPerson();
    const at = { owner, projectId: (await makeProject(owner)).id };
    for (let batch = 0; batch < BATCHES; batch++) await insertEvents(at.projectId);
    const { key } = await makeKey(at.projectId, owner, { name: 'server' });
    const other = await makeKey(place.projectId, place.owner, { name: 'stays' });
    const byKey = await openAll(at, key);
    const byPerson = await openAll(at, owner.accessToken);
    const stays = await openAll(place, other.key);
    await succeed(call('DELETE', pathOf(at), as(owner)));
    await expectEnds(byKey, 3);
    await expectEnds(byPerson, 3);
    await expectStays(stays);
  });
});

it('the export of an organization breaks off when its owner signs out', async () => {
  const owner = await registerLargeOwner();
  const port = Number(new URL(server.origin).port);
  const headers = { Authorization: `Bearer ${owner.accessToken}` };
  const response = await openDownload(port, `/api/v1/orgs/${owner.organizationId}/export`, headers);
  expect([response.statusCode, connections.size]).toEqual([200, 1]);
  await succeed(call('POST', '/api/v1/auth/logout', { ...as(owner), body: {} }));
  await expect.poll(() => connections.size, { timeout: SECOND_MS, interval: 10 }).toBe(0);
  expect((await readResponse(response)).isComplete).toBe(false);
});
