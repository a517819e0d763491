import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useEds } from '@/tests/cli/eds';
import { expireSession } from '@/tests/cli/session-file';
import { signIn } from '@/tests/cli/sign-in';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { startWebServer } from '@/tests/http/adapters';

useDatabase();
const projects = useProjects();
let server: Server;
let port: number;
const url = () => `http://127.0.0.1:${port}`;
const eds = useEds(url);

beforeAll(async () => {
  server = await startWebServer();
  port = (server.address() as AddressInfo).port;
});
afterAll(stop);

async function stop(): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

it('keeps the session when the server restarts between two commands', async () => {
  await signIn(eds, url(), projects.mine.owner);
  expect((await eds.run(['whoami'])).code).toBe(0);
  await stop();
  expect(await eds.run(['whoami'])).toMatchObject({ code: 7, stderr: expect.stringContaining('We couldn’t reach') });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  expect((await eds.run(['whoami'])).code).toBe(0);
  expireSession(eds);
  expect((await eds.run(['whoami'])).code).toBe(0);
});
