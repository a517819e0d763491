import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import { closeDatabase } from '@/lib/platform/db';
import { readArguments } from './support/bench-arguments';
import { quantile } from './support/latencies';
import { requestAtPace } from './support/paced-requests';
import { residentMb } from './support/process-cost';
import { checkFigure, checkValue, reportFigure } from './support/report';
import { startStack } from './support/stack';
import { startTunnelStack, type TunnelStack } from './support/tunnel-stack';

const [PER_SECOND, WARM_UP_MS, LARGE_BODIES, LARGE_BYTES, SETTLE_MS] = [200, 5_000, 10, 10 * 1024 * 1024, 1_000];
/** The first batch of large bodies, and four more. */
const LARGE_BATCHES = 5;
const FULL = { rounds: 5, roundMs: 12_000, roundTrips: 1_000 };
const QUICK = { rounds: 2, roundMs: 4_000, roundTrips: 200 };

interface Round {
  directMs: number[];
  tunnelMs: number[];
  /** Through a web process that the client is not connected to. */
  peerMs: number[];
  webMb: number;
  clientMb: number;
}

/**
 * Latency of requests through a tunnel, compared with the same requests without it in the same run; and the memory of the web
 * process and of the client over 12,000 requests and ten bodies of 10 MB each way. Linux only.
 */
export async function main(args: string[]): Promise<void> {
  const lengths = readArguments(args).isQuick ? QUICK : FULL;
  const stack = await startStack();
  const tunnel = await startTunnelStack(stack);
  try {
    const [direct, holder, other] = [tunnel.direct, tunnel.holder, tunnel.other].map(
      (origin) => new Pool(origin, { connections: 32 }),
    );
    const path = `${tunnel.prefix}/orders?limit=20`;
    const at = (pool: Pool | undefined, where: string, ms: number) =>
      requestAtPace(pool as Pool, where, {}, PER_SECOND, ms);
    for (const pool of [holder, other]) await at(pool, path, WARM_UP_MS);
    const rounds: Round[] = [];
    for (let round = 1; round <= lengths.rounds; round++) {
      process.stdout.write(`round ${round} of ${lengths.rounds}\n`);
      const directMs = await at(direct, '/orders?limit=20', lengths.roundMs);
      const tunnelMs = await at(holder, path, lengths.roundMs);
      const peerMs = await at(other, path, lengths.roundMs / 4);
      rounds.push({ directMs, tunnelMs, peerMs, ...memoryOf(tunnel) });
    }
    reportRounds(rounds);
    await measureLargeBodies(tunnel, holder as Pool);
    const databaseMs = await measureDatabaseRoundTrips(stack.databaseUrl, lengths.roundTrips);
    reportFigure('2 KiB there and back through the database, p50', [quantile(databaseMs, 0.5)], ' ms');
    reportFigure('2 KiB there and back through the database, p95', [quantile(databaseMs, 0.95)], ' ms');
  } finally {
    await closeDatabase();
    tunnel.stop();
    await stack.stop();
  }
}

function memoryOf({ web, client }: TunnelStack) {
  return { webMb: residentMb(web.pid, 'VmRSS'), clientMb: residentMb(client.pid, 'VmRSS') };
}

function reportRounds(rounds: readonly Round[]): void {
  const at = (key: 'directMs' | 'tunnelMs' | 'peerMs', q: number) => rounds.map((round) => quantile(round[key], q));
  const added = (key: 'tunnelMs' | 'peerMs', q: number) =>
    at(key, q).map((ms, round) => ms - (at('directMs', q)[round] ?? Number.NaN));
  for (const q of [0.5, 0.95]) {
    const name = `p${q * 100}`;
    reportFigure(`direct, ${name}`, at('directMs', q), ' ms');
    reportFigure(`through the tunnel, ${name}`, at('tunnelMs', q), ' ms');
    reportFigure(`through the tunnel and another web process, ${name}`, at('peerMs', q), ' ms');
  }
  const requests = rounds.reduce((sum, { tunnelMs }) => sum + tunnelMs.length, 0);
  reportFigure('requests through the tunnel', [requests]);
  checkFigure('added p95', added('tunnelMs', 0.95), { atMost: 30 }, ' ms');
  reportFigure('added p95 by another web process as well', added('peerMs', 0.95), ' ms');
  for (const part of ['webMb', 'clientMb'] as const) {
    reportFigure(
      `resident memory, ${part.replace('Mb', '')}`,
      rounds.map((round) => round[part]),
      ' MB',
    );
    const growth = (rounds.at(-1)?.[part] ?? Number.NaN) - (rounds[0]?.[part] ?? Number.NaN);
    checkValue(`growth after the first round, ${part.replace('Mb', '')}`, growth, { atMost: 32 }, ' MB');
  }
}

/** Sends bodies of 10 MB in one direction and then in the other, and compares memory before and after. */
async function measureLargeBodies(tunnel: TunnelStack, pool: Pool): Promise<void> {
  const body = Buffer.alloc(LARGE_BYTES, 'x');
  const batches = [memoryOf(tunnel)];
  for (let batch = 0; batch < LARGE_BATCHES; batch++) {
    for (let count = 0; count < LARGE_BODIES; count++) {
      const sent = await pool.request({ method: 'POST', path: `${tunnel.prefix}/`, body });
      await sent.body.dump();
      const { statusCode, body: received } = await pool.request({ method: 'GET', path: `${tunnel.prefix}/large` });
      const bytes = (await received.arrayBuffer()).byteLength;
      if (sent.statusCode !== 200 || statusCode !== 200 || bytes !== LARGE_BYTES) throw new Error('a body was lost');
    }
    await sleep(SETTLE_MS);
    batches.push(memoryOf(tunnel));
  }
  for (const part of ['webMb', 'clientMb'] as const) {
    const [before = 0, first = 0, ...later] = batches.map((memory) => memory[part]);
    const name = part.replace('Mb', '');
    checkValue(`growth by ten bodies of 10 MB each way, ${name}`, first - before, { atMost: 64 }, ' MB');
    // The first batch fills the buffers of the runtime, so a leak shows in the later ones.
    checkValue(`growth by forty more, ${name}`, (later.at(-1) ?? 0) - first, { atMost: 16 }, ' MB');
  }
}

const BYTES = 2 * 1024;

/**
 * Sends requests of 2 KiB to another connection and gets responses of 2 KiB back, through an unlogged table and NOTIFY: how
 * web processes could exchange bodies without a connection between them.
 * @returns the time of each round trip, in milliseconds
 */
async function measureDatabaseRoundTrips(databaseUrl: string, count: number): Promise<number[]> {
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
