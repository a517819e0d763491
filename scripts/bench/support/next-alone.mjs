// Next as it answers without the service's web entry: what a route handler pays that is not on the fast lane.
import { createServer } from 'node:http';
import next from 'next';

const app = next({ dev: false, dir: process.cwd(), quiet: true });
await app.prepare();
const handle = app.getRequestHandler();
createServer((message, response) => void handle(message, response)).listen(Number(process.env.PORT), '127.0.0.1', () =>
  process.send?.({ type: 'ready' }),
);
