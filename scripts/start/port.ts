import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, probePort } from '@/lib/platform/free-port';
import { Refusal } from './refusal.mjs';

/**
 * The port to serve on: the given one, or for 0 a free one.
 *
 * @param patienceMs how long to wait for a port that is taken: an orphan of a killed start may still be draining
 * @throws Refusal when it stays taken or may not be used
 */
export async function choosePort(port: number, patienceMs = 0): Promise<number> {
  if (port === 0) return findFreePort();
  for (const end = performance.now() + patienceMs; ; await sleep(100)) {
    const error = await probePort(port);
    if (error === null) return port;
    if (error === 'EADDRINUSE' && performance.now() < end) continue;
    const fault = error === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${error})`;
    throw new Refusal(`PORT: ${port} ${fault}; stop the program that uses it, or set another PORT (default: 3000)`);
  }
}
