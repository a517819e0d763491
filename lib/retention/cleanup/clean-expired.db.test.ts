import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { config } from '@/lib/platform/config/config';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { CleanedTable } from '@/lib/retention/jobs/job-run';
import { useDatabase } from '@/tests/database/use-database';
import { insertProject } from '@/tests/fixtures/deliveries';
import { registerPerson } from '@/tests/fixtures/people';
import { readRun, runStep, startTestRun, type TestRunOptions } from '@/tests/retention/test-run';
import { cleanExpired } from './clean-expired';

useDatabase();

const now = new Date('2028-03-01T02:00:00.000Z');
const later = addMs(now, 1);
const never = new Date('2100-01-01T00:00:00Z');

beforeEach(async () => {
  await database().query(
    'TRUNCATE sessions, refresh_tokens, user_tokens, device_codes, invitations, login_lockouts, rate_limits, retention_runs, metric_counters',
  );
});

const clean = (options: TestRunOptions = {}) => runStep(cleanExpired, { now, ...options });

const insert = (table: CleanedTable, row: Record<string, unknown>) => {
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
  rate_limits: (dates: { expire: number | null }) => insert('rate_limits', { key: newId(), ...dates }),
};

const hourAgo = addMs(now, -HOUR_MS);
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
    await database().query('TRUNCATE sessions, refresh_tokens, user_tokens, rate_limits');
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

  it('is removed in batches, all in one run', async () => {
    for (let n = 0; n < 8; n += 1) await INSERT.rate_limits({ expire: 0 });
    await INSERT.rate_limits({ expire: null });
    expect(await clean({ policy: { batchSize: 3 } })).toEqual({ rate_limits: 8 });
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

  it('is counted by a preview, which changes nothing', async () => {
    for (const [, table, expired, stays] of BOUNDARIES) {
      await INSERT[table](expired as never);
      await INSERT[table](stays as never);
    }
    const run = await startTestRun({ now });
    const preview = await cleanExpired.preview(run);
    await cleanExpired.clean(run);
    const removed = (await readRun(run)).rows_removed;
    const nothing = { sessions: 0, refresh_tokens: 0, retention_runs: 0, stats: 0, stored_bytes: 0 };
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
