import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '@/tests/database/postgres';
import { type Cluster, prepareCluster } from './cluster';
import type { RunningServer } from './server';

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return (await client.query(sql).finally(() => client.end())).rows;
}

/** A process that has ended but was not reaped yet has no command line. */
function isAlive(pid: number): boolean {
  return fs.existsSync(`/proc/${pid}/cmdline`) && fs.readFileSync(`/proc/${pid}/cmdline`).length > 0;
}

// Elsewhere a process cannot be matched to its database: see endOrphanedBackends.
describe('a PostgreSQL that is killed', () => {
  const dataDir = makeTemporaryFolder();
  let cluster: Cluster;
  let server: RunningServer;

  async function start(): Promise<void> {
    server = cluster.start();
    await server.ready;
  }

  /** Runs a statement that never ends; resolves with the id of the server's process that runs it. */
  async function loopForEver(): Promise<number> {
    const client = new pg.Client({ connectionString: cluster.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    client.query('DO $$ BEGIN LOOP END LOOP; END $$').catch(() => undefined);
    const running = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO %'`;
    await expect.poll(() => query(cluster.adminUrl, running)).toHaveLength(1);
    return rows[0]?.pid ?? 0;
  }

  beforeAll(async () => {
    cluster = await prepareCluster({ dataDir, settings: { fsync: 'off' } });
  });
  afterEach(async () => {
    server.kill();
    await server.exited;
  });
  afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

  it('starts again on its data', async () => {
    await start();
    await query(cluster.databaseUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(server.pid ?? 0, 'SIGKILL');
    expect(await server.exited).toMatchObject({ signal: 'SIGKILL' });
    await start();
    expect(await query(cluster.databaseUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  // Elsewhere a process cannot be matched to its database: see endOrphanedBackends.
  if (process.platform !== 'linux') return;

  it('has ended every statement when its exit is reported', async () => {
    await start();
    const backend = await loopForEver();
    process.kill(server.pid ?? 0, 'SIGKILL');
    expect(await server.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(isAlive(backend)).toBe(false);
    await start();
  });

  it('starts again while a statement of the killed server still runs, after its owner was killed too', async () => {
    // Not started by startServer, so that nothing cleans up after it.
    const [program, args, options] = cluster.server.command;
    const orphan = spawn(program, args, { ...options, stdio: 'ignore' });
    await expect.poll(() => query(cluster.adminUrl, 'SELECT 1').catch(() => [])).toHaveLength(1);
    const backend = await loopForEver();
    orphan.kill('SIGKILL');
    await once(orphan, 'exit');
    expect(isAlive(backend)).toBe(true);
    cluster = await prepareCluster({ dataDir, settings: { fsync: 'off' } });
    await start();
    expect(isAlive(backend)).toBe(false);
  });
});
