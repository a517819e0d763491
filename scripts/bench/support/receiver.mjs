// A receiver of webhooks in a separate process: responds with 200 after the milliseconds of its argument, counts, and records when each event first arrived.
import { createServer } from 'node:http';

/** @type {Map<string, number>} */
let firstSeenAt = new Map();
let requests = 0;
const delayMs = Number(process.argv[2] ?? 0);

const server = createServer((message, response) => {
  requests++;
  const id = String(message.headers['webhook-id']);
  if (!firstSeenAt.has(id)) firstSeenAt.set(id, performance.timeOrigin + performance.now());
  const respond = () => response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
  message.resume().on('end', () => (delayMs === 0 ? respond() : setTimeout(respond, delayMs)));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ type: 'ready', port: typeof address === 'object' ? address?.port : 0 });
});

process.on('message', (/** @type {string} */ command) => {
  if (command === 'reset') {
    firstSeenAt = new Map();
    requests = 0;
  }
  const seen = command === 'times' ? [...firstSeenAt] : [];
  process.send?.({ type: command, requests, events: firstSeenAt.size, seen });
});
