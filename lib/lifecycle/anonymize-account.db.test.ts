import { expect, it } from 'vitest';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { itOnOneServer } from '@/tests/database/one-server';
import { useDatabase } from '@/tests/database/use-database';
import { insertAudit } from '@/tests/fixtures/audit';
import { registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { anonymizeAccount, sweepErasedAccounts } from './anonymize-account';
import { finishErasures } from './finish-erasures';
import { deleteSessions, SCRUBBED_ROWS, SESSION_ROWS } from './purge-sql';

useDatabase();

const atOnce = () => ({ endsAt: performance.now() + 20_000, isPaced: false });

it('the transaction alone removes what identifies the person, and workers scrub the audit log, in case the process dies after it', async () => {
  const person = await registerPerson({ name: 'Ada', organizationName: 'Engines' });
  const count = async (condition: string) =>
    (await database().query(`SELECT FROM ${condition}`, [person.userId])).rowCount;
  const identifying = [
    'sessions WHERE user_id = $1 AND coalesce(ip_address, user_agent, client_name) IS NOT NULL',
    `users WHERE id = $1 AND (name IS NOT NULL OR email LIKE '%@%')`,
    'user_tokens WHERE user_id = $1',
    'mails WHERE user_id = $1',
  ];
  for (const condition of identifying) expect(await count(condition), condition).toBeGreaterThan(0);
  await inSqlTransaction((tx) => anonymizeAccount(tx, person));
  for (const condition of identifying) expect(await count(condition), condition).toBe(0);
  const scrubbed = 'audit_log WHERE actor_id = $1 AND ip_address IS NOT NULL';
  expect(await count(scrubbed)).toBeGreaterThan(0);
  await finishErasures();
  expect(await count(scrubbed)).toBe(0);
});

it('identifying fields are removed from the details of audit entries, and other fields stay', async () => {
  const person = await registerPerson();
  const other = await registerPerson();
  const note = (actorId: string) =>
    database().query(
      `INSERT INTO audit_log (id, action, actor_type, actor_id, target_type, details)
       VALUES (gen_random_uuid(), 'session.created', 'USER', $1, 'probe', '{"email": "a@example.com", "method": "IDP"}')`,
      [actorId],
    );
  await note(person.userId);
  await note(other.userId);
  await sweepErasedAccounts([person.userId], atOnce());
  const { rows } = await database().query(`SELECT details FROM audit_log WHERE target_type = 'probe'`);
  expect(rows.map(({ details }: { details: object }) => details)).toEqual(
    expect.arrayContaining([{ method: 'IDP' }, { email: 'a@example.com', method: 'IDP' }]),
  );
});

it('a person is swept until requests from before the erasure have ended, at least once, and not again', async () => {
  const recent = await registerPerson();
  const late = await registerPerson();
  const erase = (person: TestPerson, minutesAgo: number) =>
    database().query('UPDATE users SET erased_at = now() - make_interval(mins => $2) WHERE id = $1', [
      person.userId,
      minutesAgo,
    ]);
  const sessionsOf = async ({ userId }: TestPerson) =>
    (await database().query('SELECT FROM sessions WHERE user_id = $1', [userId])).rowCount;
  const openSession = ({ userId }: TestPerson) =>
    database().query(
      `INSERT INTO sessions (id, user_id, method, expires_at) VALUES (gen_random_uuid(), $1, 'PASSWORD', now() + interval '1 day')`,
      [userId],
    );
  await erase(recent, 2);
  // No worker has run for a day.
  await erase(late, 24 * 60);
  for (const lateRows of [0, 1]) {
    await finishErasures();
    expect([await sessionsOf(recent), await sessionsOf(late)]).toEqual([0, lateRows]);
    await Promise.all([recent, late].map(openSession));
  }
});

itOnOneServer('one person who cannot be swept keeps no other from it', async () => {
  const stuck = await registerPerson();
  const free = await registerPerson();
  await database().query('UPDATE users SET erased_at = now() WHERE id = ANY($1)', [[stuck.userId, free.userId]]);
  await database().query('CREATE TABLE obstacle (session_id uuid REFERENCES sessions (id))');
  await database().query('INSERT INTO obstacle SELECT id FROM sessions WHERE user_id = $1', [stuck.userId]);
  const unswept = async () =>
    (await database().query('SELECT user_id FROM sessions WHERE user_id = ANY($1)', [[stuck.userId, free.userId]]))
      .rows;
  await finishErasures();
  expect(await unswept()).toEqual([{ user_id: stuck.userId }]);
  await database().query('DROP TABLE obstacle');
  await finishErasures();
  expect(await unswept()).toEqual([]);
});

itOnOneServer('a person whose sessions cannot be deleted has no address in the audit log', async () => {
  const stuck = await registerPerson();
  await database().query('UPDATE users SET erased_at = now() WHERE id = $1', [stuck.userId]);
  await database().query('CREATE TABLE obstacle (session_id uuid REFERENCES sessions (id))');
  await database().query('INSERT INTO obstacle SELECT id FROM sessions WHERE user_id = $1', [stuck.userId]);
  await finishErasures();
  await database().query('DROP TABLE obstacle');
  const left = (from: string) => database().query(`SELECT FROM ${from}`, [stuck.userId]);
  expect((await left('sessions WHERE user_id = $1')).rowCount).toBe(1);
  expect((await left('audit_log WHERE actor_id = $1 AND ip_address IS NOT NULL')).rowCount).toBe(0);
});

it('refresh tokens are deleted in batches, and none after the signal', async () => {
  const person = await registerPerson();
  const other = await registerPerson();
  const addTokens = ({ userId }: TestPerson) =>
    database().query(
      `INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at, spent_at)
       SELECT gen_random_uuid(), s.id, sha256(gen_random_uuid()::text::bytea), now(), now()
       FROM sessions s, generate_series(1, ${2 * SESSION_ROWS}) WHERE user_id = $1`,
      [userId],
    );
  const countOf = async ({ userId }: TestPerson) =>
    (
      await database().query('SELECT FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id WHERE user_id = $1', [
        userId,
      ])
    ).rowCount;
  await addTokens(person);
  const users = [person.userId];
  expect(await sweepErasedAccounts(users, { ...atOnce(), signal: AbortSignal.abort() })).toEqual([]);
  expect(await countOf(person)).toBe(2 * SESSION_ROWS + 1);
  expect(await deleteSessions[0]?.run(database(), { users })).toBe(SESSION_ROWS);
  expect(await sweepErasedAccounts(users, atOnce())).toEqual(users);
  expect(await countOf(person)).toBe(0);
  expect((await database().query('SELECT FROM sessions WHERE user_id = $1', users)).rowCount).toBe(0);
  expect(await countOf(other)).toBe(1);
});

it('an audit log of several batches is scrubbed, and none of it after the signal', async () => {
  const person = await registerPerson();
  await insertAudit({ organizationId: person.organizationId, count: 2 * SCRUBBED_ROWS + 1, actorId: person.userId });
  const withAddress = async () =>
    (await database().query('SELECT FROM audit_log WHERE actor_id = $1 AND ip_address IS NOT NULL', [person.userId]))
      .rowCount;
  const before = await withAddress();
  expect(await sweepErasedAccounts([person.userId], { ...atOnce(), signal: AbortSignal.abort() })).toEqual([]);
  expect(await withAddress()).toBe(before);
  expect(await sweepErasedAccounts([person.userId], atOnce())).toEqual([person.userId]);
  expect(await withAddress()).toBe(0);
});

it('a transaction scrubs at most 1,000 entries, since other requests wait for its connection', async () => {
  const { userId, organizationId } = await registerPerson();
  await insertAudit({ organizationId, count: 2_000, actorId: userId });
  await sweepErasedAccounts([userId], { endsAt: performance.now(), isPaced: false });
  const scrubbed = 'SELECT FROM audit_log WHERE actor_id = $1 AND ip_address IS NULL';
  expect((await database().query(scrubbed, [userId])).rowCount).toBeLessThanOrEqual(1_000);
  expect(await sweepErasedAccounts([userId], atOnce())).toEqual([userId]);
  expect((await database().query(scrubbed, [userId])).rowCount).toBeGreaterThanOrEqual(2_000);
});

it('a large audit log keeps no other person from being swept, and is scrubbed from where it was left', async () => {
  const busy = await registerPerson();
  const other = await registerPerson();
  await insertAudit({ organizationId: busy.organizationId, count: 2 * SCRUBBED_ROWS, actorId: busy.userId });
  const addressesOf = async ({ userId }: TestPerson) =>
    (await database().query('SELECT FROM audit_log WHERE actor_id = $1 AND ip_address IS NOT NULL', [userId])).rowCount;
  const sweep = () => sweepErasedAccounts([busy.userId, other.userId], { endsAt: performance.now(), isPaced: true });
  expect(await sweep()).toEqual([]);
  expect(await addressesOf(busy)).toBeGreaterThan(SCRUBBED_ROWS / 2);
  expect(await addressesOf(other)).toBe(0);
  expect(await sweep()).toEqual([other.userId]);
  while (!(await sweep()).includes(busy.userId));
  expect(await addressesOf(busy)).toBe(0);
});
