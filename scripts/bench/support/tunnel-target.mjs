// A local server in a separate process: answers GET with a small document, GET /large with 10 MB, and reads other bodies.
import { createServer } from 'node:http';

const SMALL = JSON.stringify({ orderId: 'ord_8f2c1', amount: 4200, currency: 'EUR', items: 'x'.repeat(400) });
const LARGE = Buffer.alloc(10 * 1024 * 1024, 'x');

const server = createServer((message, response) => {
  message.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(message.url === '/large' ? LARGE : SMALL);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
process.on('disconnect', () => process.exit());
