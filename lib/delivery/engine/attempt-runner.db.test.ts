import { expect, it, onTestFinished } from 'vitest';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { ExchangeError } from '@/lib/platform/net/failure-reason';
import type { HttpPools } from '@/lib/platform/net/http-pools';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents, readDeliveries } from '@/tests/fixtures/deliveries';
import { waitFor } from '@/tests/http/receiver';
import { AttemptRunner } from './attempt-runner';
import { claimBacklog } from './claims/claim-backlog';
import { BEGINNING } from './claims/low-watermarks';

useDatabase();

/** Attempts a new delivery over connections that fail. */
async function attemptWith(code: 'NO_TURN' | 'CONNECT_TIMEOUT') {
  const endpoint = await insertEndpoint({ url: 'http://receiver.test/' });
  const [eventId] = await insertEvents(endpoint.projectId, 1);
  await database().query(
    `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, next_attempt_at) VALUES ($1, $2, $3, $4, now())`,
    [newId(), endpoint.projectId, eventId, endpoint.id],
  );
  let released = 0;
  const acquire = () => {
    throw new ExchangeError(code);
  };
  const runner = new AttemptRunner({
    pools: { acquire } as unknown as HttpPools,
    concurrency: 10,
    targetConcurrency: 1,
    onRoom: () => undefined,
    onReleased: () => (released += 1),
    onRetry: () => undefined,
    cutOff: async () => undefined,
  });
  onTestFinished(() => runner.stop(1_000));
  runner.dispatcher.backlog.set(endpoint.id, endpoint.projectId, true);
  await claimBacklog(runner.dispatcher, { deliveries: BEGINNING });
  const delivery = async () => (await readDeliveries(endpoint.id))[0];
  return { runner, endpoint, delivery, countReleased: () => released };
}

it('a delivery whose connection got no turn has no attempt, and is due again at once', async () => {
  const { runner, endpoint, delivery, countReleased } = await attemptWith('NO_TURN');
  await waitFor('the release', () => countReleased() === 1);
  expect(await delivery()).toMatchObject({ status: 'PENDING', attempt_count: 0 });
  expect(runner.dispatcher.status()).toEqual({ underWay: 0, waiting: 0 });
  expect([...runner.dispatcher.backlog.selectRefills(10).keys()]).toEqual([endpoint.id]);
  expect(await claimBacklog(runner.dispatcher, { deliveries: BEGINNING })).toMatchObject({ isMore: true });
});

it('a delivery whose connection had a turn and failed has an attempt', async () => {
  const { delivery, countReleased } = await attemptWith('CONNECT_TIMEOUT');
  await waitFor('the attempt', async () => (await delivery())?.attempt_count === 1);
  expect(countReleased()).toBe(0);
});
