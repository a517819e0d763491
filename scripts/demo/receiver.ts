import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf } from './history';
import { RECEIVERS } from './receivers';

/** The same in each run, so that the URLs of the endpoints stay. */
const PORT = 4747;
const MAX_DELAY_MS = 8_000;

/** The receiver of the demo: it answers like the receivers of the history did last. */
export async function startReceiver(): Promise<{ address: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => void answer(request.url ?? '/', response));
  });
  await listen(server, PORT).catch(() => listen(server, 0));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(path: string, response: ServerResponse): Promise<void> {
  const receiver = RECEIVERS.find((each) => each.path === path);
  const given = receiver?.answer(Math.random, 0) ?? { status: 200, durationMs: 30 };
  await sleep(Math.min(given.durationMs, MAX_DELAY_MS));
  // A receiver that does not answer would hold slots of the worker; it hangs up instead.
  if (given.status === null) return void response.destroy();
  response.writeHead(given.status, { 'Content-Type': 'application/json' });
  response.end(bodyOf(Math.random, given));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}
