import { expect, it } from 'vitest';
import type { Dispatcher } from '@/lib/delivery/engine/dispatch/dispatcher';
import { STORE_BATCH_ROWS, storeDeliveries } from '@/lib/delivery/engine/record/store-deliveries';
import { loadTargets } from '@/lib/delivery/engine/targets';
import type { Job, Target } from '@/lib/delivery/engine/types';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoints, insertEvents } from '@/tests/fixtures/deliveries';
import { fanOutEntry, Yielder } from './fan-out-entry';
import { MAX_NAMED_TARGETS } from './outbox-sql';
import { takeEntries } from './take-entries';

useDatabase();

it('an event also goes to the targets that a take does not name, even if all others are recorded first', async () => {
  const count = MAX_NAMED_TARGETS + 1;
  const projectId = await insertEndpoints(Array.from({ length: count }, (_, at) => `http://receiver.test/${at}`));
  await insertEvents(projectId, 1);
  const { entries } = await takeEntries(database(), [{ projectId, most: 1 }]);
  const [taken] = entries;
  if (taken === undefined) throw new Error('nothing taken');
  const targets = new Map<string, Target>();
  const ids = taken.targets.map(({ id }) => id);
  for (const [id, loaded] of await loadTargets(database(), ids)) if ('target' in loaded) targets.set(id, loaded.target);
  const sent: Job[] = [];
  const dispatcher = {
    admission: { maySendUnstored: () => true },
    add: (_: Target, job: Job) => {
      sent.push(job);
      return true;
    },
  } as unknown as Dispatcher;

  const blocker = await database().connect();
  await blocker.query('BEGIN; LOCK TABLE subscriptions IN ACCESS EXCLUSIVE MODE');
  const fanningOut = fanOutEntry(dispatcher, taken, targets, new Yielder(2 * count));
  expect(sent).toHaveLength(MAX_NAMED_TARGETS);
  for (let from = 0; from < sent.length; from += STORE_BATCH_ROWS) {
    await storeDeliveries(database(), sent.slice(from, from + STORE_BATCH_ROWS), 30);
  }
  await blocker.query('COMMIT');
  blocker.release();
  const unsent = await fanningOut;
  expect(unsent).toHaveLength(1);
  await storeDeliveries(database(), unsent, 0);

  const stored = await database().query('SELECT count(*)::int FROM deliveries');
  expect(stored.rows[0].count).toBe(count);
});
