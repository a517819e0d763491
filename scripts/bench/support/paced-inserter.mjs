// The client of the baseline: commits single rows at a fixed rate, and reports the CPU time of this process.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const PAYLOAD = JSON.stringify({ orderId: 'ord_8f2c1', amount: 4200, currency: 'EUR', customer: { id: 'c19' } });
const client = new pg.Client({ connectionString: process.argv[2] });
await client.connect();
await client.query('CREATE TABLE baseline (id uuid PRIMARY KEY, payload text, created_at timestamptz DEFAULT now())');

process.on('disconnect', () => process.exit());
process.on('message', async (/** @type {{ perSecond: number, ms: number }} */ { perSecond, ms }) => {
  const before = process.cpuUsage();
  const started = performance.now();
  let operations = 0;
  for (; operations < (perSecond * ms) / 1000; operations++) {
    const waitMs = started + (operations * 1000) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const values = [randomUUID(), PAYLOAD];
    await client.query({ name: 'insert', text: 'INSERT INTO baseline (id, payload) VALUES ($1, $2)', values });
  }
  const { user, system } = process.cpuUsage(before);
  process.send?.({ operations, cpuMs: (user + system) / 1000 });
});
process.send?.('ready');
