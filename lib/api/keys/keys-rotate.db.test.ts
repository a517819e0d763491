import { describe, expect, it } from 'vitest';
import type { ApiKey, NewApiKey } from '@/lib/keys/schema';
import { HOUR_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { makeKey, useProjects } from '@/tests/fixtures/projects';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();
const projects = useProjects();

/** A replacement, or the code of the error. */
type Answered = Omit<NewApiKey & Omit<Problem, 'status'>, 'status'>;

const pathOf = (keyId: string, projectId = projects.mine.id) => `/api/v1/projects/${projectId}/api-keys/${keyId}`;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const freshKey = (body: object = {}) => makeKey(projects.mine.id, projects.mine.owner, { name: 'server', ...body });
const expireNow = (keyId: string) =>
  database().query('UPDATE api_keys SET expires_at = clock_timestamp() WHERE id = $1', [keyId]);

describe('rotating an API key', () => {
  const asOwner = () => ({ bearer: projects.mine.owner.accessToken });
  const rotate = (keyId: string, body?: unknown) =>
    call<Answered>('POST', `${pathOf(keyId)}/rotate`, {
      ...asOwner(),
      ...(body === undefined ? {} : { body }),
    });
  const get = async (keyId: string) => (await call<ApiKey>('GET', pathOf(keyId), asOwner())).json;
  const revoke = (keyId: string) => call('DELETE', pathOf(keyId), asOwner());
  const send = (apiKey: string) => call('POST', '/api/v1/events', { apiKey, body: { type: 'a.b', data: {} } });
  const read = (apiKey: string) => call('GET', `/api/v1/projects/${projects.mine.id}/events`, { apiKey });

  it('returns a replacement with the same name and scope, and its plaintext in this response only', async () => {
    const old = await freshKey({ name: 'reports', scope: 'READ_ONLY' });
    const { status, json, headers } = await rotate(old.id, {});
    expect(status).toBe(201);
    expect(headers['cache-control']).toBe('no-store');
    expect(json).toMatchObject({
      name: 'reports',
      scope: 'READ_ONLY',
      status: 'ACTIVE',
      expiresAt: null,
      lastUsedAt: null,
      replacesId: old.id,
      replacedById: null,
      createdBy: { id: projects.mine.owner.userId, email: projects.mine.owner.email },
    });
    expect(json.key).not.toBe(old.key);
    const { key, ...shown } = json;
    expect(await get(json.id)).toEqual(shown);
    expect(await get(old.id)).toMatchObject({ status: 'ROTATING', replacedById: json.id });
    expect((await read(json.key)).status).toBe(200);
    expect((await send(json.key)).json).toMatchObject({ status: 403, code: 'read_only_key' });
  });

  it('returns the id of the replaced key in lower case, even if the path has it in upper case', async () => {
    const old = await freshKey();
    const { json } = await rotate(old.id.toUpperCase(), {});
    expect(json.replacesId).toBe(old.id);
  });

  it('keeps the old key working for 24 hours by default, with an empty body or none', async () => {
    for (const body of [undefined, {}]) {
      const old = await freshKey();
      const before = Date.now();
      expect((await rotate(old.id, body)).status).toBe(201);
      const ends = Date.parse((await get(old.id)).expiresAt ?? '');
      expect(ends).toBeGreaterThanOrEqual(before - 1 + 24 * HOUR_MS);
      expect(ends).toBeLessThanOrEqual(Date.now() + 24 * HOUR_MS);
      expect((await send(old.key)).status).toBe(202);
    }
  });

  it('keeps the old key working until the end of the requested grace period', async () => {
    const old = await freshKey();
    await rotate(old.id, { gracePeriodHours: 8760 });
    expect((await send(old.key)).status).toBe(202);
    await database().query(`UPDATE api_keys SET grace_ends_at = clock_timestamp() + interval '1 hour' WHERE id = $1`, [
      old.id,
    ]);
    expect((await send(old.key)).status).toBe(202);
    await database().query('UPDATE api_keys SET grace_ends_at = clock_timestamp() WHERE id = $1', [old.id]);
    expect((await send(old.key)).json).toMatchObject({ status: 401, code: 'api_key_expired' });
    expect(await get(old.id)).toMatchObject({ status: 'EXPIRED' });
  });

  it('ends the old key at once with a grace period of 0, for sending and for reading', async () => {
    const old = await freshKey();
    expect((await send(old.key)).status).toBe(202);
    const { json } = await rotate(old.id, { gracePeriodHours: 0 });
    expect((await send(old.key)).json).toMatchObject({ status: 401, code: 'api_key_expired' });
    expect((await read(old.key)).json).toMatchObject({ status: 401, code: 'api_key_expired' });
    expect((await send(json.key)).status).toBe(202);
    expect(await get(old.id)).toMatchObject({ status: 'EXPIRED', replacedById: json.id });
  });

  it('gives the replacement the requested expiry, not that of the old key', async () => {
    const nextYear = new Date().getUTCFullYear() + 1;
    const old = await freshKey({ expiresAt: inMs(HOUR_MS) });
    const dated = await rotate(old.id, { expiresAt: `${nextYear}-06-30` });
    expect(dated.json.expiresAt).toBe(`${nextYear}-06-30T23:59:59.999Z`);
    const undated = await rotate(dated.json.id, { expiresAt: null });
    expect(undated.json.expiresAt).toBeNull();
  });

  it('is possible once per key; the replacement can be rotated next', async () => {
    const old = await freshKey();
    const first = await rotate(old.id);
    expect((await rotate(old.id)).json).toMatchObject({ status: 409, code: 'key_already_rotated' });
    const second = await rotate(first.json.id);
    expect(second.json).toMatchObject({ status: 'ACTIVE', replacesId: first.json.id });
  });

  it('gets key_already_rotated even after the grace period, or when the old key is revoked', async () => {
    const over = await freshKey();
    await rotate(over.id, { gracePeriodHours: 0 });
    const revoked = await freshKey();
    await rotate(revoked.id);
    await revoke(revoked.id);
    for (const { id } of [over, revoked]) {
      expect((await rotate(id)).json).toMatchObject({ status: 409, code: 'key_already_rotated' });
    }
  });

  it('is refused for a revoked and an expired key, and creates nothing', async () => {
    const [revoked, expired] = [await freshKey(), await freshKey({ expiresAt: inMs(HOUR_MS) })];
    await revoke(revoked.id);
    await expireNow(expired.id);
    expect((await rotate(revoked.id)).json).toMatchObject({ status: 409, code: 'key_revoked' });
    expect((await rotate(expired.id)).json).toMatchObject({ status: 409, code: 'key_expired' });
    const { rows } = await database().query('SELECT FROM api_keys WHERE replaces_id = ANY($1)', [
      [revoked.id, expired.id],
    ]);
    expect(rows).toEqual([]);
    expect((await get(expired.id)).replacedById).toBeNull();
  });

  it.each([
    ['gracePeriodHours', -1],
    ['gracePeriodHours', 8761],
    ['gracePeriodHours', 1.5],
    ['gracePeriodHours', '24'],
    ['gracePeriodHours', null],
    ['expiresAt', '2020-01-01'],
    ['expiresAt', 'soon'],
    ['name', 'another'],
    ['scope', 'READ_WRITE'],
  ])('refuses %s %j, and does not change the key', async (field, value) => {
    const old = await freshKey();
    expect((await rotate(old.id, { [field]: value })).json).toMatchObject({
      status: 400,
      code: 'validation_failed',
      errors: [{ path: field }],
    });
    expect(await get(old.id)).toMatchObject({ status: 'ACTIVE', expiresAt: null, replacedById: null });
  });

  it('allows the old key to be revoked at once in its grace period, without effect on the replacement', async () => {
    const old = await freshKey();
    const { json } = await rotate(old.id);
    await revoke(old.id);
    expect((await send(old.key)).json).toMatchObject({ status: 401, code: 'api_key_revoked' });
    expect((await send(json.key)).status).toBe(202);
  });

  it('is audited with both ids and the grace period, without any part of the key; a refusal is not audited', async () => {
    const old = await freshKey();
    const { json } = await rotate(old.id, { gracePeriodHours: 3 });
    await rotate(old.id);
    const entries = (await auditOf(old.id)).filter(({ action }) => action === 'api_key.rotated');
    expect(entries).toEqual([
      expect.objectContaining({
        organization_id: projects.mine.owner.organizationId,
        actor_id: projects.mine.owner.userId,
        details: { projectId: projects.mine.id, replacedById: json.id, gracePeriodHours: 3 },
      }),
    ]);
  });
});
