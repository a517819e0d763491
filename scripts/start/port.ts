import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, probePort } from '@/lib/platform/free-port';
import { StartupError } from './startup-error.mjs';

/**
 * Returns the port to serve on: the given one, or a free one for 0.
 *
 * @param waitMs how long to wait for a port in use: an orphan of a killed start may still be draining
 * @throws StartupError when it stays in use or is not allowed
 */
export async function choosePort(port: number, waitMs = 0): Promise<number> {
  if (port === 0) return findFreePort();
  for (const end = performance.now() + waitMs; ; await sleep(100)) {
    const error = await probePort(port);
    if (error === null) return port;
    if (error === 'EADDRINUSE' && performance.now() < end) continue;
    const fault = error === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${error})`;
    throw new StartupError(
      `PORT: ${port} ${fault}; stop the program that uses it, or set another PORT (default: 3000)`,
    );
  }
}
