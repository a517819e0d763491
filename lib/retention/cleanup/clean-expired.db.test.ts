import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { SignedIn } from '@/lib/auth/schema';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { sha256 } from '@/lib/platform/crypto';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { CleanedTable, CleanupStep } from '@/lib/retention/jobs/job-run';
import { count } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents, insertProject } from '@/tests/fixtures/deliveries';
import { insertIncomingEvents } from '@/tests/fixtures/incoming-events';
import { refreshTokenOf, registerPerson, signInAgain } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';
import { readRun, runStep, startTestRun, type TestRunOptions } from '@/tests/retention/test-run';
import { cleanExpired, cleanShared } from './clean-expired';
import { deletedEndpoints } from './expired-sql';

useDatabase();

const now = new Date('2028-03-01T02:00:00.000Z');
const later = addMs(now, 1);
const never = new Date('2100-01-01T00:00:00Z');

beforeEach(async () => {
  await database().query(
    'TRUNCATE sessions, refresh_tokens, user_tokens, mails, device_codes, portal_sessions, endpoint_disabled_periods, invitations, login_lockouts, rate_limits, retention_runs, metric_counters',
  );
});

/** What expires in a cell, and what expires in the tables that all share. */
const both: CleanupStep = {
  name: 'both',
  async clean(run) {
    await cleanExpired.clean(run);
    await cleanShared.clean(run);
  },
  preview: async (run) => ({
    rows: { ...(await cleanExpired.preview(run)).rows, ...(await cleanShared.preview(run)).rows },
  }),
};

const clean = (options: TestRunOptions = {}) => runStep(both, { now, ...options });

const insert = (table: CleanedTable | 'customers' | 'incoming_event_replays', row: Record<string, unknown>) => {
  const columns = Object.keys(row);
  const values = columns.map((_, index) => `$${index + 1}`);
  return database().query(`INSERT INTO ${table} (${columns}) VALUES (${values})`, Object.values(row));
};
const owner = async () => {
  const { rows } = await database().query<{ id: string; organization_id: string }>(
    'SELECT user_id AS id, organization_id FROM memberships LIMIT 1',
  );
  return rows[0] ?? { id: '', organization_id: '' };
};
const bytes = () => Buffer.from(newId());

/** Inserts a row, by what decides whether it expires. */
const INSERT = {
  user_tokens: async (dates: { expires_at: Date; used_at?: Date }) =>
    insert('user_tokens', {
      id: newId(),
      user_id: (await owner()).id,
      purpose: 'VERIFY_EMAIL',
      token_hash: bytes(),
      ...dates,
    }),
  device_codes: (dates: { expires_at: Date }) =>
    insert('device_codes', { id: newId(), device_code_hash: bytes(), user_code_hash: bytes(), ...dates }),
  portal_sessions: async (dates: { expires_at: Date }) => {
    const customer = { id: newId(), project_id: await insertProject(), uid: `c-${newId()}` };
    await insert('customers', customer);
    await insert('portal_sessions', {
      id: newId(),
      project_id: customer.project_id,
      customer_id: customer.id,
      permissions: 'READ',
      session_seconds: 300,
      link_hash: bytes(),
      ...dates,
    });
  },
  endpoint_disabled_periods: async (dates: { ends_at: Date | null }) =>
    insert('endpoint_disabled_periods', {
      endpoint_id: (await insertEndpoint({ url: 'http://127.0.0.1:9' })).id,
      starts_at: addMs(now, -900 * DAY_MS),
      ...dates,
    }),
  invitations: async (dates: { expires_at: Date; accepted_at?: Date }) =>
    insert('invitations', {
      id: newId(),
      organization_id: (await owner()).organization_id,
      email: 'ada@example.com',
      role: 'VIEWER',
      token_hash: bytes(),
      ...dates,
    }),
  login_lockouts: (dates: { last_failed_at: Date; locked_until: Date | null }) =>
    insert('login_lockouts', { address_hash: bytes(), ...dates }),
  mails: (dates: { status: 'DEAD' | 'PENDING'; dead_at: Date | null }) =>
    insert('mails', { id: newId(), payload_encrypted: bytes(), ...dates }),
  rate_limits: (dates: { expire: number | null }) => insert('rate_limits', { key: newId(), ...dates }),
};

const hourAgo = addMs(now, -HOUR_MS);
const dayAgo = addMs(now, -DAY_MS);
const eventsUntil = addMs(now, -config().DATA_RETENTION_EVENTS_DAYS * DAY_MS);
const deadUntil = addMs(now, -config().OUTBOX_DEAD_RETENTION_DAYS * DAY_MS);
const quarterAgo = addMs(now, -15 * MINUTE_MS);

/** Each kind of row that expires, with one that expires a moment later. */
const BOUNDARIES: [what: string, table: keyof typeof INSERT, expired: object, stays: object][] = [
  ['a link that has expired', 'user_tokens', { expires_at: now }, { expires_at: later }],
  ['a link that was used', 'user_tokens', { expires_at: never, used_at: now }, { expires_at: never, used_at: later }],
  [
    'a device code a quarter of an hour after its end',
    'device_codes',
    { expires_at: quarterAgo },
    { expires_at: addMs(quarterAgo, 1) },
  ],
  ['a portal session a day after its end', 'portal_sessions', { expires_at: dayAgo }, { expires_at: addMs(dayAgo, 1) }],
  [
    'a time in which an endpoint was disabled, with the events of it',
    'endpoint_disabled_periods',
    { ends_at: eventsUntil },
    { ends_at: addMs(eventsUntil, 1) },
  ],
  [
    'a mail that was given up, with dead rows of the outbox',
    'mails',
    { status: 'DEAD', dead_at: deadUntil },
    { status: 'DEAD', dead_at: addMs(deadUntil, 1) },
  ],
  ['a mail that is still tried', 'mails', { status: 'DEAD', dead_at: deadUntil }, { status: 'PENDING', dead_at: null }],
  ['an endpoint that is disabled still', 'endpoint_disabled_periods', { ends_at: eventsUntil }, { ends_at: null }],
  ['an invitation that has expired', 'invitations', { expires_at: now }, { expires_at: later }],
  [
    'an invitation that was accepted',
    'invitations',
    { expires_at: never, accepted_at: now },
    { expires_at: never, accepted_at: later },
  ],
  [
    'failures older than the window in which they count',
    'login_lockouts',
    { last_failed_at: hourAgo, locked_until: now },
    { last_failed_at: addMs(hourAgo, 1), locked_until: null },
  ],
  [
    'a lockout that is over',
    'login_lockouts',
    { last_failed_at: hourAgo, locked_until: null },
    { last_failed_at: hourAgo, locked_until: later },
  ],
  [
    'a rate limit an hour after its window',
    'rate_limits',
    { expire: hourAgo.getTime() },
    { expire: hourAgo.getTime() + 1 },
  ],
  ['a rate limit with an end, unlike one without,', 'rate_limits', { expire: 0 }, { expire: null }],
];

describe('a row with its own expiry', () => {
  beforeEach(async () => {
    await registerPerson();
    await database().query('TRUNCATE sessions, refresh_tokens, user_tokens, mails, rate_limits');
  });

  it.each(BOUNDARIES)('%s is removed, and a moment earlier it stays', async (_, table, expired, stays) => {
    await INSERT[table](expired as never);
    await INSERT[table](stays as never);
    expect(await clean()).toEqual({ [table]: 1 });
    const { rows } = await database().query(`SELECT * FROM ${table}`);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject(
      Object.fromEntries(
        Object.entries(stays).map(([key, value]) => [key, typeof value === 'number' ? String(value) : value]),
      ),
    );
  });

  it('stays while another transaction has locked it', async () => {
    await INSERT.invitations({ expires_at: now });
    await INSERT.invitations({ expires_at: now });
    await inSqlTransaction(async (tx) => {
      await tx.query('SELECT FROM invitations LIMIT 1 FOR UPDATE');
      expect(await clean()).toEqual({ invitations: 1 });
    });
    expect(await clean()).toMatchObject({ invitations: 1 });
  });

  it('is removed although another table could not be cleaned, and the step fails', async () => {
    await INSERT.user_tokens({ expires_at: now });
    await INSERT.device_codes({ expires_at: quarterAgo });
    await database().query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
       CREATE TRIGGER refuse BEFORE DELETE ON user_tokens EXECUTE FUNCTION refuse()`,
    );
    onTestFinished(() =>
      database()
        .query('DROP FUNCTION refuse CASCADE')
        .then(() => undefined),
    );
    await expect(clean()).rejects.toThrow('refused');
    expect(await count('SELECT FROM user_tokens')).toBe(1);
    expect(await count('SELECT FROM device_codes')).toBe(0);
  });

  it('is removed although a row before it is kept by the guard of an organization that has moved', async () => {
    for (let n = 0; n < 3; n++) await INSERT.portal_sessions({ expires_at: dayAgo });
    const { rows } = await database().query<{ id: string }>('SELECT id FROM portal_sessions LIMIT 1');
    await database().query(`CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`);
    await database().query(`CREATE TRIGGER keep BEFORE DELETE ON portal_sessions FOR EACH ROW
        WHEN (OLD.id = '${rows[0]?.id}') EXECUTE FUNCTION keep()`);
    onTestFinished(() =>
      database()
        .query('DROP FUNCTION keep CASCADE')
        .then(() => undefined),
    );
    expect(await clean({ policy: { batchSize: 2 } })).toEqual({ portal_sessions: 2 });
    expect(await count('SELECT FROM portal_sessions')).toBe(1);
  });

  it('is counted by a preview, which changes nothing', async () => {
    for (const [, table, expired, stays] of BOUNDARIES) {
      await INSERT[table](expired as never);
      await INSERT[table](stays as never);
    }
    const run = await startTestRun({ now });
    const preview = await both.preview(run);
    await both.clean(run);
    const removed = (await readRun(run)).rows_removed;
    const ended = { sessions: 0, refresh_tokens: 0, retention_runs: 0, stats: 0, stored_bytes: 0 };
    const nothing = { ...ended, endpoints: 0, sources: 0, destinations: 0 };
    expect(preview).toEqual({ rows: { ...nothing, ...removed } });
    expect(Object.values(removed).reduce((sum, count) => sum + count, 0)).toBe(BOUNDARIES.length);
  });
});

describe('the record of runs', () => {
  const runs = async () =>
    (
      await database().query<{ job: string; n: number }>(
        'SELECT job, count(*)::int AS n FROM retention_runs GROUP BY 1 ORDER BY 1',
      )
    ).rows;
  const insertRun = (job: string, at: Date) =>
    insert('retention_runs', { id: newId(), job, started_at: at, created_at: at });

  it('goes back 90 days, and keeps the last run of each job, however old it is', async () => {
    const until = addMs(now, -90 * DAY_MS);
    await insertRun('cap', addMs(until, -DAY_MS));
    await insertRun('cap', until);
    await insertRun('main', until);
    await insertRun('main', addMs(until, 1));
    expect(await clean({ job: 'burst' })).toEqual({ retention_runs: 2 });
    expect(await runs()).toEqual([
      { job: 'burst', n: 1 },
      { job: 'cap', n: 1 },
      { job: 'main', n: 1 },
    ]);
  });

  it('removes statistics when their period is no longer kept, and no others', async () => {
    const projectId = await insertProject();
    const insertStat = (period: string, subjectId: string, hours: number) =>
      database().query(
        `INSERT INTO stats (project_id, period, subject_id, starts_at)
         VALUES ($1, $2::"StatPeriod", $3, $4)`,
        [projectId, period, subjectId, addMs(now, -hours * HOUR_MS)],
      );
    const targetId = newId();
    for (const [period, subjectId, hours] of [
      ['MINUTE', projectId, 49],
      ['HOUR', projectId, 840],
      ['HOUR', targetId, 49],
      ['DAY', targetId, 840],
    ] as const) {
      await insertStat(period, subjectId, hours - 1);
      await insertStat(period, subjectId, hours + 1);
    }
    expect(await clean()).toMatchObject({ stats: 4 });
    const left = await database().query<{ hours: number }>(
      'SELECT extract(epoch FROM $2 - starts_at)::int / 3600 AS hours FROM stats WHERE project_id = $1 ORDER BY 1',
      [projectId, now],
    );
    expect(left.rows.map(({ hours }) => hours)).toEqual([48, 48, 839, 839]);
    await database().query('DELETE FROM stats WHERE project_id = $1', [projectId]);
  });

  it('removes the bytes of days from which nothing is kept, and no others', async () => {
    const projectId = await insertProject();
    const kept = Math.max(config().DATA_RETENTION_EVENTS_DAYS, config().DATA_RETENTION_ATTEMPTS_DAYS);
    for (const days of [0, kept, kept + 1]) {
      const at = addMs(now, -days * DAY_MS);
      await database().query(
        `INSERT INTO stored_bytes (project_id, day) VALUES ($1, ($2::timestamptz AT TIME ZONE 'UTC')::date)`,
        [projectId, at],
      );
    }
    expect(await clean()).toMatchObject({ stored_bytes: 1 });
    expect((await database().query('DELETE FROM stored_bytes WHERE project_id = $1', [projectId])).rowCount).toBe(2);
  });
});

describe('a session', () => {
  beforeEach(() => database().query('TRUNCATE sessions, refresh_tokens, retention_runs, metric_counters'));

  async function clean(options: TestRunOptions = {}) {
    const run = await startTestRun({ now: addMs(new Date(), 1000), ...options });
    const preview = await both.preview(run);
    await both.clean(run);
    const { sessions = 0, refresh_tokens = 0 } = (await readRun(run)).rows_removed;
    return { sessions, refresh_tokens, preview: preview.rows };
  }

  const refresh = (token: string) =>
    call<SignedIn>('POST', '/api/v1/auth/refresh', { cookie: `refresh_token=${token}` });
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

describe('a deleted endpoint, source or destination', () => {
  const dayAgo = addMs(now, -DAY_MS);
  const lately = addMs(dayAgo, 1);
  const url = 'https://shop.example/hook';
  const NO_ID = '00000000-0000-0000-0000-000000000000';

  it('is removed a day later, and stays while something refers to it', async () => {
    const project_id = await insertProject();
    const make = async (
      table: 'endpoints' | 'sources' | 'destinations',
      deleted_at: Date | null,
      source_id?: string,
    ) => {
      const id = newId();
      const own = {
        endpoints: { url },
        sources: { name: 'Shop', provider: 'GITHUB', token_hash: bytes(), token_encrypted: bytes() },
        destinations: { url, source_id },
      };
      await insert(table, { id, project_id, deleted_at, ...own[table] });
      return id;
    };
    const [, newEndpoint, live, delivered] = await Promise.all([
      make('endpoints', dayAgo),
      make('endpoints', lately),
      make('endpoints', null),
      make('endpoints', dayAgo),
    ]);
    const [event] = await insertEvents(project_id, 1);
    await insert('deliveries', { id: newId(), project_id, endpoint_id: delivered, event_id: event, status: 'FAILED' });
    const source = await make('sources', dayAgo);
    const received = await make('sources', dayAgo);
    await insertIncomingEvents({ id: received, projectId: project_id }, 1);
    await make('destinations', dayAgo, source);
    const replayed = await make('destinations', dayAgo, received);
    await insert('incoming_event_replays', {
      id: newId(),
      project_id,
      source_id: received,
      destination_id: replayed,
      created_to: now,
      total: 0,
    });

    expect(await clean()).toEqual({ endpoints: 1, destinations: 1 });
    expect(await clean()).toMatchObject({ sources: 1 });
    const idsOf = async (table: string) =>
      (await database().query(`SELECT id FROM ${table} WHERE project_id = $1 ORDER BY id`, [project_id])).rows.map(
        ({ id }) => id,
      );
    expect(await idsOf('endpoints')).toEqual([newEndpoint, live, delivered].sort());
    expect(await idsOf('sources')).toEqual([received]);
    expect(await idsOf('destinations')).toEqual([replayed]);
  });

  it('is looked at once in a run: each batch begins after the last one, and the next run at the oldest', async () => {
    await database().query('TRUNCATE deliveries');
    await clean();
    const project_id = await insertProject();
    const [event] = await insertEvents(project_id, 1);
    const [kept = '', ...others] = [newId(), newId(), newId()].sort();
    for (const id of [kept, ...others]) await insert('endpoints', { id, project_id, deleted_at: dayAgo, url });
    await insert('deliveries', { id: newId(), project_id, endpoint_id: kept, event_id: event, status: 'FAILED' });
    const removeAfter = (time: string, id: string) =>
      deletedEndpoints.removeAfter.one(database(), { until: dayAgo, afterTime: time, afterId: id, limit: 1 });
    const first = await removeAfter('-infinity', NO_ID);
    expect(first).toMatchObject({ removed: 1, cursor: { id: others[0] } });
    await database().query('TRUNCATE deliveries');
    const { time = '', id = '' } = first.cursor ?? {};
    expect(await removeAfter(time, id)).toMatchObject({ removed: 1, cursor: { id: others[1] } });
    expect(await clean({ policy: { batchSize: 1 } })).toMatchObject({ endpoints: 1 });
  });
});
