import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFreePort } from '@/lib/platform/free-port';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { makeEmptyDatabase, queryOnce } from '@/tests/database/empty-database';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { sendUntilStopped, setUpProject } from '@/tests/processes/traffic';
import { testVariables } from '@/tests/setup/variables';
import { buildPreviousVersion, type PreviousProcess, type PreviousVersion, startPrevious } from './previous-version';

const { url, create, drop } = makeEmptyDatabase();
const variables = { ...testVariables(), LOG_LEVEL: 'warn', DATABASE_URL: url };
let previous: PreviousVersion;

beforeAll(async () => {
  previous = await buildPreviousVersion();
  await create();
  await applyMigrations(url, { folder: path.join(previous.folder, 'prisma/migrations') });
});
afterAll(async () => {
  previous?.remove();
  await drop();
});

it('the previous version stores and delivers every event while the newest migrations are applied, and after a restart', async () => {
  const receiver = await startReceiver();
  const processes: PreviousProcess[] = [];
  const port = String(await findFreePort());
  const environment = { ...variables, PORT: port, APP_BASE_URL: `http://127.0.0.1:${port}` };
  const start = async (file: string) => {
    const child = await startPrevious(previous, file, environment);
    processes.push(child);
    return child;
  };
  await start(previous.web);
  const worker = await start(previous.worker);
  const project = await setUpProject(environment.APP_BASE_URL, receiver.url);

  const traffic = sendUntilStopped(project);
  await waitFor('deliveries before the migration', async () => receiver.received.length > 50);
  const applied = await applyMigrations(url, { folder: previous.newMigrations });
  expect(applied.length).toBeGreaterThan(0);
  const sentBefore = traffic.stored.size;
  await waitFor('events after the migration', async () => traffic.stored.size > sentBefore + 200);

  // A rollback: the previous version starts on the newer schema.
  await worker.stop();
  await start(previous.worker);
  const sentAtRestart = traffic.stored.size;
  await waitFor('events after the restart', async () => traffic.stored.size > sentAtRestart + 100);
  await traffic.stop();

  expect(traffic.faults).toEqual([]);
  const isDelivered = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  await waitFor('every event to be delivered', async () => [...traffic.stored].every((id) => isDelivered().has(id)));
  expect(processes.flatMap(({ faults }) => faults())).toEqual([]);

  // What this test would see of a migration that renames.
  await queryOnce(url, 'ALTER TABLE events RENAME COLUMN type TO kind');
  const after = sendUntilStopped(project);
  await waitFor('a fault', async () => after.faults.length > 0);
  await after.stop();
});
