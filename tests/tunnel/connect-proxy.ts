import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';

interface ProxyRules {
  /** `user:password` that it requires. */
  credentials?: string;
  /** Where a host and port lead, for names that no DNS knows. */
  routes?: Record<string, number>;
}

/** An HTTP proxy of this machine that takes CONNECT. */
export interface ConnectProxy {
  port: number;
  /** The hosts and ports that were asked for, in their order. */
  asked: string[];
  /** Bytes that clients sent through it. */
  seen(): string;
}

/** Starts one on a free port; it closes after the test. */
export async function startConnectProxy({ credentials, routes = {} }: ProxyRules = {}): Promise<ConnectProxy> {
  const asked: string[] = [];
  const sockets = new Set<Duplex>();
  let seen = '';
  const server = createServer((_message, response) => void response.writeHead(400).end());
  server.on('connect', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    const [host = '', port = ''] = (message.url ?? '').split(/:(?=\d+$)/);
    asked.push(`${host}:${port}`);
    socket.on('error', () => undefined);
    sockets.add(socket);
    const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    if (expected !== undefined && message.headers['proxy-authorization'] !== expected) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="p"\r\n\r\n');
      return;
    }
    // A proxy that hangs.
    if (host === 'nowhere.example') return;
    const routed = routes[`${host}:${port}`];
    const target = connect(routed === undefined ? { host, port: Number(port) } : { host: '127.0.0.1', port: routed });
    sockets.add(target);
    target.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    target.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.write(head);
      socket.on('data', (chunk: Buffer) => {
        seen += chunk.toString('latin1');
        target.write(chunk);
      });
      target.pipe(socket);
    });
    target.once('close', () => socket.destroy());
    socket.once('close', () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked, seen: () => seen };
}
