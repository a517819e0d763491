import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from './refusal.mjs';

/**
 * The port to serve on: the given one, or for 0 a free one.
 *
 * @param patienceMs how long to wait for a port that is taken: an orphan of a killed start may still be draining
 * @throws Refusal when it stays taken or may not be used
 */
export async function choosePort(port: number, patienceMs = 0): Promise<number> {
  for (const end = performance.now() + patienceMs; ; await sleep(100)) {
    const answer = await tryPort(port);
    if (typeof answer === 'number') return answer;
    if (answer === 'EADDRINUSE' && performance.now() < end) continue;
    const fault = answer === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${answer})`;
    throw new Refusal(`PORT: ${port} ${fault}; stop the program that uses it, or set another PORT (default: 3000)`);
  }
}

/** The port that listening gave, or the code of the error. */
function tryPort(port: number): Promise<number | string> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}
