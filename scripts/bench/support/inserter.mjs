// Inserts attempts one after the other on a few connections. It is a separate process, so that the latencies are those of the
// database and not of a busy event loop.
import pg from 'pg';

const [databaseUrl, connections] = process.argv.slice(2);
/** @type {number[]} Milliseconds of each insert since the last message. */
let latenciesMs = [];

/** Does not wait for the disk, like the worker; the latencies then show the cost of locks. */
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
process.on('disconnect', () => process.exit());
for (let n = 0; n < Number(connections); n++) void insertForEver();
process.send?.('ready');
