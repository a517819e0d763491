import { expect, it } from 'vitest';
import { Dispatcher } from '@/lib/delivery/engine/dispatch/dispatcher';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents, insertProject } from '@/tests/fixtures/deliveries';
import { FanOut } from './fan-out';
import { ProjectTurns } from './project-turns';
import { StoreQueue } from './store-queue';
import { takeEntries } from './take-entries';

useDatabase();

const URL = 'http://receiver.test/';

it('a project gets a turn although older projects fill each take', async () => {
  const older: string[] = [];
  for (let count = 0; count < 3; count += 1) older.push((await insertEndpoint({ url: URL })).projectId);
  const { projectId: victim } = await insertEndpoint({ url: URL });
  for (const projectId of older) await insertEvents(projectId, 10);
  await insertEvents(victim, 1);
  const projectTurns = new ProjectTurns();
  for (const projectId of [...older, victim]) projectTurns.add(projectId);
  const served = new Set<string>();
  for (let take = 0; take < 4; take += 1) {
    const turns = projectTurns.next(() => 10);
    const taken = await takeEntries(database(), turns, { bytes: 1_000_000, deliveries: 2 });
    for (const turn of turns) {
      const rows = taken.rows.get(turn.projectId) ?? { count: 0, deliveries: 0 };
      projectTurns.finish(turn.projectId, rows, rows.count >= turn.most || taken.isTruncated);
      if (rows.count > 0) served.add(turn.projectId);
    }
  }
  expect(served).toContain(victim);
});

it('rows of the quarantine without a subscriber do not block the next ones', async () => {
  await insertEvents(await insertProject(), 20);
  await database().query('DELETE FROM outbox WHERE attempts > 0');
  await database().query(
    'UPDATE outbox SET attempts = 2 WHERE project_id NOT IN (SELECT project_id FROM subscriptions)',
  );
  const dispatcher = new Dispatcher({
    concurrency: 20,
    targetConcurrency: 4,
    send: async () => ({ durationMs: 1, succeeded: true, responseStatus: 200 }),
    mayStart: () => true,
    onRoom: () => undefined,
    onRelease: () => undefined,
    onStoreDue: () => undefined,
  });
  const fanOut = new FanOut(dispatcher, new StoreQueue(), {
    onFree: () => undefined,
    onQuarantineFree: () => undefined,
  });
  await fanOut.takeFromQuarantine(2);
  await fanOut.takeFromQuarantine(2);
  const { rows } = await database().query('SELECT count(*)::int FROM outbox WHERE attempts >= 2');
  expect(rows[0].count).toBe(0);
});
