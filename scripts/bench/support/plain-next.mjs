// Next without the web entry of the service: the cost of a route handler that is not served before Next.
import { createServer } from 'node:http';
import next from 'next';

const app = next({ dev: false, dir: process.cwd(), quiet: true });
process.on('disconnect', () => process.exit());
await app.prepare();
const handle = app.getRequestHandler();
createServer((message, response) => void handle(message, response)).listen(Number(process.env.PORT), '127.0.0.1', () =>
  process.send?.({ type: 'ready' }),
);
