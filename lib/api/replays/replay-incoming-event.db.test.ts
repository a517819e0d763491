import { beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '@/lib/delivery/schema';
import type { ReplayedIncomingEvent, Source } from '@/lib/incoming/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { insertIncomingEvents } from '@/tests/fixtures/incoming-events';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();

let project: TestProject;
let source: Source;
beforeEach(async () => {
  project = await makeTestProject();
  source = await makeSource();
});

const { send, makeSource, makeDestination: makeDestinationOf } = sourceTools(() => project);
const makeDestination = (url = 'http://127.0.0.1:9/hook', body: object = {}) =>
  makeDestinationOf(source, { url }, body);
const insertEvents = (count: number, options: Parameters<typeof insertIncomingEvents>[2] = {}) =>
  insertIncomingEvents({ id: source.id, projectId: project.id }, count, options);
const replayOne = (id: string, body?: object) =>
  send<ReplayedIncomingEvent>('POST', `/incoming-events/${id}/replay`, body);
const deliveries = async () => (await send<{ data: Delivery[] }>('GET', '/deliveries?limit=100')).json.data;

describe('the replay of one incoming event', () => {
  it('sends it again to each enabled destination, including one that was created later', async () => {
    const receiver = await startReceiver();
    const [id = ''] = await insertEvents(1);
    await makeDestination(receiver.url);
    await makeDestination(receiver.url, { enabled: false });
    const replayed = await replayOne(id);
    expect([replayed.status, replayed.json.deliveryIds.length]).toEqual([202, 1]);
    await startWorker();
    await waitFor('the forward', async () => (await deliveries())[0]?.status === 'SUCCEEDED');
    expect(await deliveries()).toMatchObject([
      { id: replayed.json.deliveryIds[0], incomingEventId: id, attemptCount: 1 },
    ]);
    expect((await replayOne(id)).json.deliveryIds).toEqual(replayed.json.deliveryIds);
    await waitFor('the second forward', async () => (await deliveries())[0]?.attemptCount === 2);
    expect(receiver.received).toHaveLength(2);
  });

  it('reaches only the destination that was named', async () => {
    const [id = ''] = await insertEvents(1);
    const [one] = [await makeDestination(), await makeDestination()];
    await replayOne(id, { destinationId: one.id });
    expect((await deliveries()).map(({ destinationId }) => destinationId)).toEqual([one.id]);
  });

  it('is refused when the signature did not verify', async () => {
    await makeDestination();
    const [forged = ''] = await insertEvents(1, { verified: false });
    const [signed = ''] = await insertEvents(1, { verified: true });
    expect((await replayOne(forged)).json).toMatchObject({ status: 409, code: 'conflict' });
    expect((await replayOne(signed)).status).toBe(202);
    expect(await deliveries()).toHaveLength(1);
  });

  it('is refused without an enabled destination', async () => {
    const [id = ''] = await insertEvents(1);
    expect((await replayOne(id)).json).toMatchObject({ status: 409, code: 'conflict' });
    const disabled = await makeDestination(undefined, { enabled: false });
    expect((await replayOne(id)).status).toBe(409);
    expect((await replayOne(id, { destinationId: disabled.id })).status).toBe(409);
    expect((await replayOne(id, { destinationId: newId() })).status).toBe(404);
    expect((await replayOne(newId())).status).toBe(404);
  });

  it('does not change a delivery that waits for its first attempt', async () => {
    const [id = ''] = await insertEvents(1);
    await makeDestination();
    await replayOne(id);
    await database().query(
      `UPDATE deliveries SET next_attempt_at = now() + interval '1 hour' WHERE incoming_event_id = $1`,
      [id],
    );
    const [before] = await deliveries();
    await replayOne(id);
    expect((await deliveries())[0]?.nextAttemptAt).toBe(before?.nextAttemptAt);
  });
});
