import { beforeAll, describe, expect, it } from 'vitest';
import type { IncomingEvent, IncomingEventDetail, Source } from '@/lib/incoming/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();

describe('incoming events', () => {
  let project: TestProject;
  let source: Source;
  const ids: Record<string, string> = {};

  const get = <T = IncomingEventDetail & Problem>(tail: string) =>
    call<T>('GET', `/api/v1/projects/${project.id}/incoming-events${tail}`, { apiKey: project.key });
  const list = async (query: string) => {
    const listed = await get<{ data: IncomingEvent[]; nextCursor: string | null }>(query);
    expect(listed.status, listed.text).toBe(200);
    return listed.json;
  };
  const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => id);

  beforeAll(async () => {
    project = await makeTestProject();
    const path = `/api/v1/projects/${project.id}/sources`;
    source = (await call<Source>('POST', path, { apiKey: project.key, body: { name: 'shop' } })).json;
    const other = (await call<Source>('POST', path, { apiKey: project.key, body: { name: 'other' } })).json;
    const rows = [
      ['text', source.id, null, Buffer.from('{"total": 1e2}')],
      ['verified', source.id, true, Buffer.from('é')],
      ['unverified', source.id, false, Buffer.from('x')],
      ['binary', other.id, null, Buffer.from([0xff, 0x00, 0x01])],
    ] as const;
    for (const [name, sourceId, verified, body] of rows) {
      ids[name] = newId();
      await database().query(
        `INSERT INTO incoming_events (id, project_id, source_id, verified, method, content_type, headers, body, size)
         VALUES ($1, $2, $3, $4, 'POST', 'text/html', '[["x-topic","orders"]]', $5, $6)`,
        [ids[name], project.id, sourceId, verified, body, body.length],
      );
    }
  });

  it('are listed newest first, without headers and bodies, page by page', async () => {
    const first = await list('?limit=3');
    expect(first.data.map(({ id }) => id)).toEqual([ids.binary, ids.unverified, ids.verified]);
    expect(Object.keys(first.data[0] ?? {})).toEqual([
      'id',
      'sourceId',
      'verified',
      'method',
      'query',
      'contentType',
      'size',
      'createdAt',
    ]);
    expect(await idsOf(`?limit=3&cursor=${first.nextCursor}`)).toEqual([ids.text]);
  });

  it('are filtered by source, by their signature and by time', async () => {
    expect(await idsOf(`?sourceId=${source.id}`)).toEqual([ids.unverified, ids.verified, ids.text]);
    expect(await idsOf('?verified=true')).toEqual([ids.verified]);
    expect(await idsOf('?verified=false')).toEqual([ids.unverified]);
    expect(await idsOf('?verified=none')).toEqual([ids.binary, ids.text]);
    const [past, future] = [new Date(Date.now() - 3_600_000), new Date(Date.now() + 3_600_000)].map((at) =>
      at.toISOString(),
    );
    expect(await idsOf(`?from=${past}&to=${future}`)).toHaveLength(4);
    expect(await idsOf(`?to=${past}`)).toEqual([]);
    expect(await idsOf(`?from=${future}`)).toEqual([]);
    expect(await idsOf(`?sourceId=${newId()}`)).toEqual([]);
  });

  it('show their headers and body: as text, or in base64 when it is not UTF-8', async () => {
    const text = (await get(`/${ids.text}`)).json;
    expect(text).toMatchObject({ headers: [['x-topic', 'orders']], body: '{"total": 1e2}', bodyBase64: null });
    expect((await get(`/${ids.binary}`)).json).toMatchObject({ body: null, bodyBase64: '/wAB' });
    expect((await get(`/${newId()}`)).status).toBe(404);
  });

  it('give their body as a download that no browser renders', async () => {
    const download = await get(`/${ids.text}/body`);
    expect([download.status, download.text]).toEqual([200, '{"total": 1e2}']);
    expect(download.headers['content-type']).toBe('application/octet-stream');
    expect(download.headers['content-disposition']).toMatch(/^attachment/);
    expect(download.headers['x-content-type-options']).toBe('nosniff');
    expect((await get(`/${newId()}/body`)).status).toBe(404);
  });
});
