import { expect, it, onTestFinished } from 'vitest';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { readMigrations } from '@/lib/platform/migrate/migrations';
import { makeEmptyDatabase, queryOnce } from '@/tests/database/empty-database';

it('a migration keeps every attempt, in the partition of its outcome and day, where it had one', async () => {
  const empty = makeEmptyDatabase();
  await empty.create();
  onTestFinished(() => void empty.drop());
  const before = readMigrations('prisma/migrations').filter(({ name }) => name <= '20261129050000_cell_moves');
  await applyMigrations(empty.url, { names: new Set(before.map(({ name }) => name)) });
  const insert = (succeeded: boolean, at: string) =>
    queryOnce(
      empty.url,
      `INSERT INTO cell_00.delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
       VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, '${at}', 5, ${succeeded}, '${at}')`,
    );
  for (const outcome of ['succeeded', 'failed']) {
    await queryOnce(
      empty.url,
      `CREATE TABLE cell_00.delivery_attempts_${outcome}_p20261130 PARTITION OF cell_00.delivery_attempts_${outcome}
       FOR VALUES FROM ('2026-11-30') TO ('2026-12-01')`,
    );
    for (const at of ['2026-11-30T00:00:00Z', '2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00Z']) {
      await insert(outcome === 'succeeded', at);
    }
  }
  await applyMigrations(empty.url);
  const rows = await queryOnce(
    empty.url,
    `SELECT tableoid::regclass::text AS name, succeeded, count(*)::int AS rows FROM cell_00.delivery_attempts GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  expect(rows).toEqual([
    { name: 'delivery_attempts_default', succeeded: false, rows: 1 },
    { name: 'delivery_attempts_default', succeeded: true, rows: 1 },
    { name: 'delivery_attempts_failed_p20261130', succeeded: false, rows: 2 },
    { name: 'delivery_attempts_succeeded_p20261130', succeeded: true, rows: 2 },
  ]);
});
