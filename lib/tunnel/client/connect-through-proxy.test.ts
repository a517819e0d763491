import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startConnectProxy } from '@/tests/tunnel/connect-proxy';
import { echo, startLocal } from '@/tests/tunnel/local-server';
import { connectThroughProxy } from './proxy';

const through = async (url: string) => {
  const { port } = await startConnectProxy();
  return connectThroughProxy({ proxy: new URL(`http://127.0.0.1:${port}`), url: new URL(url), timeoutMs: 100 });
};

it('a proxy that does not answer is given up after the time', async () => {
  await expect(through('ws://nowhere.example')).rejects.toThrow(
    /^The proxy http:\/\/127\.0\.0\.1:\d+ did not answer in time\.$/,
  );
});

it('a connection through a proxy lasts longer than that time', async () => {
  const { port } = await startLocal(echo);
  const socket = await through(`ws://127.0.0.1:${port}`);
  await sleep(200);
  socket.write('GET /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const [received] = await once(socket, 'data');
  expect(String(received)).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});
