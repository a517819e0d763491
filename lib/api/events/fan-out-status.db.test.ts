import { expect, it } from 'vitest';
import type { EventDetail } from '@/lib/delivery/schema';
import type { EventListItem, EventSummary } from '@/lib/events/schema';
import { database } from '@/lib/platform/db';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { useProjects } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();
const projects = useProjects();

async function send(): Promise<string> {
  const { key } = projects.mine;
  const sent = await call<EventSummary>('POST', '/api/v1/events', { apiKey: key, body: { type: 'a', data: {} } });
  return sent.json.id;
}

async function listed(eventId: string): Promise<EventListItem | undefined> {
  const path = `/api/v1/projects/${projects.mine.id}/events?id=${eventId}`;
  return (await call<Listing<EventListItem>>('GET', path, { apiKey: projects.mine.readOnlyKey })).json.data[0];
}

async function get(eventId: string): Promise<EventDetail> {
  const path = `/api/v1/projects/${projects.mine.id}/events/${eventId}`;
  return (await call<EventDetail>('GET', path, { apiKey: projects.mine.readOnlyKey })).json;
}

it('is PENDING until a worker has stored every delivery of the event', async () => {
  const receivers = [await startReceiver(), await startReceiver(), await startReceiver()];
  for (const { url } of receivers) await insertEndpoint({ url, projectId: projects.mine.id });
  const eventId = await send();
  expect(await get(eventId)).toMatchObject({ fanOutStatus: 'PENDING', deliveries: [] });
  expect(await listed(eventId)).toMatchObject({ fanOutStatus: 'PENDING', deliveries: { queued: 0 } });
  await startWorker();
  await waitFor('the end of the fan-out', async () => {
    const { fanOutStatus, deliveries } = await get(eventId);
    if (fanOutStatus === 'COMPLETED') expect(deliveries).toHaveLength(3);
    return fanOutStatus === 'COMPLETED';
  });
  expect((await listed(eventId))?.fanOutStatus).toBe('COMPLETED');
});

it('is DEAD once the service has given up', async () => {
  const eventId = await send();
  await database().query(`UPDATE outbox SET status = 'DEAD', dead_at = now() WHERE event_id = $1`, [eventId]);
  expect((await get(eventId)).fanOutStatus).toBe('DEAD');
  expect((await listed(eventId))?.fanOutStatus).toBe('DEAD');
});
