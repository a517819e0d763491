import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { setCellNodes } from '@/lib/platform/cells/cell-nodes';
import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { useDatabase } from '@/tests/database/use-database';
import { waitFor } from '@/tests/http/receiver';
import { openDatabaseProxy, type TcpProxy } from '@/tests/http/tcp-proxy';
import { setTestConfig } from '@/tests/setup/variables';
import { WakeListener } from './wake-listener';

const { url } = useDatabase();
let proxy: TcpProxy;

beforeAll(async () => {
  // One connection, also on a cluster: the proxy leads to the machine of DATABASE_URL.
  setCellNodes([], false);
  // The pool of this process does not use the proxy. Connections that are opened later do.
  await database().query('SELECT');
  const opened = await openDatabaseProxy(url);
  proxy = opened.proxy;
  setTestConfig({ DATABASE_URL: opened.through });
});
afterAll(() => proxy.cut());

async function listen() {
  const heard = vi.fn();
  const listener = new WakeListener({ eds_outbox: heard });
  await listener.connect();
  onTestFinished(() => listener.close());
  return { heard, listener };
}

const notify = () => database().query(`SELECT pg_notify('eds_outbox', '')`);

it('a connection that dies silently is replaced, and its handlers are called for what was missed', async () => {
  const { heard } = await listen();
  await notify();
  await waitFor('the notification', async () => heard.mock.calls.length === 2);
  proxy.freeze();
  await notify();
  await sleep(200);
  expect(heard).toHaveBeenCalledTimes(2);
  await waitFor('the new connection', async () => heard.mock.calls.length === 3, 30_000);
  await notify();
  await waitFor('the next notification', async () => heard.mock.calls.length === 4);
});

it('channels are added and removed while it listens, and are heard on the next connection too', async () => {
  const { heard, listener } = await listen();
  const added = vi.fn();
  const notifyAdded = () => database().query(`SELECT pg_notify('added', 'payload')`);
  const remove = listener.add({ added });
  await waitFor('the first call', async () => added.mock.calls.length === 1);
  await notifyAdded();
  await waitFor('the notification', async () => added.mock.calls.length === 2);
  expect(added.mock.calls).toEqual([[''], ['payload']]);
  await proxy.cut();
  await proxy.open();
  await waitFor('the new connection', async () => added.mock.calls.length === 3, 30_000);
  remove();
  await notifyAdded();
  await notify();
  await waitFor('the other channel', async () => heard.mock.calls.length === 3);
  expect(added).toHaveBeenCalledTimes(3);
});

it('a lost connection is logged once, however often connecting fails, and so is its restoration', async () => {
  const warn = vi.spyOn(log(), 'warn');
  const info = vi.spyOn(log(), 'info');
  const { heard } = await listen();
  await proxy.cut();
  await sleep(3_500);
  expect([warn.mock.calls.length, info.mock.calls.length]).toEqual([1, 0]);
  await proxy.open();
  await waitFor('the new connection', async () => heard.mock.calls.length === 2, 30_000);
  expect([warn.mock.calls.length, info.mock.calls.length]).toEqual([1, 1]);
});

it('a listener stops at once, even if its connection is dead', async () => {
  const listener = new WakeListener({ eds_outbox: () => undefined });
  await listener.connect();
  proxy.freeze();
  const startedAt = performance.now();
  await listener.close();
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
