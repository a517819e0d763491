import { beforeEach, describe, expect, it } from 'vitest';
import type { NewApiKey } from '@/lib/keys/schema';
import { HOUR_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { expectLimitReached, setLimit } from '@/tests/fixtures/limits';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();

/** Starts with two keys, which is the limit. */
let mine: TestProject;
beforeEach(async () => {
  setLimit('PROJECT_MAX_API_KEYS', 2);
  mine = await makeTestProject();
});

const asOwner = () => ({ bearer: mine.owner.accessToken });
const pathOf = (keyId = '') => `/api/v1/projects/${mine.id}/api-keys${keyId && `/${keyId}`}`;
const create = (body: object = {}) =>
  call<NewApiKey>('POST', pathOf(), { ...asOwner(), body: { name: 'server', ...body } });
const rotate = (keyId: string, gracePeriodHours = 1) =>
  call<NewApiKey>('POST', `${pathOf(keyId)}/rotate`, { ...asOwner(), body: { gracePeriodHours } });
const revoke = async (keyId: string) => expect((await call('DELETE', pathOf(keyId), asOwner())).status).toBe(204);
const works = async (apiKey: string) => (await call('GET', `/api/v1/projects/${mine.id}`, { apiKey })).status === 200;
const end = (keyId: string, column: 'expires_at' | 'grace_ends_at') =>
  database().query(`UPDATE api_keys SET ${column} = clock_timestamp() WHERE id = $1`, [keyId]);

describe('the limit of API keys', () => {
  it('allows the last key, and refuses the next', async () => {
    await revoke(mine.keyId);
    expect((await create()).status).toBe(201);
    expectLimitReached(await create(), 'PROJECT_MAX_API_KEYS');
  });

  it('counts a key until it expires', async () => {
    await revoke(mine.keyId);
    const { json } = await create({ expiresAt: new Date(Date.now() + HOUR_MS).toISOString() });
    expectLimitReached(await create(), 'PROJECT_MAX_API_KEYS');
    await end(json.id, 'expires_at');
    expect((await create()).status).toBe(201);
  });

  it('counts a rotated key for as long as it works', async () => {
    setLimit('PROJECT_MAX_API_KEYS', 3);
    expect((await rotate(mine.keyId)).status).toBe(201);
    expectLimitReached(await create(), 'PROJECT_MAX_API_KEYS');
    await end(mine.keyId, 'grace_ends_at');
    expect((await create()).status).toBe(201);
  });

  it('keeps every key working when it is lowered, and only refuses new ones', async () => {
    setLimit('PROJECT_MAX_API_KEYS', 1);
    expectLimitReached(await create(), 'PROJECT_MAX_API_KEYS');
    expect([await works(mine.key), await works(mine.readOnlyKey)]).toEqual([true, true]);
  });
});

describe('rotating at the limit of API keys', () => {
  it('is allowed once for each key, and the old keys work in their grace period', async () => {
    const { rows } = await database().query<{ id: string }>('SELECT id FROM api_keys WHERE project_id = $1', [mine.id]);
    for (const { id } of rows) expect((await rotate(id)).status).toBe(201);
    expect([await works(mine.key), await works(mine.readOnlyKey)]).toEqual([true, true]);
  });

  it('is allowed for every key when the limit is lowered below the number of keys', async () => {
    setLimit('PROJECT_MAX_API_KEYS', 1);
    const { rows } = await database().query<{ id: string }>('SELECT id FROM api_keys WHERE project_id = $1', [mine.id]);
    for (const { id } of rows) expect((await rotate(id)).status).toBe(201);
  });

  it('cannot pile up keys in their grace period when repeated', async () => {
    let { json } = await rotate(mine.keyId);
    ({ json } = await rotate(json.id));
    const refused = await rotate(json.id);
    expectLimitReached(refused, 'PROJECT_MAX_API_KEYS');
    expect(refused.text).toContain('grace period');
    expect(await works(json.key)).toBe(true);
    const { rows } = await database().query('SELECT rotated_at FROM api_keys WHERE id = $1', [json.id]);
    expect(rows).toEqual([{ rotated_at: null }]);
  });

  it('is never refused without a grace period, or once an old key is revoked', async () => {
    let { json } = await rotate(mine.keyId);
    const first = json.id;
    ({ json } = await rotate(first));
    for (let n = 0; n < 3; n++) {
      const next = await rotate(json.id, 0);
      expect(next.status).toBe(201);
      ({ json } = next);
    }
    await revoke(first);
    expect((await rotate(json.id)).status).toBe(201);
  });
});
