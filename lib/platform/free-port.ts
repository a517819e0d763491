import { randomInt } from 'node:crypto';
import net from 'node:net';

/*
 * Below every system's ephemeral range (Linux from 32768, others from 49152). A port from that range, as listening on 0
 * returns it, may be taken by any outgoing connection before it is used.
 */
const LOWEST_PORT = 10_000;
const HIGHEST_PORT = 29_999;
const TRIES = 100;

/** Returns a port that nothing listens on and that no outgoing connection takes. */
export async function findFreePort(host?: string): Promise<number> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT + 1);
    if ((await probePort(port, host)) === null) return port;
  }
  throw new Error(`no free port between ${LOWEST_PORT} and ${HIGHEST_PORT}`);
}

/** Returns null if the port is free, else the code of the error, such as EADDRINUSE. */
export function probePort(port: number, host?: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => server.close(() => resolve(null)));
  });
}
