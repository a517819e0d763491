import { beforeEach, describe, expect, it } from 'vitest';
import type { Delivery, Endpoint } from '@/lib/delivery/schema';
import type { Destination } from '@/lib/incoming/schema';
import { config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();

let project: TestProject;
beforeEach(async () => {
  project = await makeTestProject();
});

const { send, manage, makeSource, makeDestination, post } = sourceTools(() => project);
const TUNNEL = `/t/${'a'.repeat(43)}`;
const OWN = '/api/v1/projects/P/incoming-events/E/replay';

describe('the URL of', () => {
  it.each([
    ['an endpoint', async () => '/endpoints'],
    ['a destination', async () => `/sources/${(await makeSource()).id}/destinations`],
  ])('%s is not one of this service, except of its tunnels', async (_, pathOf) => {
    const path = await pathOf();
    const { baseUrl } = config();
    const refused = {
      status: 400,
      json: { errors: [{ path: 'url', message: expect.stringContaining('this service') }] },
    };
    expect(await send('POST', path, { url: baseUrl + OWN })).toMatchObject(refused);
    expect(await send('POST', path, { url: `${baseUrl}${TUNNEL}/%2e%2e/api` })).toMatchObject(refused);
    const { id } = await manage<Endpoint | Destination>('POST', path, { url: baseUrl + TUNNEL });
    expect(await send('PATCH', `${path}/${id}`, { url: baseUrl.replace('localhost', '127.0.0.1') })).toMatchObject(
      refused,
    );
    expect(await send('PATCH', `${path}/${id}`, { url: `${baseUrl}${TUNNEL}/hook` })).toMatchObject({ status: 200 });
  });
});

it('fails a delivery to a destination that has such a URL already, after one attempt that sends nothing', async () => {
  const [receiver, source] = [await startReceiver(), await makeSource()];
  const { id } = await makeDestination(source, receiver, { retrySeconds: [1, 1, 1] });
  await database().query('UPDATE destinations SET url = $2 WHERE id = $1', [id, `http://127.0.0.1:${receiver.port}/x`]);
  const before = config();
  setOnce('config', { ...before, baseUrl: `http://localhost:${receiver.port}` });
  await post(source, 'x');
  await startWorker();
  const find = async () => (await manage<{ data: Delivery[] }>('GET', '/deliveries')).data[0];
  await waitFor('the failure', async () => (await find())?.status === 'FAILED');
  expect(await find()).toMatchObject({ attemptCount: 1, lastError: 'URL is an address of this service' });
  expect(receiver.received).toHaveLength(0);
  setOnce('config', before);
});
