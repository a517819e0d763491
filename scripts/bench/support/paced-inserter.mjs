// The client of the baseline: commits single rows at a fixed rate, and reports the CPU time of this process.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { atPace } from './pace.mjs';

const PAYLOAD = JSON.stringify({ orderId: 'ord_8f2c1', amount: 4200, currency: 'EUR', customer: { id: 'c19' } });
const client = new pg.Client({ connectionString: process.argv[2] });
await client.connect();
await client.query('CREATE TABLE baseline (id uuid PRIMARY KEY, payload text, created_at timestamptz DEFAULT now())');

process.on('disconnect', () => process.exit());
process.on('message', async (/** @type {{ perSecond: number, ms: number }} */ { perSecond, ms }) => {
  const before = process.cpuUsage();
  const { length: operations } = await atPace(perSecond, ms, () => {
    const values = [randomUUID(), PAYLOAD];
    return client.query({ name: 'insert', text: 'INSERT INTO baseline (id, payload) VALUES ($1, $2)', values });
  });
  const { user, system } = process.cpuUsage(before);
  process.send?.({ operations, cpuMs: (user + system) / 1000 });
});
process.send?.('ready');
