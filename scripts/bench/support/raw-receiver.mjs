// A receiver of webhooks in a separate process: `raw-receiver.mjs ok|fail|hang PORTS`. It responds with 200, responds with
// 500, or accepts and never responds, and records when each event first arrived. It uses raw sockets to save CPU, because it
// shares the machine with what is measured.
import { createServer } from 'node:net';

const [behavior, portCount] = [process.argv[2], Number(process.argv[3])];
const answer = Buffer.from(`HTTP/1.1 ${behavior === 'ok' ? '200 OK' : '500 Failed'}\r\nContent-Length: 2\r\n\r\nok`);

/** @type {Map<string, number>} */
let firstSeenAt = new Map();
/** @type {Set<string>} */
let repeated = new Set();
let [requests, open, mostOpen] = [0, 0, 0];

/** @param {import('node:net').Socket} socket */
function serve(socket) {
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
      note(pending.toString('latin1', 0, pending.indexOf('\r\n\r\n')));
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

/** @param {string} head */
function note(head) {
  requests++;
  const id = /webhook-id: *(\S+)/i.exec(head)?.[1] ?? '';
  if (firstSeenAt.has(id)) repeated.add(id);
  else firstSeenAt.set(id, performance.timeOrigin + performance.now());
}

const ports = await Promise.all(
  Array.from(
    { length: portCount },
    () =>
      new Promise((resolve) => {
        const server = createServer(serve).listen(0, '127.0.0.1', () => {
          const address = server.address();
          resolve(typeof address === 'object' ? address?.port : 0);
        });
      }),
  ),
);
process.on('disconnect', () => process.exit());
process.on('message', (command) => {
  if (command === 'reset') {
    [firstSeenAt, repeated] = [new Map(), new Set()];
    [requests, mostOpen] = [0, open];
  }
  const seen = command === 'times' ? [...firstSeenAt] : [];
  process.send?.({ requests, events: firstSeenAt.size, repeated: repeated.size, open, mostOpen, seen });
});
process.send?.({ ports });
