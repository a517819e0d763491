// The limit of light load: a client that commits single rows at a fixed rate, and a server that commits one for each request.
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import pg from 'pg';
import { atPace } from './pace.mjs';

const PAYLOAD = JSON.stringify({ orderId: 'ord_8f2c1', amount: 4200, currency: 'EUR', customer: { id: 'c19' } });
const client = new pg.Client({ connectionString: process.argv[2] });
await client.connect();
await client.query('CREATE TABLE baseline (id uuid PRIMARY KEY, payload text, created_at timestamptz DEFAULT now())');
/** @param {string} payload */
async function insert(payload) {
  const id = randomUUID();
  await client.query({
    name: 'insert',
    text: 'INSERT INTO baseline (id, payload) VALUES ($1, $2)',
    values: [id, payload],
  });
  return id;
}
const server = http.createServer((message, response) => {
  let body = '';
  message.setEncoding('utf8').on('data', (chunk) => {
    body += chunk;
  });
  message.on('end', async () => {
    response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ id: await insert(body) }));
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));

process.on('disconnect', () => process.exit());
process.on('message', async (/** @type {{ perSecond: number, ms: number }} */ { perSecond, ms }) => {
  const before = process.cpuUsage();
  const { length: operations } = await atPace(perSecond, ms, () => insert(PAYLOAD));
  const { user, system } = process.cpuUsage(before);
  process.send?.({ operations, cpuMs: (user + system) / 1000 });
});
