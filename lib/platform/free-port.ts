import { randomInt } from 'node:crypto';
import net from 'node:net';

/*
 * Below every system's ephemeral range (Linux from 32768, others from 49152). A port out of that range, as listening on 0
 * gives it, may be taken by any outgoing connection between this moment and the one in which it is used.
 */
const [LOWEST_PORT, HIGHEST_PORT] = [10_000, 29_999];
const TRIES = 100;

/** A port that nothing listens on, and that no outgoing connection will take. */
export async function findFreePort(host?: string): Promise<number> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT + 1);
    if ((await probePort(port, host)) === null) return port;
  }
  throw new Error(`no free port between ${LOWEST_PORT} and ${HIGHEST_PORT}`);
}

/** Null when the port can be listened on, else the code of the error, such as EADDRINUSE. */
export function probePort(port: number, host?: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => server.close(() => resolve(null)));
  });
}
