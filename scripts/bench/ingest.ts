import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { database } from '@/lib/platform/db';
import { findFreePort } from '@/lib/platform/free-port';
import { startChild } from './support/children';
import { checkFigure, quantile, ratiosOf, reportFigure, say } from './support/figures';
import { httpRequest, type LoadResult, loadHttp, requireAccepted } from './support/http-load';
import { seedProject } from './support/seed';
import { withStack } from './support/stack';

const ROUNDS = 5;
const ROUND_MS = 6_000;
const CONNECTIONS = 64;
const DATA = JSON.stringify({
  orderId: 'ord_8f2c1',
  amount: 4200,
  currency: 'EUR',
  customer: { id: 'c19', tier: 'gold' },
});
const BODY = `{"type":"order.paid","data":${DATA}}`;

/**
 * Throughput of events over HTTP, compared with two limits measured in the same run: one-row inserts of the same data (one
 * commit per event, on the database alone), and a Next route handler with a constant response.
 */
export function main(): Promise<void> {
  return withStack(async (stack) => {
    const { key } = await seedProject();
    const { port } = await stack.startWeb();
    const nextPort = await findFreePort();
    const environment = { ...stack.environment, PORT: String(nextPort) };
    await startChild('scripts/bench/support/plain-next.mjs', [], environment);
    const send = httpRequest('POST', '/api/v1/events', { 'Content-Type': 'application/json', 'X-API-Key': key }, BODY);
    const constant = httpRequest('GET', '/api/health/live', {});
    const inserts = await prepareOneRowInserts(stack.databaseUrl, DATA);
    await loadHttp(port, send, CONNECTIONS, 2_000);
    await loadHttp(nextPort, constant, CONNECTIONS, 2_000);
    const [oneRow, ingest, handler]: [number[], LoadResult[], number[]] = [[], [], []];
    for (let round = 1; round <= ROUNDS; round++) {
      say(`round ${round} of ${ROUNDS}`);
      oneRow.push(await inserts.measure(ROUND_MS));
      ingest.push(requireAccepted(await loadHttp(port, send, CONNECTIONS, ROUND_MS)));
      handler.push((await loadHttp(nextPort, constant, CONNECTIONS, ROUND_MS / 2)).perSecond);
      await database().query('TRUNCATE outbox, bench_events');
    }
    const perSecond = ingest.map((result) => result.perSecond);
    const p95 = ingest.map((result) => quantile(result.latenciesMs, 0.95));
    reportFigure(`one-row inserts/s (${inserts.tool})`, oneRow);
    reportFigure(`events/s over HTTP, ${CONNECTIONS} connections`, perSecond);
    reportFigure('p95 latency under that load', p95, ' ms');
    reportFigure('responses/s of a constant Next route handler', handler);
    checkFigure('RATIO events ÷ one-row inserts', ratiosOf(perSecond, oneRow), { atLeast: 0.4 });
    checkFigure('RATIO events ÷ constant Next route handler', ratiosOf(perSecond, handler), { atLeast: 5 });
  });
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
      const options = `-n -M prepared -c ${CLIENTS} -j 1 -T ${seconds} -f`.split(' ');
      const { stdout } = await run('pgbench', [...options, script, databaseUrl]);
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
