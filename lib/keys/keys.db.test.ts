import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PersonCaller } from '@/lib/audit/caller';
import { HOUR_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { isAppError } from '@/lib/platform/errors';
import { setOnce } from '@/lib/platform/globals';
import { earlier } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { makeProject, registerPerson } from '@/tests/fixtures/people';
import { makeKey, useProjects } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { authenticateKey, touchKey } from './authenticate-key';
import { createKey, getKey, listKeys, revokeKey, rotateKey } from './keys';

useDatabase();
const CLIENT = { ipAddress: null, userAgent: null };
const FAR_HOURS = 10_000;

const callerOf = ({ userId, organizationId }: { userId: string; organizationId: string }): PersonCaller => ({
  type: 'person',
  userId,
  sessionId: userId,
  organizationId,
  role: 'OWNER',
  tokenExpiresAt: 0,
  client: CLIENT,
});

/** A model of a key, in hours of a clock that only the test moves. See docs/specification.md#api-keys. */
interface ModelKey {
  id: string;
  plaintext: string;
  ownEnd: number;
  rotatedAt: number | null;
  graceHours: number;
  revoked: boolean;
  replaces: ModelKey | null;
}

type Step =
  | { kind: 'create'; lifeHours: number | null }
  | { kind: 'rotate'; which: number; graceHours: number; lifeHours: number | null }
  | { kind: 'revoke'; which: number }
  | { kind: 'pass'; hours: number };

const lifeHours = fc.option(fc.integer({ min: 1, max: 60 }), { nil: null });
const which = fc.nat({ max: 7 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), lifeHours }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('rotate' as const),
      which,
      graceHours: fc.constantFrom(0, 1, 5, 24, 72),
      lifeHours,
    }),
  },
  fc.record({ kind: fc.constant('revoke' as const), which }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 30 }) }) },
);

const endOf = (key: ModelKey) =>
  Math.min(key.ownEnd, key.rotatedAt === null ? Number.POSITIVE_INFINITY : key.rotatedAt + key.graceHours);

/** Runs steps against the model and the database. Time passes by moving every time of the rows into the past. */
class Rotations {
  readonly keys: ModelKey[] = [];
  now = 0;
  readonly #caller: PersonCaller;
  readonly #projectId: string;

  constructor(caller: PersonCaller, projectId: string) {
    this.#caller = caller;
    this.#projectId = projectId;
  }

  async take(taken: Step): Promise<void> {
    if (taken.kind === 'create') return this.#create(taken.lifeHours);
    if (taken.kind === 'pass') return this.#pass(taken.hours);
    const key = this.keys[taken.which % Math.max(1, this.keys.length)];
    if (key === undefined) return undefined;
    if (taken.kind === 'rotate') return this.#rotate(key, taken.graceHours, taken.lifeHours);
    await revokeKey(this.#caller, this.#projectId, key.id, new Date());
    key.revoked = true;
    return undefined;
  }

  async #create(life: number | null): Promise<void> {
    const body = { name: 'key', scope: 'READ_WRITE' as const, expiresAt: this.#inHours(life) };
    this.#add(await createKey(this.#caller, this.#projectId, body, new Date()), life, null);
  }

  async #rotate(key: ModelKey, graceHours: number, life: number | null): Promise<void> {
    const body = { gracePeriodHours: graceHours, expiresAt: this.#inHours(life) };
    const made = await rotateKey(this.#caller, this.#projectId, key.id, body).catch(codeOf);
    const refusal =
      key.rotatedAt !== null
        ? 'key_already_rotated'
        : key.revoked
          ? 'key_revoked'
          : key.ownEnd <= this.now
            ? 'key_expired'
            : undefined;
    if (typeof made === 'string') {
      expect(made).toBe(refusal);
      return;
    }
    expect(refusal).toBeUndefined();
    Object.assign(key, { rotatedAt: this.now, graceHours });
    this.#add(made, life, key);
  }

  async #pass(hours: number): Promise<void> {
    this.now += hours;
    await database().query(
      `UPDATE api_keys SET ${['expires_at', 'rotated_at', 'grace_ends_at'].map((column) => earlier(column, `${hours} hours`)).join(', ')}
       WHERE project_id = $1`,
      [this.#projectId],
    );
  }

  #inHours(life: number | null): Date | null {
    return life === null ? null : new Date(Date.now() + life * HOUR_MS);
  }

  #add(made: { id: string; key: string }, life: number | null, replaces: ModelKey | null): void {
    const ownEnd = life === null ? FAR_HOURS : this.now + life;
    const times = { ownEnd, rotatedAt: null, graceHours: 0, revoked: false };
    this.keys.push({ id: made.id, plaintext: made.key, replaces, ...times });
  }

  async expectAgreement(): Promise<void> {
    const listed = await listKeys(this.#caller, this.#projectId, { limit: 100 }, new Date());
    expect(listed.data).toHaveLength(this.keys.length);
    for (const key of this.keys) {
      const found = await authenticateKey(key.plaintext, CLIENT, null).then(() => 'accepted', codeOf);
      const isOver = endOf(key) <= this.now;
      expect(found).toBe(key.revoked ? 'api_key_revoked' : isOver ? 'api_key_expired' : 'accepted');
      const shown = listed.data.find(({ id }) => id === key.id);
      const resting = key.rotatedAt === null ? 'ACTIVE' : 'ROTATING';
      expect(shown?.status).toBe(key.revoked ? 'REVOKED' : isOver ? 'EXPIRED' : resting);
      expect(shown?.replacesId).toBe(key.replaces?.id ?? null);
    }
  }

  /** The chains in the database: each first key with its replacements. */
  async chains(): Promise<{ unrotated: number; tail_is_unrotated: boolean }[]> {
    const { rows } = await database().query(
      `WITH RECURSIVE chain AS (
         SELECT id AS root, id, rotated_at, 0 AS depth FROM api_keys WHERE project_id = $1 AND replaces_id IS NULL
         UNION ALL
         SELECT c.root, k.id, k.rotated_at, c.depth + 1 FROM api_keys k JOIN chain c ON k.replaces_id = c.id)
       SELECT count(*) FILTER (WHERE rotated_at IS NULL)::int AS unrotated,
              (array_agg(rotated_at IS NULL ORDER BY depth DESC))[1] AS tail_is_unrotated
       FROM chain GROUP BY root`,
      [this.#projectId],
    );
    return rows;
  }
}

function codeOf(error: unknown): string {
  if (isAppError(error)) return error.code;
  throw error;
}

describe('after any sequence of rotations, revocations and waits', () => {
  it('no key outlives its expiry or its grace period, and only the last key of a chain is unrotated', async () => {
    const owner = await registerPerson();
    const caller = callerOf(owner);
    const sequence = fc.array(step, { minLength: 4, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        const rotations = new Rotations(caller, (await makeProject(owner)).id);
        for (const taken of [{ kind: 'create', lifeHours: null } as const, ...steps]) {
          await rotations.take(taken);
          await rotations.expectAgreement();
        }
        const chains = await rotations.chains();
        expect(chains).toHaveLength(rotations.keys.filter(({ replaces }) => replaces === null).length);
        for (const chain of chains) expect(chain).toEqual({ unrotated: 1, tail_is_unrotated: true });
      }),
      { numRuns: 40 },
    );
  });
});

describe('the last use of a key', () => {
  const projects = useProjects();

  /** The uses that a process remembers; clearing them makes this process act like another one. */
  const becomeAnotherProcess = () => setOnce('touched-keys', undefined);

  const statementsUnderWay = async () => {
    const { rows } = await database().query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`,
    );
    return rows[0]?.count;
  };

  async function writesOf(keyId: string): Promise<number> {
    await expect.poll(statementsUnderWay).toBe(0);
    const { rowCount } = await database().query('SELECT FROM noted_uses WHERE key_id = $1', [keyId]);
    return rowCount ?? 0;
  }

  /** Waits for the given number of writes, and until no further one is running. */
  async function expectWrites(keyId: string, count: number): Promise<void> {
    await expect.poll(() => writesOf(keyId)).toBe(count);
    expect(await writesOf(keyId)).toBe(count);
  }

  const moveLastUse = (keyId: string, seconds: number) =>
    database().query(
      `INSERT INTO key_uses (key_id, last_used_at) VALUES ($1, now() - make_interval(secs => $2))
       ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at`,
      [keyId, seconds],
    );

  beforeAll(async () => {
    await database().query(`
    CREATE TABLE noted_uses (key_id uuid);
    CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO noted_uses VALUES (NEW.key_id); RETURN NEW; END $$;
    CREATE TRIGGER note_write AFTER INSERT OR UPDATE ON key_uses FOR EACH ROW EXECUTE FUNCTION note_write()`);
  });

  beforeEach(becomeAnotherProcess);

  const freshKey = () => makeKey(projects.mine.id, projects.mine.owner, { name: 'busy' });

  it.each(useAdapters())('is written once a minute, however many events the key sends %s', async (_name, call) => {
    const { id, key } = await freshKey();
    const send = () => call('POST', '/api/v1/events', { apiKey: key, body: { type: 'a.b', data: {} } });
    for (let round = 0; round < 3; round++) {
      const sent = await Promise.all(Array.from({ length: 60 }, send));
      expect(sent.every(({ status }) => status === 202)).toBe(true);
    }
    await expectWrites(id, 1);
  });

  it('is written once a minute by all processes together', async () => {
    const { id } = await freshKey();
    for (let process = 0; process < 20; process++) {
      becomeAnotherProcess();
      touchKey(id, null);
    }
    await expectWrites(id, 1);
  });

  it('is written again once a minute has passed, not earlier', async () => {
    const { id } = await freshKey();
    await moveLastUse(id, 58);
    touchKey(id, null);
    expect(await writesOf(id)).toBe(1);
    becomeAnotherProcess();
    await moveLastUse(id, 61);
    touchKey(id, null);
    await expectWrites(id, 3);
  });

  it('is not queried again before the time that the database returned', async () => {
    const { id } = await freshKey();
    await moveLastUse(id, 58.5);
    touchKey(id, null);
    expect(await writesOf(id)).toBe(1);
    await expect
      .poll(async () => {
        touchKey(id, null);
        return writesOf(id);
      })
      .toBe(2);
  });

  const storedUse = async (keyId: string) => {
    const { rows } = await database().query<{ at: Date | null; address: string | null }>(
      'SELECT last_used_at AS at, last_used_from AS address FROM key_uses WHERE key_id = $1',
      [keyId],
    );
    return rows[0];
  };

  it('is written at once from a new address, and once a minute for addresses that take turns', async () => {
    const { id } = await freshKey();
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2']) touchKey(id, address);
    await expectWrites(id, 2);
    becomeAnotherProcess();
    touchKey(id, '192.0.2.3');
    await expectWrites(id, 3);
    expect((await storedUse(id))?.address).toBe('192.0.2.3');
  });

  it('is shown with the uses that are not written yet, and written with them before a revocation', async () => {
    const { id } = await freshKey();
    const caller = callerOf(projects.mine.owner);
    touchKey(id, '192.0.2.1');
    await expectWrites(id, 1);
    touchKey(id, '192.0.2.2');
    await expectWrites(id, 2);
    const before = Date.now();
    touchKey(id, '192.0.2.1');
    const shown = await getKey(caller, projects.mine.id, id, new Date());
    expect(shown.lastUsedFrom).toBe('192.0.2.1');
    expect(Date.parse(shown.lastUsedAt ?? '')).toBeGreaterThanOrEqual(before);
    expect((await storedUse(id))?.address).toBe('192.0.2.2');
    await revokeKey(caller, projects.mine.id, id, new Date());
    expect(await storedUse(id)).toEqual({ at: new Date(shown.lastUsedAt ?? ''), address: '192.0.2.1' });
  });

  it('is written at the end of the minute when nothing uses the key again', async () => {
    const { id } = await freshKey();
    await moveLastUse(id, 59);
    touchKey(id, null);
    await expectWrites(id, 1);
    touchKey(id, null);
    const last = Date.now();
    await expectWrites(id, 2);
    expect((await storedUse(id))?.at?.getTime()).toBeLessThanOrEqual(last);
  });
});
