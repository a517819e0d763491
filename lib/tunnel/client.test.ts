import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { openTunnel, type TunnelStatus } from './client';
import { encodeFrame } from './protocol/frames';
import { encodeHead } from './protocol/heads';
import { FRAME, SUBPROTOCOL } from './protocol/protocol';

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
    onStatus: (status) => statuses.push(status),
  });
  onTestFinished(async () => {
    await handle.close();
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  return { handle, statuses };
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
