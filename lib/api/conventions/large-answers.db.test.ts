import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { findLargeEvent, selectDeliveriesOfEvent } from '@/lib/delivery/deliveries/deliveries-sql';
import type { Attempt, EventDetail } from '@/lib/delivery/schema';
import type { EventSummary } from '@/lib/events/schema';
import { type HeavyKind, readHeavily, shareConnections } from '@/lib/platform/connection-shares';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { insertEvents } from '@/tests/fixtures/deliveries';
import { useProjects } from '@/tests/fixtures/projects';
import { SECRET, sourceTools } from '@/tests/fixtures/sources';
import { call } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();
const projects = useProjects();

const LARGE = `€${'x'.repeat(199_997)}`;

/** Paths of what shows a body or the data of an event, by name. */
async function makeContent(project: typeof projects.mine, body: string): Promise<Record<string, string>> {
  const { manage, makeSource, makeDestination, post, deliveriesOf } = sourceTools(() => project);
  const source = await makeSource();
  await makeDestination(source, await startReceiver());
  const { id } = (await post(source, body)).json;
  await waitFor('the forward', async () => (await deliveriesOf(id))[0]?.status === 'SUCCEEDED');
  const [delivery] = await deliveriesOf(id);
  const { data: attempts } = await manage<Listing<Attempt>>('GET', `/deliveries/${delivery?.id}/attempts`);
  const event = await call<EventSummary>('POST', '/api/v1/events', {
    apiKey: project.key,
    body: { type: 'order.paid', data: { value: body } },
  });
  return {
    'an incoming event': `/incoming-events/${id}`,
    'the body of an incoming event': `/incoming-events/${id}/body`,
    'an attempt': `/deliveries/${delivery?.id}/attempts/${attempts[0]?.id}`,
    'an event': `/events/${event.json.id}`,
  };
}

const read = ({ id, readOnlyKey }: typeof projects.mine, path: string) =>
  call('GET', `/api/v1/projects/${id}${path}`, { apiKey: readOnlyKey });

/** Takes the owner's place for large answers, or another kind. @returns what gives it back */
function takePlace(ownerId: string, kind: HeavyKind = 'body'): () => void {
  let release = () => {};
  const reading = new Promise<void>((resolve) => {
    release = resolve;
  });
  void shareConnections({ network: 'none', isReading: true, ownerId }, () => readHeavily(() => reading, kind));
  return release;
}

it('an answer with a large body waits until no other of its owner is read, while small ones and those of others do not', async () => {
  await startWorker();
  const { mine, foreign } = projects;
  const [large, small, others] = [
    await makeContent(mine, LARGE),
    await makeContent(mine, 'small'),
    await makeContent(foreign, LARGE),
  ];
  const { userId: ownerId } = mine.owner;
  for (const [name, path] of Object.entries(large)) {
    const release = takePlace(ownerId);
    let isRead = false;
    const waiting = read(mine, path).finally(() => {
      isRead = true;
    });
    const beside = await Promise.all([read(mine, small[name] ?? ''), read(foreign, others[name] ?? '')]);
    await sleep(50);
    expect([...beside.map(({ status }) => status), isRead], name).toEqual([200, 200, false]);
    release();
    const answer = await waiting;
    expect(answer.status, name).toBe(200);
    expect(answer.text, name).toContain(LARGE);
  }
});

it('an event with many deliveries waits like one with a large body, and shows them all, newest first', async () => {
  const { id, owner } = projects.mine;
  const [eventId] = await insertEvents(id, 1);
  const endpoints = Array.from({ length: 250 }, newId);
  const deliveries = Array.from({ length: 250 }, newId);
  await run(
    `INSERT INTO endpoints (id, project_id, url, retry_seconds, secret_encrypted)
     SELECT e, $1, 'https://receiver.example/' || repeat('x', 1000), '{}', '' FROM unnest($2::uuid[]) e`,
    id,
    endpoints,
  );
  await run(
    `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status)
     SELECT d, $1, $2, e, 'FAILED' FROM unnest($3::uuid[], $4::uuid[]) AS x(d, e)`,
    id,
    eventId,
    deliveries,
    endpoints,
  );
  const release = takePlace(owner.userId);
  let isRead = false;
  const sent = vi.spyOn(database(), 'query');
  const waiting = read(projects.mine, `/events/${eventId}`).finally(() => {
    isRead = true;
  });
  await sleep(500);
  expect(isRead).toBe(false);
  // What waits holds none of them.
  const texts = sent.mock.calls.map(([query]: unknown[]) => (query as { text?: string }).text);
  sent.mockRestore();
  expect(texts).not.toContain(selectDeliveriesOfEvent.text);
  expect(texts).toContain(findLargeEvent.text);
  release();
  const shown: EventDetail = JSON.parse((await waiting).text);
  expect(shown.deliveries.map((delivery) => delivery.id)).toEqual(deliveries.sort().reverse());
});

it('a catalogue waits for a few other catalogues, but not for large answers, and they do not wait for it', async () => {
  const { mine } = projects;
  const event = await call<EventSummary>('POST', '/api/v1/events', {
    apiKey: mine.key,
    body: { type: 'order.paid', data: { value: LARGE } },
  });
  const readBeside = async (kind: HeavyKind, places: number) => {
    const releases = Array.from({ length: places }, () => takePlace(newId(), kind));
    await sleep(50);
    const [catalogue, answer] = await Promise.all([
      read(mine, '/event-types/openapi.json'),
      read(mine, `/events/${event.json.id}`),
    ]);
    for (const release of releases) release();
    return [catalogue.status, answer.status];
  };
  expect(await readBeside('body', 20)).toEqual([200, 503]);
  expect(await readBeside('catalogue', 2)).toEqual([503, 200]);
});

it('a proposal of a schema reads its events when no other trial of its owner holds some, and does not wait for those of others', async () => {
  const { mine, foreign } = projects;
  const propose = ({ id, readOnlyKey }: typeof mine) =>
    call('POST', `/api/v1/projects/${id}/event-types/schema.proposed/infer`, { apiKey: readOnlyKey });
  for (const { key } of [mine, foreign]) {
    await call('POST', '/api/v1/events', { apiKey: key, body: { type: 'schema.proposed', data: { value: 1 } } });
  }
  const release = takePlace(mine.owner.userId, 'trial');
  let isRead = false;
  const waiting = propose(mine).finally(() => {
    isRead = true;
  });
  expect((await propose(foreign)).json).toMatchObject({ eventCount: 1 });
  await sleep(50);
  expect(isRead).toBe(false);
  release();
  expect((await waiting).json).toMatchObject({ eventCount: 1 });
});

it('a check of the signature of an incoming event reads its body when no other trial of its owner holds one', async () => {
  const { mine } = projects;
  const { manage, makeSource, post } = sourceTools(() => mine);
  const { id } = (await post(await makeSource('GITLAB'), LARGE, { 'x-gitlab-token': SECRET })).json;
  const release = takePlace(mine.owner.userId, 'trial');
  let isChecked = false;
  const waiting = manage('GET', `/incoming-events/${id}/signature-check`).finally(() => {
    isChecked = true;
  });
  await sleep(200);
  expect(isChecked).toBe(false);
  release();
  expect(await waiting).toHaveProperty('verified');
});
