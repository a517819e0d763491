import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { queryOnce as query } from '@/tests/database/empty-database';
import { makeTemporaryFolder } from '@/tests/database/postgres';
import { type Cluster, prepareCluster } from './cluster';
import type { RunningServer } from './server';

describe('the embedded PostgreSQL', () => {
  // Below a folder that only its owner may enter, as /root is: PostgreSQL then runs as another user, who cannot.
  const parent = makeTemporaryFolder();
  const dataDir = path.join(parent, 'data');
  const folder = path.join(dataDir, 'postgres');
  const notices: string[] = [];
  let cluster: Cluster;
  const running: RunningServer[] = [];

  async function start(): Promise<RunningServer> {
    cluster = await prepareCluster({ dataDir, settings: { fsync: 'off' }, onNotice: (line) => notices.push(line) });
    const server = cluster.start();
    running.push(server);
    await server.ready;
    return server;
  }

  async function stopAll(): Promise<void> {
    for (const server of running.splice(0)) {
      server.kill();
      await server.exited;
    }
  }

  beforeAll(async () => {
    fs.chmodSync(parent, 0o700);
    fs.mkdirSync(dataDir, { mode: 0o711 });
    const server = await start();
    await query(cluster.databaseUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    server.stop();
    await server.exited;
  });
  afterEach(stopAll);
  afterAll(() => fs.rmSync(parent, { recursive: true, force: true }));

  it('uses UTF-8, sorting by code point and UTC, and listens on the loopback address and in its folder only', async () => {
    await start();
    const [settings] = await query(
      cluster.adminUrl.replace(/[^/]*$/, 'event_delivery'),
      `SELECT current_setting('server_encoding') AS encoding, current_setting('TimeZone') AS zone,
              current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets,
              'a' > 'Z' AS by_code_point, lower('ÄÖ') AS lowered`,
    );
    expect(settings).toEqual({
      encoding: 'UTF8',
      zone: 'UTC',
      addresses: '127.0.0.1',
      sockets: folder,
      by_code_point: true,
      lowered: 'äö',
    });
  });

  it('is reached by a socket in its folder with the password, and by the port where the path is too long for one', async () => {
    await start();
    const sql = 'SELECT inet_server_addr() IS NULL AS is_local';
    expect(await query(cluster.localUrl, sql)).toEqual([{ is_local: true }]);
    await expect(query(cluster.localUrl.replace(/:[0-9a-f]+@/, ':wrong@'), sql)).rejects.toThrow(/password/);
    const far = path.join(makeTemporaryFolder(), 'x'.repeat(90));
    fs.mkdirSync(far);
    const { localUrl, databaseUrl } = await prepareCluster({ dataDir: far });
    expect(localUrl).toBe(databaseUrl);
  });

  it('gives the service a role with rights in its database only', async () => {
    await start();
    const sql =
      'SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication AS powerful FROM pg_roles WHERE rolname = current_user';
    expect(await query(cluster.databaseUrl, sql)).toEqual([{ powerful: false }]);
    await expect(query(cluster.databaseUrl, "SELECT pg_read_file('/etc/passwd')")).rejects.toThrow('permission denied');
  });

  it('keeps data, port and passwords across restarts, the passwords in files that only its owner can read', async () => {
    const before = fs.readFileSync(path.join(dataDir, 'postgres.json'), 'utf8');
    await start();
    expect(await query(cluster.databaseUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(fs.readFileSync(path.join(dataDir, 'postgres.json'), 'utf8')).toBe(before);
    expect(fs.statSync(path.join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600);
  });

  it('stops a server whose owner died, and starts again on its data', async () => {
    const orphan = await start();
    await start();
    expect(await orphan.exited).toMatchObject({ code: 0 });
    expect(notices.at(-1)).toMatch(/of an earlier start/);
    expect(await query(cluster.databaseUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('starts when another program has got the process id in the pid and lock files left by a crash', async () => {
    const server = await start();
    const pidFile = path.join(folder, 'postmaster.pid');
    const text = fs.readFileSync(pidFile, 'utf8');
    server.stop();
    await server.exited;
    const { uid, gid } = fs.statSync(folder);
    const other = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {});
    try {
      fs.writeFileSync(pidFile, text.replace(/^\d+/, String(other.pid)));
      fs.chownSync(pidFile, uid, gid);
      const { port } = new URL(cluster.databaseUrl);
      const lockFile = path.join(folder, `.s.PGSQL.${port}.lock`);
      fs.writeFileSync(lockFile, `${other.pid}\n`);
      fs.chownSync(lockFile, uid, gid);
      await start();
      expect(other.exitCode).toBeNull();
    } finally {
      other.kill();
    }
  });

  it('initializes again after an interrupted initialization, and keeps the unfinished files', async () => {
    const interrupted = makeTemporaryFolder();
    try {
      fs.mkdirSync(path.join(interrupted, 'postgres.new-0000', 'base'), { recursive: true });
      fs.mkdirSync(path.join(interrupted, 'postgres'));
      fs.writeFileSync(path.join(interrupted, 'postgres', 'something'), 'of unknown worth');
      const server = (await prepareCluster({ dataDir: interrupted })).start();
      running.push(server);
      await server.ready;
      const names = fs.readdirSync(interrupted);
      expect(names).not.toContain('postgres.new-0000');
      const aside = names.find((name) => name.startsWith('postgres.incomplete-')) ?? '';
      expect(fs.readFileSync(path.join(interrupted, aside, 'something'), 'utf8')).toBe('of unknown worth');
    } finally {
      await stopAll();
      fs.rmSync(interrupted, { recursive: true, force: true });
    }
  });

  it('refuses a database whose passwords are lost, with DATA_DIR and the file in the error', async () => {
    const file = path.join(dataDir, 'postgres.json');
    fs.renameSync(file, `${file}.away`);
    try {
      await expect(prepareCluster({ dataDir })).rejects.toThrow(`DATA_DIR: ${file}`);
    } finally {
      fs.renameSync(`${file}.away`, file);
    }
  });

  it('keeps at most five megabytes of its log, and as much of the log before, while it runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      await start();
      const log = path.join(dataDir, 'postgres.log');
      fs.appendFileSync(log, 'x'.repeat(5_000_001));
      vi.advanceTimersByTime(60_000);
      expect(fs.statSync(log).size).toBe(0);
      expect(fs.statSync(`${log}.1`).size).toBeGreaterThan(5_000_000);

      await expect(
        query(cluster.databaseUrl, `DO $$ BEGIN RAISE WARNING 'still logged'; END $$`),
      ).resolves.toBeDefined();
      await vi.waitFor(() => expect(fs.readFileSync(log, 'utf8')).toMatch(/^[^\0]*WARNING: {2}still logged/));
    } finally {
      vi.useRealTimers();
    }
  });

  it('reports why the server exited', async () => {
    await start();
    const second = cluster.start();
    expect((await second.exited).lastLine).toMatch(/lock file "postmaster.pid" already exists/);
  });
});

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
