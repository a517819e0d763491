import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { useDatabase } from '@/tests/database/use-database';
import { makeKey, useProjects } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { touchKey } from './touch-key';

useDatabase();
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
  database().query('UPDATE api_keys SET last_used_at = now() - make_interval(secs => $2) WHERE id = $1', [
    keyId,
    seconds,
  ]);

beforeAll(async () => {
  await database().query(`
    CREATE TABLE noted_uses (key_id uuid);
    CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO noted_uses VALUES (NEW.id); RETURN NEW; END $$;
    CREATE TRIGGER note_write AFTER UPDATE OF last_used_at ON api_keys FOR EACH ROW EXECUTE FUNCTION note_write()`);
});

beforeEach(becomeAnotherProcess);

describe('the last use of a key', () => {
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
      touchKey(id);
    }
    await expectWrites(id, 1);
  });

  it('is written again once a minute has passed, not earlier', async () => {
    const { id } = await freshKey();
    await moveLastUse(id, 58);
    touchKey(id);
    expect(await writesOf(id)).toBe(1);
    becomeAnotherProcess();
    await moveLastUse(id, 61);
    touchKey(id);
    await expectWrites(id, 3);
  });

  it('is not queried again before the time that the database returned', async () => {
    const { id } = await freshKey();
    await moveLastUse(id, 58.5);
    touchKey(id);
    expect(await writesOf(id)).toBe(1);
    await expect
      .poll(async () => {
        touchKey(id);
        return writesOf(id);
      })
      .toBe(2);
  });
});
