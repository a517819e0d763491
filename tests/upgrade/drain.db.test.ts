import { once } from 'node:events';
import { expect, it } from 'vitest';
import { findFreePort } from '@/lib/platform/free-port';
import { useDatabase } from '@/tests/database/use-database';
import { untilReady, useProcesses } from '@/tests/processes/entry-process';
import { sendUntilStopped, setUpProject } from '@/tests/processes/traffic';
import { testVariables } from '@/tests/setup/variables';

/** Enough for a request on a busy machine. */
const DELAY_SECONDS = 5;

const db = useDatabase();
const start = useProcesses('tests/tunnel/tunnel-process.ts', () => ({ ...testVariables(), DATABASE_URL: db.url }));

it('web serves on while readiness fails, then ends change streams and requests in flight without an error', async () => {
  const port = String(await findFreePort());
  const origin = `http://127.0.0.1:${port}`;
  const web = await untilReady(
    start([], { PORT: port, APP_BASE_URL: origin, STOP_DELAY_SECONDS: String(DELAY_SECONDS) }),
  );
  const exited = once(web, 'exit');
  const ready = async () => (await fetch(`${origin}/api/health/ready`)).status;
  const project = await setUpProject(origin, 'http://127.0.0.1:9/nowhere');
  const bearer = { Authorization: `Bearer ${project.accessToken}` };
  const stream = await fetch(`${origin}/api/v1${project.path}/changes?seconds=60`, { headers: bearer });
  expect(stream.status).toBe(200);
  let streamEndedAt = 0;
  const streamed = stream.text().finally(() => {
    streamEndedAt = performance.now();
  });
  const traffic = sendUntilStopped(project);
  expect(await ready()).toBe(200);

  const askedAt = performance.now();
  web.kill('SIGTERM');
  await expect.poll(ready, { interval: 5 }).toBe(503);
  const live = await fetch(`${origin}/api/health/live`);
  expect(live.status).toBe(200);
  // The next request of this client goes to another process.
  expect(live.headers.get('connection')).toBe('close');
  const count = traffic.stored.size;
  await expect.poll(() => traffic.stored.size).toBeGreaterThan(count);
  // The load balancer has noticed.
  await traffic.stop();
  expect(traffic.faults).toEqual([]);
  // It would live for a minute.
  expect(await streamed).toContain('event: ready');
  expect(streamEndedAt - askedAt).toBeGreaterThan(DELAY_SECONDS * 990);
  expect(await exited).toEqual([0, null]);
});
