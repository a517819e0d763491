import { describe, expect, it } from 'vitest';
import type { ApiKey, NewApiKey } from '@/lib/keys/schema';
import { sha256 } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { registerMember } from '@/tests/fixtures/people';
import { makeKey, useProjects } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();
const projects = useProjects();

const pathOf = (projectId: string, keyId = '') => `/api/v1/projects/${projectId}/api-keys${keyId && `/${keyId}`}`;

describe('API keys', () => {
  const asOwner = () => ({ bearer: projects.mine.owner.accessToken });
  const create = (body: object) => call<NewApiKey>('POST', pathOf(projects.mine.id), { ...asOwner(), body });

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
    const got = await call<ApiKey>('GET', pathOf(projects.mine.id, json.id), asOwner());
    const listed = await call<Listing<ApiKey>>('GET', pathOf(projects.mine.id), asOwner());
    expect(got.text + listed.text).not.toContain(json.key);
    expect('key' in got.json).toBe(false);
    const { rows } = await database().query(
      'SELECT key_hash, row_to_json(k)::text AS row FROM api_keys k WHERE id = $1',
      [json.id],
    );
    expect(rows[0].key_hash).toEqual(sha256(json.key));
    expect(rows[0].row).not.toContain(json.key);
  });

  it('accept a date as the end of that day, and refuse one in the past', async () => {
    const nextYear = new Date().getUTCFullYear() + 1;
    expect((await create({ name: 'd', expiresAt: `${nextYear}-06-30` })).json.expiresAt).toBe(
      `${nextYear}-06-30T23:59:59.999Z`,
    );
    const past = await create({ name: 'd', expiresAt: '2020-01-01' });
    expect(past.json).toMatchObject({ status: 400, errors: [{ path: 'expiresAt' }] });
  });

  it('are revoked at once; a second revocation gets 204 and is not audited', async () => {
    const { json } = await create({ name: 'short-lived' });
    const use = () => call('GET', `/api/v1/projects/${projects.mine.id}/events`, { apiKey: json.key });
    expect((await use()).status).toBe(200);
    for (let n = 0; n < 2; n++) {
      expect((await call('DELETE', pathOf(projects.mine.id, json.id), asOwner())).status).toBe(204);
    }
    expect((await use()).json).toMatchObject({ status: 401, code: 'api_key_revoked' });
    const got = await call<ApiKey>('GET', pathOf(projects.mine.id, json.id), asOwner());
    expect(got.json.status).toBe('REVOKED');
    const { rows } = await database().query('SELECT action FROM audit_log WHERE target_id = $1 ORDER BY id', [json.id]);
    expect(rows.map(({ action }) => action)).toEqual(['api_key.created', 'api_key.revoked']);
  });

  it('show when they were last used, at most a minute late', async () => {
    const { json } = await create({ name: 'used' });
    await call('GET', `/api/v1/projects/${projects.mine.id}/events`, { apiKey: json.key });
    const lastUsedAt = async () =>
      (await call<ApiKey>('GET', pathOf(projects.mine.id, json.id), asOwner())).json.lastUsedAt;
    await expect.poll(lastUsedAt).not.toBeNull();
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
    const { json: shown } = await call<ApiKey>('GET', pathOf(projects.mine.id, json.id), asOwner());
    expect(shown.status).toBe('EXPIRED');
  });

  it('show their creator, and only the id once that person has left the organization', async () => {
    const { mine } = projects;
    const maker = await registerMember(mine.owner.organizationId, 'DEVELOPER');
    const { id } = await makeKey(mine.id, maker, { name: 'theirs' });
    const creator = async () => {
      const got = await call<ApiKey>('GET', pathOf(mine.id, id), asOwner());
      const listed = await call<Listing<ApiKey>>('GET', pathOf(mine.id), asOwner());
      expect(listed.json.data.find((key) => key.id === id)?.createdBy).toEqual(got.json.createdBy);
      return got.json.createdBy;
    };
    await database().query(`UPDATE users SET name = 'Mary' WHERE id = $1`, [maker.userId]);
    expect(await creator()).toEqual({ id: maker.userId, name: 'Mary', email: maker.email });
    // Still a member, but of another organization.
    await database().query('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [
      maker.userId,
      mine.owner.organizationId,
    ]);
    expect(await creator()).toEqual({ id: maker.userId, name: null, email: null });
  });

  it('are listed in pages, newest first', async () => {
    const made = [];
    for (let n = 0; n < 3; n++)
      made.unshift((await makeKey(projects.foreign.id, projects.foreign.owner, { name: `k${n}` })).id);
    const bearer = projects.foreign.owner.accessToken;
    const first = await call<Listing<ApiKey>>('GET', `${pathOf(projects.foreign.id)}?limit=2`, { bearer });
    const next = `${pathOf(projects.foreign.id)}?limit=2&cursor=${first.json.nextCursor}`;
    const second = await call<Listing<ApiKey>>('GET', next, { bearer });
    expect([...first.json.data, ...second.json.data].slice(0, 3).map(({ id }) => id)).toEqual(made);
  });
});
