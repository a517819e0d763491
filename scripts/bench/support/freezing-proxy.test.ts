import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FreezingProxy } from './freezing-proxy';

/** Long enough for bytes to pass between two local sockets. */
const MOMENT_MS = 50;

describe('a freezing proxy', () => {
  let echo: Server;
  let proxy: FreezingProxy;
  const clients: Client[] = [];

  beforeEach(async () => {
    echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    proxy = await FreezingProxy.open((echo.address() as AddressInfo).port);
  });
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    await proxy.close();
    echo.close();
  });

  /** Opens a connection and waits for its first echo. */
  async function join(): Promise<Client> {
    const client = new Client(connect(proxy.port, '127.0.0.1'));
    clients.push(client);
    client.socket.write('1');
    await expect.poll(() => client.heard).toBe('1');
    return client;
  }

  it('holds back the bytes of frozen connections until the thaw, and lets new connections pass', async () => {
    const old = await join();
    const thaw = proxy.freeze();
    old.socket.write('2');
    await join();
    await sleep(MOMENT_MS);
    expect(old.heard).toBe('1');
    thaw();
    await expect.poll(() => old.heard).toBe('12');
  });

  it('keeps a connection frozen until the last of two freezes has ended', async () => {
    const old = await join();
    const [thawFirst, thawSecond] = [proxy.freeze(), proxy.freeze()];
    old.socket.write('2');
    thawFirst();
    await sleep(MOMENT_MS);
    expect(old.heard).toBe('1');
    thawSecond();
    await expect.poll(() => old.heard).toBe('12');
  });

  it('drops the bytes of lost connections, also after a thaw, without closing them', async () => {
    const old = await join();
    const thaw = proxy.freeze();
    proxy.lose();
    old.socket.write('2');
    thaw();
    await join();
    await sleep(MOMENT_MS);
    expect(old).toMatchObject({ heard: '1', isClosed: false });
  });

  it('accepts held connections, and forwards their bytes when the time is over', async () => {
    proxy.holdNew(4 * MOMENT_MS);
    const began = performance.now();
    await join();
    expect(performance.now() - began).toBeGreaterThanOrEqual(4 * MOMENT_MS - 1);
  });
});

class Client {
  heard = '';
  isClosed = false;

  constructor(readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (text: string) => {
      this.heard += text;
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        this.isClosed = true;
      });
  }
}
