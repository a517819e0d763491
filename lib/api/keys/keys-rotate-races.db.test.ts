import { describe, expect, it } from 'vitest';
import type { ApiKey, NewApiKey } from '@/lib/keys/schema';
import { HOUR_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { countLockWaits, untilLockWait } from '@/tests/database/lock-waits';
import { useDatabase } from '@/tests/database/use-database';
import { makeKey, useProjects } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { call, type Problem, type TestResponse } from '@/tests/http/api-request';

useDatabase();
const projects = useProjects();
const ROUNDS = 15;

const [throughNext = call, throughNode = call] = useAdapters().map(([, through]) => through);
/** A replacement, or the code of the error. */
type Answered = Omit<NewApiKey & Omit<Problem, 'status'>, 'status'>;

const pathOf = (keyId: string) => `/api/v1/projects/${projects.mine.id}/api-keys/${keyId}`;
const asOwner = () => ({ bearer: projects.mine.owner.accessToken });
const freshKey = (body: object = {}) => makeKey(projects.mine.id, projects.mine.owner, { name: 'server', ...body });

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
  [throughNext, throughNode].map(
    (through) => () =>
      through<Answered>('POST', `${pathOf(keyId)}/rotate`, { ...asOwner(), body: { gracePeriodHours: 1 } }),
  );
const atOnce = <T>(requests: (() => Promise<T>)[]) => Promise.all(requests.map((request) => request()));

async function expectOneReplacement(keyId: string, responses: TestResponse<Answered>[]): Promise<void> {
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(responses.find(({ status }) => status === 409)?.json.code).toBe('key_already_rotated');
  const { rows } = await database().query('SELECT id FROM api_keys WHERE replaces_id = $1', [keyId]);
  expect(rows).toEqual([{ id: responses.find(({ status }) => status === 201)?.json.id }]);
  const audit = await database().query(`SELECT FROM audit_log WHERE target_id = $1 AND action = 'api_key.rotated'`, [
    keyId,
  ]);
  expect(audit.rowCount).toBe(1);
}

describe('rotations of one API key at the same moment', () => {
  it('create one replacement: one 201 and one 409, in every round', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const old = await freshKey();
      await expectOneReplacement(old.id, await atOnce(rotations(old.id)));
    }
  });

  it('create one replacement when both wait for the row', async () => {
    const old = await freshKey();
    await expectOneReplacement(old.id, await inLineFor(old.id, rotations(old.id)));
  });

  it('check the key once they have the lock: a rotation that waited past the expiry gets key_expired', async () => {
    const old = await freshKey({ expiresAt: new Date(Date.now() + HOUR_MS).toISOString() });
    const client = await database().connect();
    await client.query('BEGIN');
    await client.query('UPDATE api_keys SET expires_at = clock_timestamp() WHERE id = $1', [old.id]);
    const rotation = throughNext<Problem>('POST', `${pathOf(old.id)}/rotate`, { ...asOwner(), body: {} });
    await untilLockWait(rotation);
    await client.query('COMMIT');
    client.release();
    expect((await rotation).json).toMatchObject({ status: 409, code: 'key_expired' });
  });
});

describe('rotating and revoking one API key at the same moment', () => {
  const rotate = (keyId: string) => () =>
    throughNext<Answered>('POST', `${pathOf(keyId)}/rotate`, { ...asOwner(), body: {} });
  const revoke = (keyId: string) => () => throughNode<Answered>('DELETE', pathOf(keyId), asOwner());
  const send = (apiKey: string) => throughNode('POST', '/api/v1/events', { apiKey, body: { type: 'a.b', data: {} } });

  /** In either order the key is revoked, and it has a replacement if and only if the rotation got 201. */
  async function expectConsistent(
    old: NewApiKey,
    rotated: TestResponse<Answered> | undefined,
    revoked: TestResponse<Answered> | undefined,
  ): Promise<void> {
    if (rotated === undefined || revoked === undefined) throw new Error('A request was not answered.');
    expect(revoked.status).toBe(204);
    expect([201, 409]).toContain(rotated.status);
    const { json } = await throughNext<ApiKey>('GET', pathOf(old.id), asOwner());
    const replacement = rotated.status === 201 ? rotated.json.id : null;
    expect(json).toMatchObject({ status: 'REVOKED', replacedById: replacement });
    if (replacement === null) expect(rotated.json.code).toBe('key_revoked');
    expect((await send(old.key)).json).toMatchObject({ status: 401, code: 'api_key_revoked' });
    if (replacement !== null) expect((await send(rotated.json.key)).status).toBe(202);
  }

  it('is consistent in either order, in every round', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const old = await freshKey();
      const [rotated, revoked] = await Promise.all([rotate(old.id)(), revoke(old.id)()]);
      await expectConsistent(old, rotated, revoked);
    }
  });

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
