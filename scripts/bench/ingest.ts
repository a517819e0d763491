import { execFile, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { closeDatabase, database } from '@/lib/platform/db';
import { findFreePort } from '@/lib/platform/free-port';
import { httpRequest, type LoadResult, loadHttp } from './support/http-load';
import { median, quantile, summarize } from './support/latencies';
import { seedProject } from './support/seed';
import { startStack } from './support/stack';

const [ROUNDS, ROUND_MS, CONNECTIONS] = [5, 6_000, 64];
const DATA = JSON.stringify({
  orderId: 'ord_8f2c1',
  amount: 4200,
  currency: 'EUR',
  customer: { id: 'c19', tier: 'gold' },
});
const BODY = `{"type":"order.paid","data":${DATA}}`;

interface Rounds {
  oneRow: number[];
  ingest: LoadResult[];
  constant: number[];
}

/**
 * Throughput of events over HTTP, compared with two limits measured in the same run: one-row inserts of the same data (one
 * commit per event, on the database alone), and a Next route handler with a constant response.
 */
export async function main(): Promise<void> {
  const stack = await startStack();
  try {
    const { key } = await seedProject();
    const [port, nextPort] = [await findFreePort(), await findFreePort()];
    await stack.startPart('web', { PORT: String(port) });
    const plainNext = fork('scripts/bench/support/plain-next.mjs', {
      env: { ...stack.environment, PORT: String(nextPort) } as unknown as NodeJS.ProcessEnv,
    });
    await once(plainNext, 'message');
    const send = httpRequest('POST', '/api/v1/events', { 'Content-Type': 'application/json', 'X-API-Key': key }, BODY);
    const constant = httpRequest('GET', '/api/health/live', {});
    const oneRow = await prepareOneRowInserts(stack.databaseUrl, DATA);
    await loadHttp(port, send, CONNECTIONS, 2_000);
    await loadHttp(nextPort, constant, CONNECTIONS, 2_000);
    const rounds: Rounds = { oneRow: [], ingest: [], constant: [] };
    for (let round = 1; round <= ROUNDS; round++) {
      process.stdout.write(`round ${round} of ${ROUNDS}\n`);
      rounds.oneRow.push(await oneRow.measure(ROUND_MS));
      rounds.ingest.push(await loadHttp(port, send, CONNECTIONS, ROUND_MS));
      rounds.constant.push((await loadHttp(nextPort, constant, CONNECTIONS, ROUND_MS / 2)).perSecond);
      await database().query('TRUNCATE outbox, bench_events');
    }
    plainNext.kill('SIGKILL');
    report(rounds, oneRow.tool);
  } finally {
    await closeDatabase();
    await stack.stop();
  }
}

function report({ oneRow, ingest, constant }: Rounds, tool: string): void {
  const perSecond = ingest.map((result) => result.perSecond);
  const statuses = ingest.flatMap((result) => Object.keys(result.statuses));
  if (statuses.some((status) => status !== '202')) throw new Error(`not every event got 202: ${statuses}`);
  const ratios = (others: number[]) => perSecond.map((value, round) => value / (others[round] ?? Number.NaN));
  const p95 = ingest.map((result) => quantile(result.latenciesMs, 0.95));
  const lines = [
    summarize(`one-row inserts/s (${tool})`, oneRow),
    summarize(`events/s over HTTP, ${CONNECTIONS} connections`, perSecond),
    summarize('p95 latency under that load', p95, ' ms'),
    summarize('responses/s of a constant Next route handler', constant),
    summarize('RATIO events ÷ one-row inserts (target ≥ 0.40)', ratios(oneRow)),
    summarize('RATIO events ÷ constant Next route handler (target ≥ 5)', ratios(constant)),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (median(ratios(oneRow)) < 0.4 || median(ratios(constant)) < 5) process.exitCode = 1;
}

const CLIENTS = 16;
const run = promisify(execFile);

/** The upper bound for ingest: inserts with one row and one commit each, into a table like `events`. */
interface OneRowInserts {
  /** Name of the client. */
  tool: string;
  /** Returns the inserts per second over `ms` milliseconds. */
  measure(ms: number): Promise<number>;
}

/** Uses pgbench when it is installed, else slower clients in this process; the report names the tool. */
async function prepareOneRowInserts(databaseUrl: string, payload: string): Promise<OneRowInserts> {
  await database().query('CREATE TABLE bench_events (LIKE events INCLUDING DEFAULTS INCLUDING INDEXES)');
  const sql = `INSERT INTO bench_events (id, project_id, type, payload) VALUES (gen_random_uuid(), '00000000-0000-7000-8000-000000000000', 'order.paid', '${payload}')`;
  const hasPgbench = spawnSync('pgbench', ['--version']).status === 0;
  return hasPgbench ? byPgbench(databaseUrl, sql) : byClients(databaseUrl, sql);
}

function byPgbench(databaseUrl: string, sql: string): OneRowInserts {
  const script = path.join(mkdtempSync(path.join(tmpdir(), 'bench-')), 'insert.sql');
  writeFileSync(script, `${sql};\n`);
  return {
    tool: `pgbench, ${CLIENTS} clients, prepared`,
    async measure(ms) {
      const seconds = String(Math.max(1, Math.round(ms / 1000)));
      const options = [
        '-n',
        '-M',
        'prepared',
        '-c',
        String(CLIENTS),
        '-j',
        '1',
        '-T',
        seconds,
        '-f',
        script,
        databaseUrl,
      ];
      const { stdout } = await run('pgbench', options);
      return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    },
  };
}

function byClients(databaseUrl: string, sql: string): OneRowInserts {
  return {
    tool: `node-postgres, ${CLIENTS} clients, prepared (pgbench is not installed)`,
    async measure(ms) {
      const clients = Array.from({ length: CLIENTS }, () => new pg.Client({ connectionString: databaseUrl }));
      await Promise.all(clients.map((client) => client.connect()));
      const end = performance.now() + ms;
      let inserted = 0;
      const insertAll = async (client: pg.Client) => {
        while (performance.now() < end) {
          await client.query({ name: 'insert', text: sql });
          inserted++;
        }
      };
      await Promise.all(clients.map(insertAll));
      await Promise.all(clients.map((client) => client.end()));
      return inserted / (ms / 1000);
    },
  };
}
