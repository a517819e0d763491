import { describe, expect, it } from 'vitest';
import type { ApiKey, CreatedApiKey, OwnKey } from '@/lib/keys/schema';
import { lockOrganizations } from '@/lib/orgs/locks';
import { HOUR_MS } from '@/lib/platform/clock';
import { sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import { countLockWaits, untilLockWait } from '@/tests/database/lock-waits';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { auditOf } from '@/tests/fixtures/audit';
import { asPerson, registerMember } from '@/tests/fixtures/people';
import { makeKey, useProjects } from '@/tests/fixtures/projects';
import { call, expectInvalid, expectProblem, type Problem, type TestResponse } from '@/tests/http/api-request';

useDatabase();

const projects = useProjects();

const pathOf = (keyId = '') => `/api/v1/projects/${projects.mine.id}/api-keys${keyId && `/${keyId}`}`;
const asOwner = () => asPerson(projects.mine.owner);
const freshKey = (body: object = {}) => makeKey(projects.mine.id, projects.mine.owner, { name: 'server', ...body });

describe('API keys', () => {
  const create = (body: object) => call<CreatedApiKey>('POST', pathOf(), { ...asOwner(), body });

  it('show their plaintext at creation only, and store only its SHA-256 hash', async () => {
    const { status, json } = await create({ name: 'ci' });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      name: 'ci',
      scope: 'READ_WRITE',
      status: 'ACTIVE',
      expiresAt: null,
      lastUsedAt: null,
    });
    const got = await call<ApiKey>('GET', pathOf(json.id), asOwner());
    const listed = await call<Listing<ApiKey>>('GET', pathOf(), asOwner());
    expect(got.text + listed.text).not.toContain(json.key);
    expect('key' in got.json).toBe(false);
    const rows = await select('SELECT key_hash, row_to_json(k)::text AS row FROM api_keys k WHERE id = $1', json.id);
    expect(rows[0].key_hash).toEqual(sha256(json.key));
    expect(rows[0].row).not.toContain(json.key);
  });

  it('are revoked at once; a second revocation gets 204 and is not audited', async () => {
    const { json } = await create({ name: 'short-lived' });
    const use = () => call('GET', `/api/v1/projects/${projects.mine.id}/events`, { apiKey: json.key });
    expect((await use()).status).toBe(200);
    for (let n = 0; n < 2; n++) {
      expect((await call('DELETE', pathOf(json.id), asOwner())).status).toBe(204);
    }
    expectProblem(await use(), 401, 'api_key_revoked');
    expect((await call<ApiKey>('GET', pathOf(json.id), asOwner())).json.status).toBe('REVOKED');
    const rows = await select('SELECT action FROM audit_log WHERE target_id = $1 ORDER BY id', json.id);
    expect(rows.map(({ action }) => action)).toEqual(['api_key.created', 'api_key.revoked']);
  });

  it('show when they were last used, at most a minute late, and from where unless it was a browser', async () => {
    const uses = [
      ['GET', `/api/v1/projects/${projects.mine.id}/events`, {}],
      ['POST', '/api/v1/events', { body: { type: 'a.b', data: {} } }],
    ] as const;
    for (const [method, path, options] of uses) {
      for (const [headers, address] of [
        [{}, expect.any(String)],
        [{ 'sec-fetch-site': 'cross-site' }, null],
        [{ origin: 'https://app.example' }, null],
      ] as const) {
        const { json } = await create({ name: 'used' });
        expect(json.lastUsedFrom).toBeNull();
        await call(method, path, { ...options, apiKey: json.key, headers });
        const read = async () => (await call<ApiKey>('GET', pathOf(json.id), asOwner())).json;
        await expect.poll(async () => (await read()).lastUsedAt).not.toBeNull();
        expect((await read()).lastUsedFrom).toEqual(address);
      }
    }
  });

  it('stop working at their expiry to the millisecond, for sending as for other calls', async () => {
    const expiresAtMs = Date.now() + 1_000;
    const { json } = await create({ name: 'brief', expiresAt: new Date(expiresAtMs).toISOString() });
    const body = { type: 'a.b', data: {} };
    const uses = [
      () => call('POST', '/api/v1/events', { apiKey: json.key, body }),
      () => call('GET', `/api/v1/projects/${projects.mine.id}/events`, { apiKey: json.key }),
    ];
    const refusals: unknown[] = [];
    while (refusals.length < 4) {
      for (const use of uses) {
        const sentMs = Date.now();
        const response = await use();
        if (sentMs >= expiresAtMs) expect(response.status).toBe(401);
        if (Date.now() < expiresAtMs) expect(response.status).toBeLessThan(300);
        if (response.status === 401) refusals.push(response.json.code);
      }
    }
    expect(new Set(refusals)).toEqual(new Set(['api_key_expired']));
    const { json: shown } = await call<ApiKey>('GET', pathOf(json.id), asOwner());
    expect(shown.status).toBe('EXPIRED');
  });

  it('show their creator, and only the id once that person has left the organization', async () => {
    const { mine } = projects;
    const maker = await registerMember(mine.owner.organizationId, 'DEVELOPER');
    const { id } = await makeKey(mine.id, maker, { name: 'theirs' });
    const creator = async () => {
      const got = await call<ApiKey>('GET', pathOf(id), asOwner());
      const listed = await call<Listing<ApiKey>>('GET', pathOf(), asOwner());
      expect(listed.json.data.find((key) => key.id === id)?.createdBy).toEqual(got.json.createdBy);
      return got.json.createdBy;
    };
    await run(`UPDATE users SET name = 'Mary' WHERE id = $1`, maker.userId);
    expect(await creator()).toEqual({ id: maker.userId, name: 'Mary', email: maker.email });
    // Still a member, but of another organization.
    await run(
      'DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2',
      maker.userId,
      mine.owner.organizationId,
    );
    expect(await creator()).toEqual({ id: maker.userId, name: null, email: null });
  });
});

describe('the key of a request', () => {
  const ask = <T = OwnKey>(credentials: object) => call<T>('GET', '/api/v1/key', credentials);

  it('can read its own project, scope and expiry with any scope, and no secret', async () => {
    const { id, owner } = projects.mine;
    const expiresAt = '2099-01-31T09:30:00.000Z';
    for (const scope of ['READ_ONLY', 'READ_WRITE']) {
      const made = await makeKey(id, owner, { name: 'deploy', scope, expiresAt });
      const { status, json, text } = await ask({ apiKey: made.key });
      expect(status, text).toBe(200);
      expect(json).toEqual({
        id: made.id,
        name: 'deploy',
        hint: made.hint,
        scope,
        status: 'ACTIVE',
        expiresAt,
        project: { id, name: expect.any(String) },
        organization: { id: owner.organizationId, name: expect.any(String) },
      });
      expect(text).not.toContain(made.key);
    }
  });
});

/** A replacement, or the code of the error. */
type Answered = Omit<CreatedApiKey & Omit<Problem, 'status'>, 'status'>;

describe('rotating an API key', () => {
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const rotate = (keyId: string, body?: unknown) =>
    call<Answered>('POST', `${pathOf(keyId)}/rotate`, {
      ...asOwner(),
      ...(body === undefined ? {} : { body }),
    });
  const get = async (keyId: string) => (await call<ApiKey>('GET', pathOf(keyId), asOwner())).json;
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
    expectProblem(await send(json.key), 403, 'read_only_key');
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

  it('ends the old key at once with a grace period of 0, for sending and for reading', async () => {
    const old = await freshKey();
    expect((await send(old.key)).status).toBe(202);
    const { json } = await rotate(old.id, { gracePeriodHours: 0 });
    expectProblem(await send(old.key), 401, 'api_key_expired');
    expectProblem(await read(old.key), 401, 'api_key_expired');
    expect((await send(json.key)).status).toBe(202);
    expect(await get(old.id)).toMatchObject({ status: 'EXPIRED', replacedById: json.id });
  });

  it('gives the replacement the requested expiry, not that of the old key', async () => {
    const nextYear = new Date().getUTCFullYear() + 1;
    const old = await freshKey({ expiresAt: inMs(HOUR_MS) });
    const dated = await rotate(old.id, { expiresAt: `${nextYear}-06-30` });
    expect(dated.json.expiresAt).toBe(`${nextYear}-06-30T23:59:59.999Z`);
    expect((await rotate(dated.json.id, { expiresAt: null })).json.expiresAt).toBeNull();
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
    expectInvalid(await rotate(old.id, { [field]: value }), field);
    expect(await get(old.id)).toMatchObject({ status: 'ACTIVE', expiresAt: null, replacedById: null });
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

/** Locks the row of a key until all requests wait for it, one after the other, so that they really compete. */
async function inLineFor<T>(keyId: string, requests: (() => Promise<T>)[]): Promise<T[]> {
  const client = await database().connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [keyId]);
    const started: Promise<T>[] = [];
    for (const request of requests) {
      started.push(request());
      await expect.poll(countLockWaits).toBe(started.length);
    }
    await client.query('COMMIT');
    return await Promise.all(started);
  } finally {
    client.release();
  }
}

const rotations = (keyId: string) =>
  [1, 2].map(
    () => () => call<Answered>('POST', `${pathOf(keyId)}/rotate`, { ...asOwner(), body: { gracePeriodHours: 1 } }),
  );

async function expectOneReplacement(keyId: string, responses: TestResponse<Answered>[]): Promise<void> {
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(responses.find(({ status }) => status === 409)?.json.code).toBe('key_already_rotated');
  const rows = await select('SELECT id FROM api_keys WHERE replaces_id = $1', keyId);
  expect(rows).toEqual([{ id: responses.find(({ status }) => status === 201)?.json.id }]);
  const audit = await database().query(`SELECT FROM audit_log WHERE target_id = $1 AND action = 'api_key.rotated'`, [
    keyId,
  ]);
  expect(audit.rowCount).toBe(1);
}

describe('rotations of one API key at the same moment', () => {
  it('create one replacement when both wait for the row', async () => {
    const old = await freshKey();
    await expectOneReplacement(old.id, await inLineFor(old.id, rotations(old.id)));
  });

  it('check the key once they have the lock: a rotation that waited past the expiry gets key_expired', async () => {
    const old = await freshKey({ expiresAt: new Date(Date.now() + HOUR_MS).toISOString() });
    const client = await database().connect();
    await client.query('BEGIN');
    await client.query('UPDATE api_keys SET expires_at = $2 WHERE id = $1', [old.id, new Date()]);
    const rotation = call<Problem>('POST', `${pathOf(old.id)}/rotate`, { ...asOwner(), body: {} });
    await untilLockWait(rotation);
    await client.query('COMMIT');
    client.release();
    expectProblem(await rotation, 409, 'key_expired');
  });
});

describe('a person who loses their role while their request waits', () => {
  it.each<[string, string, number, string]>([
    ['removal', 'DELETE FROM memberships', 404, 'not_found'],
    ['demotion', `UPDATE memberships SET role = 'VIEWER'`, 403, 'forbidden'],
  ])('by %s creates and rotates no key', async (_, change, status, code) => {
    const { mine } = projects;
    const old = await freshKey();
    const developer = await registerMember(mine.owner.organizationId, 'DEVELOPER');
    const asDeveloper = asPerson(developer);
    const client = await database().connect();
    await client.query('BEGIN');
    await lockOrganizations(client, [mine.owner.organizationId]);
    await client.query(`${change} WHERE user_id = $1 AND organization_id = $2`, [
      developer.userId,
      mine.owner.organizationId,
    ]);
    const created = call<Problem>('POST', pathOf(), { ...asDeveloper, body: { name: 'late' } });
    const rotated = call<Problem>('POST', `${pathOf(old.id)}/rotate`, { ...asDeveloper, body: {} });
    await untilLockWait(created);
    await client.query('COMMIT');
    client.release();
    for (const answer of await Promise.all([created, rotated])) expectProblem(answer, status, code);
    const keys = await select('SELECT id FROM api_keys WHERE created_by_id = $1', developer.userId);
    expect(keys).toEqual([]);
  });
});

describe('rotating and revoking one API key at the same moment', () => {
  const rotate = (keyId: string) => () => call<Answered>('POST', `${pathOf(keyId)}/rotate`, { ...asOwner(), body: {} });
  const revoke = (keyId: string) => () => call<Answered>('DELETE', pathOf(keyId), asOwner());
  const send = (apiKey: string) => call('POST', '/api/v1/events', { apiKey, body: { type: 'a.b', data: {} } });

  /** In either order the key is revoked, and it has a replacement if and only if the rotation got 201. */
  async function expectConsistent(
    old: CreatedApiKey,
    rotated: TestResponse<Answered> | undefined,
    revoked: TestResponse<Answered> | undefined,
  ): Promise<void> {
    if (rotated === undefined || revoked === undefined) throw new Error('A request was not answered.');
    expect(revoked.status).toBe(204);
    expect([201, 409]).toContain(rotated.status);
    const { json } = await call<ApiKey>('GET', pathOf(old.id), asOwner());
    const replacement = rotated.status === 201 ? rotated.json.id : null;
    expect(json).toMatchObject({ status: 'REVOKED', replacedById: replacement });
    if (replacement === null) expect(rotated.json.code).toBe('key_revoked');
    expectProblem(await send(old.key), 401, 'api_key_revoked');
    if (replacement !== null) expect((await send(rotated.json.key)).status).toBe(202);
  }

  it('gets key_revoked when the revocation is first', async () => {
    const old = await freshKey();
    const [revoked, rotated] = await inLineFor(old.id, [revoke(old.id), rotate(old.id)]);
    expect(rotated?.json).toMatchObject({ status: 409, code: 'key_revoked' });
    await expectConsistent(old, rotated, revoked);
  });

  it('creates the replacement when the rotation is first', async () => {
    const old = await freshKey();
    const [rotated, revoked] = await inLineFor(old.id, [rotate(old.id), revoke(old.id)]);
    expect(rotated?.status).toBe(201);
    await expectConsistent(old, rotated, revoked);
  });
});
