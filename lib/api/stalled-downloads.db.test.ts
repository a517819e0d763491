import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { makeProject, registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { makeKey, makeTestProject } from '@/tests/fixtures/projects';
import { useWebServer } from '@/tests/http/adapters';
import { call } from '@/tests/http/api-request';
import { readResponse } from '@/tests/http/export-server';

useDatabase();
const server = useWebServer();

/** Larger than all buffers together: a download cannot complete before its client reads it. */
const [BATCHES, BATCH_ROWS] = [8, 4_000];
const ROWS = BATCHES * BATCH_ROWS;

const requests: ClientRequest[] = [];
afterEach(async () => {
  for (const request of requests.splice(0)) request.destroy();
  await sleep(200);
});

interface Reader {
  projectId: string;
  key: string;
}

/** Requests a download, and reads nothing after its headers. */
function ask({ projectId, key }: Reader): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const path = `/api/v1/projects/${projectId}/events?format=csv`;
    const headers = { 'X-API-Key': key };
    const request = httpRequest({ host: '127.0.0.1', port: server.port(), path, headers, agent: false }, (response) => {
      response.on('error', () => undefined);
      resolve(response);
    });
    requests.push(request);
    request.on('error', reject).end();
  });
}

/** Makes an organization with a project and two keys. */
async function makeReaders(owner: TestPerson, batches: number): Promise<Reader[]> {
  const { accessToken: bearer } = owner;
  const { json } = await call<{ id: string }>('POST', '/api/v1/orgs', { bearer, body: { name: 'Large' } });
  const { id } = await makeProject({ ...owner, organizationId: json.id });
  for (let n = 0; n < batches; n++) {
    await database().query(
      `INSERT INTO events (id, project_id, type, payload) SELECT id, $2, repeat('x', 128), '{}' FROM unnest($1::uuid[]) e(id)`,
      [Array.from({ length: BATCH_ROWS }, newId), id],
    );
  }
  const keys = [await makeKey(id, owner, { name: 'one' }), await makeKey(id, owner, { name: 'two' })];
  return keys.map(({ key }) => ({ projectId: id, key }));
}

/** Three organizations, two of them of one owner, which can hold all six slots. */
const readers: Reader[] = [];
const owner = {} as TestPerson;
beforeAll(async () => {
  Object.assign(owner, await registerPerson());
  for (const each of [owner, owner, await registerPerson()]) readers.push(...(await makeReaders(each, BATCHES)));
});

describe('downloads of lists', () => {
  it('that nobody reads make room for another tenant within seconds, one for each newcomer', async () => {
    const third = await makeReaders(owner, 0);
    const other = await makeTestProject();
    const stalled = await Promise.all(readers.map(ask));
    expect(stalled.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
    const beyond = await Promise.all(third.map(ask));
    expect(beyond.map(({ statusCode }) => statusCode)).toEqual([429, 429]);

    const newcomer = { projectId: other.id, key: other.key };
    const startedMs = performance.now();
    await expect.poll(async () => (await ask(newcomer)).statusCode, { timeout: 9_000, interval: 500 }).toBe(200);
    expect(performance.now() - startedMs).toBeLessThan(9_000);
    const ends = await Promise.all(stalled.map(readResponse));
    expect(ends.filter(({ isComplete }) => isComplete)).toHaveLength(5);
  });

  it('that are being read are never broken off, and others get 503 meanwhile', async () => {
    const other = await makeTestProject();
    let isPatient = true;
    const statuses: (number | undefined)[] = [];
    const ends = readers.map(async (reader) => {
      const response = await ask(reader);
      statuses.push(response.statusCode);
      let lines = 0;
      for await (const chunk of response.setEncoding('latin1')) {
        lines += String(chunk).split('\n').length - 1;
        if (isPatient) await sleep(100);
      }
      return { lines, isComplete: response.complete };
    });
    await expect.poll(() => statuses, { interval: 20 }).toEqual([200, 200, 200, 200, 200, 200]);
    for (let n = 0; n < 5; n++) {
      await sleep(500);
      expect((await ask({ projectId: other.id, key: other.key })).statusCode).toBe(503);
    }
    isPatient = false;
    expect(await Promise.all(ends)).toEqual(ends.map(() => ({ lines: ROWS + 1, isComplete: true })));
    expect((await ask({ projectId: other.id, key: other.key })).statusCode).toBe(200);
  });
});
