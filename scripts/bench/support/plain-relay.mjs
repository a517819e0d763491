// The limit of light load: a client that commits single rows at a fixed rate, and a server that does the least that a delivery can
// do: it commits an event, posts it to a receiver, and records the result without waiting for the disk.
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import pg from 'pg';
import { atPace } from './pace.mjs';

const PAYLOAD = JSON.stringify({ orderId: 'ord_8f2c1', amount: 4200, currency: 'EUR', customer: { id: 'c19' } });
const [connectionString, ...ports] = process.argv.slice(2);
const [client, recorder] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
await Promise.all([client.connect(), recorder.connect()]);
await recorder.query('SET synchronous_commit = off');
await client.query(
  'CREATE TABLE baseline (id uuid PRIMARY KEY, payload text, created_at timestamptz DEFAULT now(), status int)',
);
/** @param {string} payload */
async function insert(payload) {
  const id = randomUUID();
  const values = [id, payload];
  await client.query({ name: 'insert', text: 'INSERT INTO baseline (id, payload) VALUES ($1, $2)', values });
  return id;
}
/** @param {string} id @param {number | undefined} status */
function record(id, status) {
  return recorder.query({
    name: 'record',
    text: 'UPDATE baseline SET status = $2 WHERE id = $1',
    values: [id, status],
  });
}
const agent = new http.Agent({ keepAlive: true });
let sent = 0;
/** @param {string} id @param {string} body @returns {Promise<number | undefined>} the status of the response */
function post(id, body) {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'webhook-id': id };
  const target = { host: '127.0.0.1', port: Number(ports[sent++ % ports.length]), method: 'POST', agent, headers };
  return new Promise((resolve, reject) => {
    const request = http.request(target, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    request.once('error', reject).end(body);
  });
}
const server = http.createServer((message, response) => {
  let body = '';
  message.setEncoding('utf8').on('data', (chunk) => {
    body += chunk;
  });
  message.on('end', async () => {
    const id = await insert(body);
    response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ id }));
    await record(id, await post(id, body));
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
