import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database';
import { createPartitionsAhead } from './create-partitions';
import { BRANCHES, DAYS_AHEAD } from './partitions';

useDatabase();

const at = new Date('2026-02-27T23:59:59.999Z');
const days = DAYS_AHEAD + 1;

beforeEach(async () => {
  await database().query(`DO $$ DECLARE t text; BEGIN
    FOR t IN SELECT oid::regclass FROM pg_class WHERE relnamespace = 'partitions'::regnamespace AND relname ~ '_p\\d{8}$'
    AND relkind = 'r' LOOP EXECUTE 'DROP TABLE ' || t; END LOOP; END $$`);
  await database().query('DELETE FROM delivery_attempts');
});

async function addAttempt(createdAt: Date, succeeded = true) {
  await database().query(
    `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
     VALUES ($1, $1, $1, 1, $2, 5, $3, $2)`,
    [newId(), createdAt, succeeded],
  );
}

async function partitionsOfAttempts(): Promise<string[]> {
  const { rows } = await database().query(
    'SELECT tableoid::regclass::text AS name FROM delivery_attempts ORDER BY created_at',
  );
  return rows.map((row: { name: string }) => row.name);
}

describe('partitions ahead of time', () => {
  it('cover today and the next eight UTC days of every branch, over the end of a month', async () => {
    expect(await createPartitionsAhead(at)).toBe(BRANCHES.length * days);
    await addAttempt(at);
    await addAttempt(new Date(at.getTime() + 1), false);
    expect(await partitionsOfAttempts()).toEqual([
      'partitions.delivery_attempts_succeeded_p20260227',
      'partitions.delivery_attempts_failed_p20260228',
    ]);
  });

  it('are made once, also by several processes at the same moment', async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => createPartitionsAhead(at)));
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(BRANCHES.length * days);
    expect(await createPartitionsAhead(at)).toBe(0);
  });

  it('take the rows that had fallen into the default partition, without losing one', async () => {
    await addAttempt(at);
    await addAttempt(new Date(at.getTime() + DAY_MS));
    expect(await partitionsOfAttempts()).toEqual(Array(2).fill('partitions.delivery_attempts_succeeded_default'));
    await createPartitionsAhead(at);
    expect(await partitionsOfAttempts()).toEqual([
      'partitions.delivery_attempts_succeeded_p20260227',
      'partitions.delivery_attempts_succeeded_p20260228',
    ]);
  });

  it('leave rows of other days in the default partition', async () => {
    await addAttempt(new Date(at.getTime() - 3 * DAY_MS));
    await createPartitionsAhead(at);
    expect(await partitionsOfAttempts()).toEqual(['partitions.delivery_attempts_succeeded_default']);
  });
});
