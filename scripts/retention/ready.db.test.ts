import { once } from 'node:events';
import pg from 'pg';
import { expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { waitFor } from '@/tests/http/receiver';
import { endProcess, useProcesses } from '@/tests/processes/entry-process';
import { dropAllPartitions } from '@/tests/retention/partitions';
import { testVariables } from '@/tests/setup/variables';

const { url } = useDatabase();
const start = useProcesses('scripts/retention.ts', () => ({ ...testVariables(), DATABASE_URL: url }));

const countRuns = async () => (await database().query('SELECT FROM retention_runs')).rowCount;

it('the process starts and stops while a reader blocks the creation of partitions', async () => {
  await dropAllPartitions();
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query('BEGIN; SELECT count(*) FROM delivery_attempts');
  const child = start();
  child.stdout?.resume();
  child.stderr?.resume();
  const ready = once(child, 'message');
  await waitFor('it to be at the partitions', async () => (await countRuns()) === 1);
  const startedAt = performance.now();
  await ready;
  expect(performance.now() - startedAt).toBeLessThan(14_000);
  // With 0 only when it has stopped before its deadline.
  expect(await endProcess(child, 'SIGTERM')).toBe(0);
  await reader.end();
});
