import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Attempt } from '@/lib/delivery/schema';
import type { EventSummary } from '@/lib/events/schema';
import { readHeavily, shareConnections } from '@/lib/platform/connection-shares';
import type { Listing } from '@/lib/platform/pagination';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { useProjects } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
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
    let release = () => {};
    const reading = new Promise<void>((resolve) => {
      release = resolve;
    });
    void shareConnections({ network: 'none', isReading: true, ownerId }, () => readHeavily(() => reading, 'body'));
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
