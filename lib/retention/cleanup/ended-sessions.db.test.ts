import { beforeEach, describe, expect, it } from 'vitest';
import type { SignedIn } from '@/lib/auth/schema';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { sha256 } from '@/lib/platform/crypto';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { refreshTokenOf, registerPerson, signInAgain } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import { readRun, startTestRun, type TestRunOptions } from '@/tests/retention/test-run';
import { cleanExpired } from './clean-expired';

useDatabase();

beforeEach(() => database().query('TRUNCATE sessions, refresh_tokens, retention_runs, metric_counters'));

async function clean(options: TestRunOptions = {}) {
  const run = await startTestRun({ now: addMs(new Date(), 1000), ...options });
  const preview = await cleanExpired.preview(run);
  await cleanExpired.clean(run);
  const { sessions = 0, refresh_tokens = 0 } = (await readRun(run)).rows_removed;
  return { sessions, refresh_tokens, preview: preview.rows };
}

const refresh = (token: string) => call<SignedIn>('POST', '/api/v1/auth/refresh', { cookie: `refresh_token=${token}` });
const setSession = (token: string, set: string) =>
  database().query(
    `UPDATE sessions SET ${set} WHERE id = (SELECT session_id FROM refresh_tokens WHERE token_hash = $1)`,
    [sha256(token)],
  );
/** Spends the token, long enough ago that its reuse does not count as a race of two tabs. */
async function spend(token: string): Promise<string> {
  const next = refreshTokenOf(await refresh(token)) ?? '';
  await database().query(
    `UPDATE refresh_tokens SET spent_at = spent_at - interval '1 hour' WHERE spent_at IS NOT NULL`,
  );
  return next;
}

describe('a session', () => {
  it.each([
    ['has expired', `expires_at = now()`],
    ['was closed', `closed_at = now()`],
  ])('that %s is removed with all its refresh tokens, and a live one stays', async (_, set) => {
    const person = await registerPerson();
    const ended = await signInAgain(person);
    const last = await spend(await spend(ended.refreshToken));
    await setSession(last, set);
    const result = await clean();
    expect(result).toMatchObject({ sessions: 1, refresh_tokens: 3 });
    expect(result.preview).toMatchObject({ sessions: 1, refresh_tokens: 3 });
    expect((await refresh(person.refreshToken)).status).toBe(200);
    const refused = await refresh(last);
    expect([refused.status, (refused.json as unknown as { code: string }).code]).toEqual([
      401,
      'invalid_refresh_token',
    ]);
    const me = await call('GET', '/api/v1/auth/me', { bearer: ended.accessToken });
    expect([me.status, me.json.code]).toEqual([401, 'unauthenticated']);
  });

  it('that ends a millisecond after the time of the run stays', async () => {
    const now = new Date();
    await registerPerson();
    await database().query('UPDATE sessions SET expires_at = $1', [addMs(now, 1)]);
    expect(await clean({ now })).toMatchObject({ sessions: 0, refresh_tokens: 0 });
    expect(await clean({ now: addMs(now, 1) })).toMatchObject({ sessions: 1, refresh_tokens: 1 });
  });

  it('that is live is closed by the reuse of a spent token that has expired', async () => {
    const person = await registerPerson();
    const next = await spend(person.refreshToken);
    await database().query(
      `UPDATE refresh_tokens SET expires_at = now() - interval '3 days' WHERE spent_at IS NOT NULL`,
    );
    expect(await clean()).toMatchObject({ sessions: 0, refresh_tokens: 0 });
    const replay = await refresh(person.refreshToken);
    expect([replay.status, (replay.json as unknown as { code: string }).code]).toEqual([401, 'refresh_superseded']);
    expect((await refresh(next)).status).toBe(401);
  });

  it('with more tokens than a batch is removed in one run, and counted once when two runs work at once', async () => {
    const { refreshToken } = await registerPerson();
    await database().query(
      `INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
       SELECT gen_random_uuid(), session_id, sha256(n::text::bytea), expires_at FROM refresh_tokens, generate_series(1, 20) n`,
    );
    await registerPerson();
    await setSession(refreshToken, 'closed_at = now()');
    const results = await Promise.all([clean({ policy: { batchSize: 3 } }), clean({ policy: { batchSize: 3 } })]);
    expect(results.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(1);
    expect(results.reduce((sum, { refresh_tokens }) => sum + refresh_tokens, 0)).toBe(21);
    expect((await database().query('SELECT FROM sessions')).rowCount).toBe(1);
  });

  it('whose token is being spent stays until the next run, without waiting', async () => {
    const { refreshToken } = await registerPerson();
    await setSession(refreshToken, `closed_at = now() - interval '1 day'`);
    // A run that waited would give up before this transaction ends.
    await inSqlTransaction(async (tx) => {
      await tx.query('SELECT FROM refresh_tokens FOR UPDATE');
      expect(await clean()).toMatchObject({ sessions: 0, refresh_tokens: 0 });
    });
    expect(await clean()).toMatchObject({ sessions: 1, refresh_tokens: 1 });
  });

  it.each([
    ['have expired', `expires_at = now() - nth * interval '1 minute'`],
    ['expired at one moment', `expires_at = now()`],
    ['were closed', `closed_at = now() - nth * interval '1 minute'`],
  ])('that another transaction has locked does not keep others that %s, even with small batches', async (_, set) => {
    for (let n = 0; n < 7; n += 1) await registerPerson();
    // With several tokens each, so that some sessions take more than a batch.
    await database().query(
      `INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
       SELECT gen_random_uuid(), session_id, sha256((id::text || n)::bytea), expires_at FROM refresh_tokens, generate_series(1, 4) n`,
    );
    await database().query(
      `UPDATE sessions SET ${set} FROM (SELECT id, row_number() OVER (ORDER BY id) AS nth FROM sessions) numbered
       WHERE numbered.id = sessions.id`,
    );
    await inSqlTransaction(async (tx) => {
      // One token of each of the first two sessions and of the last two.
      await tx.query(
        `SELECT FROM refresh_tokens WHERE id IN (SELECT DISTINCT ON (session_id) id FROM refresh_tokens
           WHERE session_id IN (SELECT id FROM sessions ORDER BY id LIMIT 2)
              OR session_id IN (SELECT id FROM sessions ORDER BY id DESC LIMIT 2)) FOR UPDATE`,
      );
      expect(await clean({ policy: { batchSize: 2 } })).toMatchObject({ sessions: 3, refresh_tokens: 7 * 5 - 4 });
    });
    expect(await clean({ policy: { batchSize: 2 } })).toMatchObject({ sessions: 4, refresh_tokens: 4 });
  });

  it('that ends while its tokens are refreshed is removed in the end, without an error', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => registerPerson()));
    let isOver = false;
    const cleaning = (async () => {
      while (!isOver) await clean({ now: addMs(new Date(), DAY_MS / 24) });
    })();
    const statuses = await Promise.all(
      people.map(async ({ refreshToken, accessToken }) => {
        const renewed = await refresh(refreshToken);
        const [again, logout] = await Promise.all([
          refresh(refreshTokenOf(renewed) ?? ''),
          call('POST', '/api/v1/auth/logout', { bearer: accessToken }),
        ]);
        return [renewed.status, again.status, logout.status];
      }),
    );
    isOver = true;
    await cleaning;
    for (const [renewed, again, logout] of statuses) {
      expect(renewed).toBe(200);
      expect([200, 401]).toContain(again);
      expect(logout).toBe(204);
    }
    await clean();
    expect((await database().query('SELECT FROM refresh_tokens')).rowCount).toBe(0);
  });
});
