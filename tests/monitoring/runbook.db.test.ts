import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertEvents, insertProject } from '@/tests/fixtures/deliveries';
import { takeFrom } from '@/tests/fixtures/outbox';

useDatabase();

const runbook = readFileSync('docs/guides/runbook.md', 'utf8');
const statements = [...runbook.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, sql = '']) => sql);

it.each(statements)('a statement of the runbook runs on the schema: %s', async (sql) => {
  await expect(database().query(sql)).resolves.toBeDefined();
});

it('the runbook finds the dead letters of the last day, and makes those of events due again', async () => {
  const projectId = await insertProject();
  await insertEvents(projectId, 2);
  await database().query("UPDATE outbox SET status = 'DEAD', attempts = 10, dead_at = now()");
  const [find, findMails, requeue] = statements.filter((sql) => sql.includes("status = 'DEAD'"));
  expect((await database().query(find ?? '')).rowCount).toBe(2);
  await database().query(
    "INSERT INTO mails (id, payload_encrypted, status, dead_at) VALUES (gen_random_uuid(), '', 'DEAD', now())",
  );
  expect((await database().query(findMails ?? '')).rowCount).toBe(1);
  expect((await takeFrom(projectId)).entries).toEqual([]);
  expect((await database().query(requeue ?? '')).rowCount).toBe(2);
  expect((await takeFrom(projectId)).entries).toHaveLength(2);
});
