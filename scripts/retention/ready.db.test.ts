import { once } from 'node:events';
import pg from 'pg';
import { expect, it } from 'vitest';
import { useDatabase } from '@/tests/database';
import { dropAllPartitions } from '@/tests/partitions';
import { endProcess, useProcesses } from '@/tests/processes';
import { testVariables } from '@/tests/variables';

const { url } = useDatabase();
const start = useProcesses('scripts/retention.ts', () => ({ ...testVariables(), DATABASE_URL: url }));

it('a reader that keeps the partitions from being made keeps the service neither from starting nor from stopping', async () => {
  await dropAllPartitions();
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query('BEGIN; SELECT count(*) FROM delivery_attempts');
  const child = start();
  child.stdout?.resume();
  child.stderr?.resume();
  const startedAt = performance.now();
  await once(child, 'message');
  expect(performance.now() - startedAt).toBeLessThan(14_000);
  const stoppedAt = performance.now();
  expect(await endProcess(child, 'SIGTERM')).toBe(0);
  expect(performance.now() - stoppedAt).toBeLessThan(7_000);
  await reader.end();
}, 40_000);
