import { expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { cleanEvents, cleanIncomingEvents } from '@/lib/retention/cleanup/clean-events';
import { EVENT, INCOMING_EVENT } from '@/lib/retention/cleanup/event-sql';
import { toLogRow } from '@/lib/tunnel/request-log/log-row';
import { storeRequests } from '@/lib/tunnel/request-log/record-request';
import { useDatabase } from '@/tests/database/use-database';
import { countRows, insertDeliveryProject, insertDeliverySource } from '@/tests/fixtures/delivery-sources';
import { countProjectRows } from '@/tests/fixtures/full-project';
import { makeTestProject } from '@/tests/fixtures/projects';
import { makeEntry, makeTunnel } from '@/tests/fixtures/tunnels';
import { startTestRun } from '@/tests/retention/test-run';
import { purgeProject } from './purge-project';

useDatabase();

it('a project that is erased while retention cleans it is removed, and neither side fails', async () => {
  const project = await insertDeliveryProject();
  const at = addMs(new Date(), -100 * DAY_MS);
  for (let n = 0; n < 40; n += 1) {
    const source = n % 2 === 0 ? EVENT : INCOMING_EVENT;
    await insertDeliverySource({ project, at, source, deliveries: 2, attempts: 2, outbox: 'DEAD' });
  }
  await database().query('UPDATE projects SET deleted_at = now() WHERE id = $1', [project.id]);
  let isGone = false;
  const purge = async () => {
    const pace = { endsAt: performance.now() + 10_000, isPaced: false };
    while ((await purgeProject(project.id, pace)) !== 'gone') expect(performance.now()).toBeLessThan(pace.endsAt);
    isGone = true;
  };
  const clean = async () => {
    while (!isGone) {
      const run = await startTestRun({ policy: { batchSize: 3 } });
      await cleanEvents.clean(run);
      await cleanIncomingEvents.clean(run);
    }
  };
  await Promise.all([purge(), clean()]);
  const tables = ['events', 'incoming_events', 'deliveries', 'delivery_attempts', 'outbox', 'projects'];
  expect(await countRows(...tables)).toEqual(Object.fromEntries(tables.map((table) => [table, 0])));
});

it('a project that is erased while requests to its tunnel are logged keeps no row', async () => {
  const project = await makeTestProject();
  const tunnel = await makeTunnel(project);
  let isGone = false;
  const write = async () => {
    while (!isGone) {
      await storeRequests(database(), [toLogRow(makeEntry({ projectId: project.id, tunnelId: tunnel.id }))]);
    }
  };
  const purge = async () => {
    while ((await countProjectRows(project.id)).tunnel_request_log === 0) expect(isGone).toBe(false);
    await database().query('UPDATE projects SET deleted_at = now() WHERE id = $1', [project.id]);
    const pace = { endsAt: performance.now() + 10_000, isPaced: false };
    while ((await purgeProject(project.id, pace)) !== 'gone') expect(performance.now()).toBeLessThan(pace.endsAt);
    isGone = true;
  };
  await Promise.all([purge(), write(), write()]);
  expect(Object.values(await countProjectRows(project.id)).filter((count) => count > 0)).toEqual([]);
});
