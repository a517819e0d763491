import { expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoints } from '@/tests/fixtures/deliveries';
import { areTargetsCrowded } from './deliveries-sql';

useDatabase();

/** Makes endpoints with due deliveries, and one delivery each that is due later. @returns the endpoints */
async function makeTargets(targets: number, due: number): Promise<string[]> {
  const project = await insertEndpoints(Array.from({ length: targets }, (_, at) => `https://${at}.example`));
  await run(
    `WITH event AS (
       INSERT INTO events (id, project_id, type, payload) SELECT gen_random_uuid(), $1, 'a', '{}' FROM generate_series(0, $2::int) RETURNING id
     ), numbered AS (SELECT id, row_number() OVER () AS nth FROM event)
     INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, next_attempt_at)
     SELECT gen_random_uuid(), $1, v.id, e.id, 'PENDING', now() + CASE WHEN v.nth > $2::int THEN interval '1 hour' ELSE interval '-1 second' END
     FROM endpoints e CROSS JOIN numbered v WHERE e.project_id = $1`,
    project,
    due,
  );
  return (await select<{ id: string }>('SELECT id FROM endpoints WHERE project_id = $1', project)).map(({ id }) => id);
}

const isCrowded = async (targets: string[], most: number) =>
  (await areTargetsCrowded.one(database(), { targets, most })).crowded;

it('targets are crowded when one has as many due deliveries as it may', async () => {
  const targets = await makeTargets(2, 3);
  expect(await isCrowded(targets, 3)).toBe(true);
  expect(await isCrowded(targets, 4)).toBe(false);
  expect(await isCrowded([], 1)).toBe(false);
});

it('targets are crowded when they have 10,000 due deliveries together, so no more are looked at', async () => {
  const targets = await makeTargets(101, 100);
  expect(await isCrowded(targets, 200)).toBe(true);
  expect(await isCrowded(targets.slice(2), 200)).toBe(false);
});
