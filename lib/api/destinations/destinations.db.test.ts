import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Destination, DestinationSecret, Source } from '@/lib/incoming/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { expectLimitReached, raceAtRow, setLimit } from '@/tests/fixtures/limits';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();

describe('destinations', () => {
  let project: TestProject;
  let source: Source;
  const url = 'https://receiver.example/hook?a=b';

  beforeEach(async () => {
    project = await makeTestProject();
    source = await createSource();
  });

  const createSource = async () => {
    const path = `/api/v1/projects/${project.id}/sources`;
    return (await call<Source>('POST', path, { apiKey: project.key, body: { name: 'shop' } })).json;
  };
  const send = <T = Destination>(verb: string, tail = '', body?: object, sourceId = source.id) =>
    call<T & Problem>(verb, `/api/v1/projects/${project.id}/sources/${sourceId}/destinations${tail}`, {
      apiKey: project.key,
      ...(body === undefined ? {} : { body }),
    });
  const create = async (body: object = { url }) => {
    const made = await send('POST', '', body);
    expect(made.status, made.text).toBe(201);
    return made.json;
  };
  const stored = async (id: string): Promise<string> => {
    const { rows } = await database().query('SELECT row_to_json(d)::text AS text FROM destinations d WHERE id = $1', [
      id,
    ]);
    return rows[0].text;
  };

  it('are created, read, listed, changed and deleted below their source', async () => {
    const [one, two] = [
      await create(),
      await create({ url, description: 'Orders', retrySeconds: [5], enabled: false }),
    ];
    expect(one).toMatchObject({
      sourceId: source.id,
      url,
      enabled: true,
      retrySeconds: [],
      auth: null,
      hasSecret: false,
    });
    expect(two).toMatchObject({ description: 'Orders', retrySeconds: [5], enabled: false });
    expect((await send('GET', `/${one.id}`)).json).toEqual(one);
    expect((await send<{ data: Destination[] }>('GET')).json.data).toEqual([two, one]);
    expect((await send('PATCH', `/${one.id}`, { enabled: false })).json).toMatchObject({ enabled: false, url });
    expect((await send('DELETE', `/${one.id}`)).status).toBe(204);
    expect((await send('GET', `/${one.id}`)).status).toBe(404);
    expect((await send<{ data: Destination[] }>('GET')).json.data).toEqual([two]);
  });

  it('are found only below their own source', async () => {
    const { id } = await create();
    const other = await createSource();
    for (const [verb, tail, body] of [
      ['GET', ''],
      ['PATCH', '', { enabled: false }],
      ['DELETE', ''],
      ['GET', '/secret'],
      ['POST', '/rotate-secret'],
      ['DELETE', '/secret'],
    ] as const) {
      expect((await send(verb, `/${id}${tail}`, body, other.id)).status, `${verb} ${tail}`).toBe(404);
    }
    expect((await send('GET', '', undefined, newId())).status).toBe(404);
    expect((await send('GET', `/${id}`)).status).toBe(200);
  });

  it.each(['ftp://x.example', 'https://u:p@x.example', 'https://x.example/#a', '/hook', 'x'.repeat(3_000)])(
    'refuse the URL %s',
    async (bad) => {
      expect((await send('POST', '', { url: bad })).json.errors?.[0]?.path).toBe('url');
    },
  );

  it('have a signing secret only if it was asked for, and it can be shown, rotated and removed', async () => {
    const { id } = await create();
    expect((await send('GET', `/${id}/secret`)).status).toBe(404);
    const first = (await send<DestinationSecret>('POST', `/${id}/rotate-secret`)).json;
    expect(first).toMatchObject({ secret: expect.stringMatching(/^whsec_/), previousSecretExpiresAt: null });
    const second = (await send<DestinationSecret>('POST', `/${id}/rotate-secret`)).json;
    expect(Date.parse(second.previousSecretExpiresAt ?? '') - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    expect((await send<DestinationSecret>('GET', `/${id}/secret`)).json).toEqual(second);
    expect((await send('GET', `/${id}`)).json).toMatchObject({ hasSecret: true });
    expect((await send('DELETE', `/${id}/secret`)).status).toBe(204);
    expect((await send('GET', `/${id}`)).json).toMatchObject({ hasSecret: false, previousSecretExpiresAt: null });
    expect((await create({ url, signing: true })).hasSecret).toBe(true);
  });

  it('lose their credential and secrets when they or their source are deleted', async () => {
    const [one, two] = [
      await create({ url, signing: true, auth: { type: 'BEARER', token: 'a' } }),
      await create({ url, signing: true, auth: { type: 'BEARER', token: 'a' } }),
    ];
    await send('DELETE', `/${one.id}`);
    await call('DELETE', `/api/v1/projects/${project.id}/sources/${source.id}`, { apiKey: project.key });
    for (const { id } of [one, two]) {
      const row = JSON.parse(await stored(id));
      expect(row).toMatchObject({ enabled: false, auth_encrypted: null, secret_encrypted: null });
      expect(row.deleted_at).not.toBeNull();
    }
  });

  it('do not outlive a source that is deleted while they are created', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id: sourceId } = await createSource();
      const auth = { type: 'BEARER', token: 'a' };
      await Promise.all([
        ...[1, 2, 3].map(() => send('POST', '', { url, auth }, sourceId)),
        call('DELETE', `/api/v1/projects/${project.id}/sources/${sourceId}`, { apiKey: project.key }),
      ]);
      const live = await database().query('SELECT FROM destinations WHERE source_id = $1 AND deleted_at IS NULL', [
        sourceId,
      ]);
      expect(live.rowCount).toBe(0);
    }
  });

  it('answer the change or 404 when they are changed and deleted at once', async () => {
    const { id } = await create({ url, signing: true });
    const deletions = [1, 2].map(() => () => send('DELETE', `/${id}`));
    const changes = [() => send('PATCH', `/${id}`, { enabled: false }), () => send('DELETE', `/${id}/secret`)];
    const answers = await raceAtRow('destinations', id, [...deletions, ...changes]);
    for (const { status } of answers) expect([200, 204, 404]).toContain(status);
    expect(JSON.parse(await stored(id))).toMatchObject({ enabled: false, deleted_at: expect.any(String) });
  });

  it('are limited per project by PROJECT_MAX_DESTINATIONS, also when created at once', async () => {
    setLimit('PROJECT_MAX_DESTINATIONS', 3);
    onTestFinished(() => setLimit('PROJECT_MAX_DESTINATIONS', 500));
    const requests = Array.from({ length: 8 }, () => () => send('POST', '', { url }));
    const made = await raceAtRow('projects', project.id, requests);
    expect(made.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const refused of made.filter(({ status }) => status !== 201)) {
      expectLimitReached(refused, 'PROJECT_MAX_DESTINATIONS');
    }
  });

  it('are paused with a reason, which is kept until they are enabled', async () => {
    const { id } = await create();
    const refused = await send('PATCH', `/${id}`, { pauseReason: 'Maintenance' });
    expect([refused.status, refused.json.errors?.[0]?.path]).toEqual([400, 'pauseReason']);
    const paused = await send<Destination>('PATCH', `/${id}`, {
      enabled: false,
      pauseReason: 'Maintenance until noon',
    });
    expect(paused.json).toMatchObject({
      ...{ enabled: false, pauseReason: 'Maintenance until noon', disabledReason: null },
      disabledAt: expect.stringMatching(/Z$/),
    });
    expect((await send('PATCH', `/${id}`, { pauseReason: 'Longer' })).json).toMatchObject({
      pauseReason: 'Longer',
      disabledAt: paused.json.disabledAt,
    });
    const tooLong = await send('PATCH', `/${id}`, { pauseReason: 'x'.repeat(201) });
    expect([tooLong.status, tooLong.json.errors?.[0]?.path]).toEqual([400, 'pauseReason']);
    expect((await send('PATCH', `/${id}`, { enabled: true })).json).toMatchObject({
      ...{ enabled: true, pauseReason: null, disabledAt: null },
    });
  });

  it('clear their failures when they are enabled', async () => {
    const { id } = await create();
    await database().query(
      `UPDATE destinations SET enabled = false, disabled_reason = 'gone', disabled_at = now(), failing_since = now()
       WHERE id = $1`,
      [id],
    );
    expect((await send('GET', `/${id}`)).json).toMatchObject({ enabled: false, disabledReason: 'gone' });
    expect((await send('PATCH', `/${id}`, { enabled: true })).json).toMatchObject({
      enabled: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
    });
  });
});
