import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { database } from '@/lib/platform/db';

const CLIENTS = 16;
const run = promisify(execFile);

/** The upper bound for ingest: inserts with one row and one commit each, into a table like `events`. */
export interface OneRowInserts {
  /** Name of the client. */
  tool: string;
  /** Returns the inserts per second over `ms` milliseconds. */
  measure(ms: number): Promise<number>;
}

/** Uses pgbench when it is installed, else slower clients in this process; the report names the tool. */
export async function prepareOneRowInserts(databaseUrl: string, payload: string): Promise<OneRowInserts> {
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
