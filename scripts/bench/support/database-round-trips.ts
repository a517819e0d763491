import { randomBytes } from 'node:crypto';
import pg from 'pg';

const BYTES = 2 * 1024;

/**
 * Sends requests of 2 KiB to another connection and gets responses of 2 KiB back, through an unlogged table and NOTIFY: how
 * web processes could exchange bodies without a connection between them.
 * @returns the time of each round trip, in milliseconds
 */
export async function measureDatabaseRoundTrips(databaseUrl: string, count: number): Promise<number[]> {
  const [asker, answerer] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)];
  await Promise.all([asker.connect(), answerer.connect()]);
  const body = randomBytes(BYTES);
  const send = (client: pg.Client, id: number, channel: string) =>
    client.query(
      `WITH sent AS (INSERT INTO bench_messages (id, channel, body) VALUES ($1, $2, $3) RETURNING id)
       SELECT pg_notify($2, id::text) FROM sent`,
      [id, channel, body],
    );
  const take = (client: pg.Client, id: number, channel: string) =>
    client.query('DELETE FROM bench_messages WHERE id = $1 AND channel = $2 RETURNING body', [id, channel]);
  try {
    await asker.query(
      'CREATE UNLOGGED TABLE bench_messages (id int, channel text, body bytea, PRIMARY KEY (id, channel))',
    );
    await asker.query('LISTEN bench_answers');
    await answerer.query('LISTEN bench_requests');
    answerer.on('notification', async ({ payload }) => {
      await take(answerer, Number(payload), 'bench_requests');
      await send(answerer, Number(payload), 'bench_answers');
    });
    const timesMs: number[] = [];
    for (let id = 0; id < count; id++) {
      const startedAt = performance.now();
      const answered = new Promise((resolve) => asker.once('notification', resolve));
      await send(asker, id, 'bench_requests');
      await answered;
      await take(asker, id, 'bench_answers');
      timesMs.push(performance.now() - startedAt);
    }
    return timesMs;
  } finally {
    await asker.query('DROP TABLE bench_messages');
    await Promise.all([asker.end(), answerer.end()]);
  }
}
