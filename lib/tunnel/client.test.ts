import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { openTunnel, type TunnelStatus } from './client';
import { encodeFrame } from './protocol/frames';
import { encodeHead } from './protocol/heads';
import { CLOSE, FRAME, SUBPROTOCOL } from './protocol/protocol';

/** Connects a client to a relay that does `greet` with each connection. */
async function connectTo(greet: (socket: WebSocket, connections: number) => void) {
  const server = createServer();
  const sockets = new WebSocketServer({ server, handleProtocols: () => SUBPROTOCOL });
  let connections = 0;
  sockets.on('connection', (socket) => {
    connections += 1;
    greet(socket, connections);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const statuses: TunnelStatus[] = [];
  const handle = openTunnel({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    projectId: 'project',
    tunnelId: 'tunnel',
    authorization: async () => 'Bearer eds_key',
    target: new URL('http://127.0.0.1:9'),
    env: {},
    onStatus: (status) => statuses.push(status),
  });
  onTestFinished(async () => {
    await handle.close();
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  return { handle, statuses, disconnects: () => statuses.filter((status) => status.state === 'disconnected') };
}

it('a client answers a request that arrives together with the handshake', async () => {
  let answered: Buffer | undefined;
  await connectTo((socket) => {
    const head = { method: 'GET', path: '/', headers: [], hasBody: false };
    socket.once('message', (data: Buffer) => {
      answered = data;
    });
    socket.send(encodeFrame(FRAME.requestHead, 1, encodeHead(head)));
  });
  await expect.poll(() => answered?.[4]).toBe(FRAME.responseHead);
});

describe('a client whose connection breaks the protocol', () => {
  it('reconnects after a frame that was cut on its way to the client', async () => {
    const { statuses, disconnects } = await connectTo((socket, connections) => {
      if (connections === 1) socket.send(Buffer.from([0, 0, 0]));
    });
    await expect.poll(() => statuses.filter(({ state }) => state === 'connected').length).toBe(2);
    expect(disconnects()).toHaveLength(1);
  });

  it('reconnects with a growing backoff when the relay says so, and names the reason', async () => {
    const { statuses, disconnects } = await connectTo((socket, connections) => {
      if (connections < 3) socket.close(CLOSE.malformed, 'a frame has at least five bytes');
    });
    await expect.poll(() => statuses.filter(({ state }) => state === 'connected').length).toBe(3);
    const [first, second, ...rest] = disconnects();
    expect(rest).toEqual([]);
    expect(first?.reason).toBe('a frame has at least five bytes');
    expect(first?.retryMs).toBeLessThanOrEqual(250);
    expect(second?.retryMs).toBeGreaterThan(250);
  });
});

it.each([
  ['lost its access', CLOSE.forbidden],
  ['was replaced', CLOSE.replaced],
])('a client that %s does not reconnect', async (_, code) => {
  const { handle, disconnects } = await connectTo((socket) => socket.close(code, 'the reason'));
  expect(await handle.closed).toBe('the reason');
  expect(disconnects()).toEqual([]);
});
