import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server as NetServer } from 'node:net';
import { log } from '@/lib/platform/log';

/**
 * Sockets that listen on the port. Node accepts one connection of each in a pass of its event loop, and a pass takes milliseconds while
 * pages are rendered: with one socket, 500 new connections a second fill its queue, and everybody's next one waits for seconds.
 */
const LISTENERS = 8;

/**
 * Listens on a port of all addresses, with several sockets where Node can share a port (22.12 or newer, on Linux), else with one.
 * @returns the port, and a function that stops listening and resolves when all connections have ended
 * @throws Error with the code EADDRINUSE, also when another program would share the port
 */
export async function listen(server: Server, wanted: number): Promise<{ port: number; close: () => Promise<void> }> {
  const isShared = process.platform === 'linux';
  let port = wanted;
  if (isShared) {
    const probe = createServer();
    port = await listenOn(probe, { port });
    await close(probe);
  }
  port = await listenOn(server, { port, reusePort: isShared });
  const servers: NetServer[] = [server];
  while (isShared && servers.length < LISTENERS) {
    const another = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
    try {
      await listenOn(another, { port, reusePort: true });
    } catch {
      // This Node does not know the option, so the port is taken.
      break;
    }
    servers.push(another);
  }
  return {
    port,
    close: async () => {
      await Promise.all(servers.map(close));
    },
  };
}

/** The types of Node 20 lack the option, which it ignores. */
type SharedPort = ListenOptions & { reusePort?: boolean };

async function listenOn(server: NetServer, options: SharedPort): Promise<number> {
  server.listen(options);
  await once(server, 'listening');
  server.on('error', (error) => log().warn({ err: error }, 'a connection could not be accepted'));
  return (server.address() as AddressInfo).port;
}

function close(server: NetServer): Promise<unknown> {
  return new Promise((resolve) => server.close(resolve));
}
