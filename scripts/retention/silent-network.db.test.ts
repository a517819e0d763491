import { expect, it, vi } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertProject } from '@/tests/fixtures/deliveries';
import { TcpProxy } from '@/tests/http/tcp-proxy';
import { untilEnded, useProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';

const { url } = useDatabase();
const start = useProcesses('scripts/retention.ts', () => ({ ...testVariables(), DATABASE_URL: url }));

const countEvents = async () => (await database().query('SELECT FROM events')).rowCount ?? 0;

it('a job that is stopped while the network is silent ends in time, with its summary', async () => {
  const projectId = await insertProject();
  await database().query(
    `INSERT INTO events (id, project_id, type, payload, created_at)
     SELECT gen_random_uuid(), $1, 'order.paid', '{}', now() - interval '100 days' FROM generate_series(1, 2000)`,
    [projectId],
  );
  const { hostname, port } = new URL(url);
  const proxy = new TcpProxy({ host: hostname, port: Number(port) });
  await proxy.open();
  const through = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) }).href;
  const child = start(['main'], { DATABASE_URL: through, DATA_RETENTION_BATCH_SIZE: '1' });
  const ended = untilEnded(child);
  await vi.waitFor(async () => expect(await countEvents()).toBeLessThan(1_990), { timeout: 30_000, interval: 10 });
  proxy.silence();
  child.kill('SIGTERM');
  const startedAt = performance.now();
  const { code, stdout, stderr } = await ended;
  expect(performance.now() - startedAt).toBeLessThan(9_500);
  expect([code, JSON.parse(stdout)], stderr).toMatchObject([1, { job: 'main', status: 'stopped' }]);
  await proxy.cut();
});
