// Inserts attempts one after the other on a few connections, in a process of its own: what is measured is the database, and
// not the event loop of a benchmark that does other things.
import pg from 'pg';

const [databaseUrl, connections] = process.argv.slice(2);
/** @type {number[]} Milliseconds of each insert since the last question. */
let latenciesMs = [];

/** As the worker writes: without waiting for the disk, so that what is seen is what locks cost. */
async function insertForEver() {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("SET synchronous_commit = off; SET event_delivery.attempts_counted = 'on'");
  for (;;) {
    const startedAt = performance.now();
    await client.query({
      name: 'insert',
      text: `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded)
             SELECT id, id, id, 1, now(), 20, random() < 0.5 FROM gen_random_uuid() id`,
    });
    latenciesMs.push(performance.now() - startedAt);
  }
}

process.on('message', () => {
  process.send?.(latenciesMs);
  latenciesMs = [];
});
for (let n = 0; n < Number(connections); n++) void insertForEver();
process.send?.('ready');
