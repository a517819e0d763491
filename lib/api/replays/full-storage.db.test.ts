import { afterEach, expect, it, vi } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { makeTestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { call, type Problem } from '@/tests/http/api-request';

useDatabase();

const setRoom = (isNearlyFull: boolean) =>
  setOnce('storage-room', { isNearlyFull, isExhausted: false, take: () => undefined, noteDiskFull: () => undefined });
afterEach(() => setOnce('storage-room', undefined));

it('replays and bulk retries get 503 while storage is nearly full, and are accepted afterwards', async () => {
  const project = await makeTestProject();
  const { makeSource, makeDestination, post } = sourceTools(() => project);
  const source = await makeSource();
  const { json: received } = (await post(source, 'x')) as { json: { id: string } };
  await makeDestination(source, { url: 'http://127.0.0.1:9' });
  const path = `/api/v1/projects/${project.id}`;
  const calls: [string, object][] = [
    [`${path}/incoming-event-replays`, { sourceId: source.id }],
    [`${path}/incoming-events/${received.id}/replay`, {}],
    [`${path}/bulk-retries`, {}],
    [`${path}/event-replays`, { from: new Date().toISOString() }],
  ];
  setRoom(true);
  for (const [to, body] of calls) {
    const { status, json, headers } = await call<Problem>('POST', to, { apiKey: project.key, body });
    expect([status, json.code, headers['retry-after']]).toEqual([503, 'unavailable', '30']);
  }
  setRoom(false);
  for (const [to, body] of calls) expect((await call('POST', to, { apiKey: project.key, body })).status).toBe(202);
});

it('those that run wait until storage has room again', async () => {
  const continueReplays = vi.fn(async () => null);
  const continueBulkRetries = vi.fn(async () => null);
  const continueEventReplays = vi.fn(async () => null);
  const counts = () =>
    [continueReplays, continueBulkRetries, continueEventReplays].map(({ mock }) => mock.calls.length);
  setRoom(true);
  await startWorker({ continueReplays, continueBulkRetries, continueEventReplays });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(counts()).toEqual([0, 0, 0]);
  setRoom(false);
  await expect.poll(() => Math.min(...counts())).toBeGreaterThan(0);
});
