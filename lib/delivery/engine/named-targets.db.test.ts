import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { continueBulkRetries } from '@/lib/delivery/bulk-retries/continue-bulk-retries';
import { notifyDeliveries } from '@/lib/delivery/deliveries/deliveries-sql';
import { continueEventReplays } from '@/lib/delivery/event-replays/continue-event-replays';
import { cellChannel } from '@/lib/platform/cells/cell-channel';
import { currentCell, FIRST_CELL } from '@/lib/platform/cells/current-cell';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { WakeListener } from '@/lib/platform/wake-listener';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { useBulkRetries } from '@/tests/fixtures/bulk-retries';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { insertEndedDeliveries } from '@/tests/fixtures/ended-deliveries';
import { insertPastEvents, useEventReplays } from '@/tests/fixtures/event-replays';
import { insertIncomingEvents } from '@/tests/fixtures/incoming-events';
import { useProjects } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { DueWorkPoller } from './claims/due-work-poller';

useDatabase();
const projects = useProjects();
const { manage, makeSource, makeDestination } = sourceTools(() => projects.mine);
const bulkRetries = useBulkRetries(() => projects.mine);
const eventReplays = useEventReplays(() => projects.mine);
afterEach(() => void vi.restoreAllMocks());

/** Makes a receiver and an endpoint for it. */
async function makeEndpoint(eventTypes = ['none']) {
  const receiver = await startReceiver();
  const { id: endpointId } = await insertEndpoint({ url: receiver.url, projectId: projects.mine.id, eventTypes });
  const received = (count: number) => waitFor('the deliveries', () => receiver.received.length === count);
  return { endpointId, received };
}

describe('while the search for due deliveries does not end', () => {
  beforeEach(async () => {
    vi.spyOn(DueWorkPoller.prototype, 'poll').mockReturnValue(new Promise(() => undefined));
    await startWorker({ continueBulkRetries, continueEventReplays });
  });

  it('a delivery that is retried by hand is sent', async () => {
    const { endpointId, received } = await makeEndpoint();
    const [deliveryId] = await insertEndedDeliveries({ projectId: projects.mine.id, endpointId, count: 1 });
    await manage('POST', `/deliveries/${deliveryId}/retry`);
    await received(1);
  });

  it('an event that is sent to an endpoint by hand is sent', async () => {
    const { endpointId, received } = await makeEndpoint();
    const [eventId] = await insertPastEvents(projects.mine.id, 1);
    await manage('POST', `/events/${eventId}/deliveries`, { endpointId });
    await received(1);
  });

  it('the deliveries of a bulk retry are sent', async () => {
    const { endpointId, received } = await makeEndpoint();
    await insertEndedDeliveries({ projectId: projects.mine.id, endpointId, count: 3 });
    await bulkRetries.start({ endpointId });
    await received(3);
  });

  it('the deliveries of an event replay are sent, new ones and old ones', async () => {
    const { endpointId, received } = await makeEndpoint(['order.paid']);
    await insertPastEvents(projects.mine.id, 2, { type: 'order.paid' });
    await eventReplays.start({ endpointId });
    await received(2);
    await waitFor('the results', isSettled(endpointId, 2));
    await eventReplays.start({ endpointId, select: 'ALL' });
    await received(4);
  });

  it('an incoming event that is replayed is forwarded to each destination', async () => {
    const receiver = await startReceiver();
    const source = await makeSource();
    await makeDestination(source, receiver);
    await makeDestination(source, receiver);
    const [incomingEventId] = await insertIncomingEvents({ id: source.id, projectId: projects.mine.id }, 1);
    await manage('POST', `/incoming-events/${incomingEventId}/replay`, {});
    await waitFor('the forwards', () => receiver.received.length === 2);
  });
});

it('a notification names the targets with due deliveries, each once, and none when they are too many for it', async () => {
  const heard: string[] = [];
  const listener = new WakeListener({
    [cellChannel('eds_delivery', currentCell() ?? FIRST_CELL)]: (payload) => heard.push(payload),
  });
  await listener.connect();
  onTestFinished(() => listener.close());
  const targets = Array.from({ length: 200 }, () => newId());
  const notify = (named: string[]) => notifyDeliveries.run(database(), { project: projects.mine.id, targets: named });
  await notify([...targets, ...targets]);
  await notify([...targets, newId()]);
  const ofProject = () => heard.filter((payload) => payload.startsWith(projects.mine.id));
  await waitFor('the notifications', () => ofProject().length === 2);
  const [named = '', unnamed] = ofProject();
  const [, ids = ''] = named.split(':');
  expect(ids.split(',').sort()).toEqual(targets.sort());
  expect(unnamed).toBe(projects.mine.id);
});
