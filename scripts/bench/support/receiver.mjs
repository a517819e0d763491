// A receiver of webhooks in a separate process: `receiver.mjs http|ok|fail|hang PORTS DELAY_MS`. It counts, and records when each event
// first arrived. The last three use raw sockets to save CPU, because they share the machine with what is measured.
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , behavior, portCount, delayMs] = process.argv;
const answer = Buffer.from(`HTTP/1.1 ${behavior === 'ok' ? '200 OK' : '500 Failed'}\r\nContent-Length: 2\r\n\r\nok`);

/** @type {Map<string, number>} */
let firstSeenAt = new Map();
/** @type {Set<string>} */
let repeated = new Set();
let requests = 0;
let open = 0;
let mostOpen = 0;

/** @param {string} id */
function note(id) {
  requests++;
  if (firstSeenAt.has(id)) repeated.add(id);
  else firstSeenAt.set(id, performance.timeOrigin + performance.now());
}

/** @param {http.IncomingMessage} message @param {http.ServerResponse} response */
function serve(message, response) {
  note(String(message.headers['webhook-id']));
  message.resume().on('end', async () => {
    if (delayMs !== '0') await sleep(Number(delayMs));
    response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
  });
}

/** @param {net.Socket} socket */
function serveRaw(socket) {
  open++;
  mostOpen = Math.max(mostOpen, open);
  socket.on('error', () => undefined).on('close', () => open--);
  if (behavior === 'hang') {
    socket.resume();
    return;
  }
  socket.setNoDelay(true);
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (let length = requestLength(); length !== null && pending.length >= length; length = requestLength()) {
      const head = pending.toString('latin1', 0, pending.indexOf('\r\n\r\n'));
      note(/webhook-id: *(\S+)/i.exec(head)?.[1] ?? '');
      pending = pending.subarray(length);
      socket.write(answer);
    }
  });
  function requestLength() {
    const headEnd = pending.indexOf('\r\n\r\n');
    if (headEnd === -1) return null;
    const declared = /content-length: *(\d+)/i.exec(pending.toString('latin1', 0, headEnd));
    return headEnd + 4 + Number(declared?.[1] ?? 0);
  }
}

const listen = () =>
  new Promise((resolve) => {
    const server =
      behavior === 'http' ? http.createServer({ keepAliveTimeout: 60_000 }, serve) : net.createServer(serveRaw);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' ? address?.port : 0);
    });
  });
const ports = await Promise.all(Array.from({ length: Number(portCount) }, listen));
process.on('disconnect', () => process.exit());
process.on('message', (command) => {
  if (command === 'reset') {
    [firstSeenAt, repeated] = [new Map(), new Set()];
    [requests, mostOpen] = [0, open];
  }
  const seen = command === 'times' ? [...firstSeenAt] : [];
  process.send?.({ requests, events: firstSeenAt.size, repeated: repeated.size, mostOpen, seen });
});
process.send?.({ ports });
