import { expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { cleanEvents, cleanIncomingEvents } from '@/lib/retention/cleanup/clean-events';
import { EVENT, INCOMING_EVENT } from '@/lib/retention/cleanup/event-sql';
import { useDatabase } from '@/tests/database/use-database';
import { countRows, insertDeliveryProject, insertDeliverySource } from '@/tests/fixtures/delivery-sources';
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
