import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { prepareCluster } from '@/lib/platform/embedded-postgres/cluster';
import { findFreePort } from '@/lib/platform/free-port';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { acquireLock } from '@/lib/platform/process-lock.mjs';
import { loadSecrets } from '@/scripts/start/setup-steps';
import { queryOnce } from '@/tests/database/empty-database';
import { makeTemporaryFolder } from '@/tests/database/postgres';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { untilEnded, untilReady, useProcesses } from '@/tests/processes/entry-process';
import { call, sendUntilStopped, setUpProject, signInAgain } from '@/tests/processes/traffic';
import { testVariables } from '@/tests/setup/variables';

const folder = makeTemporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const SETTINGS = { fsync: 'off', max_connections: '60' };
const { AUTH_SECRET: _auth, ENCRYPTION_KEY: _key, ...variables } = testVariables();

const web = useProcesses('tests/tunnel/tunnel-process.ts', () => variables);
const worker = useProcesses('scripts/worker.ts', () => variables);
const backup = useProcesses('scripts/backup.ts', () => ({ DATABASE_URL: '' }));
const restore = useProcesses('scripts/restore.ts', () => ({ DATABASE_URL: '' }));

/** Holds DATA_DIR as `npm start` does, with its database and its secrets. */
async function holdDataDir(dataDir: string) {
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const lock = await acquireLock(path.join(dataDir, 'start.lock'), () => 'a test');
  if (!('release' in lock)) throw new Error(`held by ${lock.heldBy}`);
  const cluster = await prepareCluster({ dataDir, settings: SETTINGS });
  const server = cluster.start();
  await server.ready;
  await applyMigrations(cluster.databaseUrl);
  const stop = async () => {
    server.stop();
    await server.exited;
    lock.release();
  };
  onTestFinished(() => server.kill());
  return { databaseUrl: cluster.databaseUrl, secrets: loadSecrets(dataDir, {}), stop, kill: () => server.kill() };
}

/** Starts web and worker on a DATA_DIR. */
async function startParts({ databaseUrl, secrets }: Awaited<ReturnType<typeof holdDataDir>>) {
  const port = String(await findFreePort());
  const origin = `http://127.0.0.1:${port}`;
  const env = { ...secrets, DATABASE_URL: databaseUrl, PORT: port, APP_BASE_URL: origin };
  await untilReady(web([], env));
  const running = await untilReady(worker([], env));
  return { origin, stopWorker: () => running.kill('SIGKILL') };
}

const files = (dataDir: string) => fs.readdirSync(dataDir).filter((name) => !name.startsWith('start.lock'));

describe('a backup of the embedded database', () => {
  const file = path.join(folder, 'eds.backup');
  const original = path.join(folder, 'original');
  let storedBefore: string[] = [];
  let projectId = '';

  it('is made while events are sent, is private, and contains each event that was stored before it', async () => {
    const product = await holdDataDir(original);
    const parts = await startParts(product);
    const receiver = await startReceiver();
    const project = await setUpProject(parts.origin, receiver.url);
    projectId = project.id;
    // Partitions of days, as retention makes them.
    await queryOnce(
      product.databaseUrl,
      `CREATE TABLE delivery_attempts_succeeded_p20990101 PARTITION OF delivery_attempts
       FOR VALUES FROM (true, '2099-01-01T00:00:00.000Z') TO (true, '2099-01-02T00:00:00.000Z')`,
    );
    const traffic = sendUntilStopped(project);
    await waitFor('deliveries', async () => receiver.received.length > 20);
    // What is sent from here on waits for a worker.
    parts.stopWorker();
    const count = traffic.stored.size;
    await waitFor('events without a worker', async () => traffic.stored.size > count + 20);
    storedBefore = [...traffic.stored];
    const { code, stderr } = await untilEnded(backup([file], { DATA_DIR: original }));
    expect(stderr).toContain('It contains ENCRYPTION_KEY and AUTH_SECRET');
    expect(code).toBe(0);
    await traffic.stop();
    expect(traffic.faults).toEqual([]);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
    await product.stop();
  });

  it('delivers what was pending and what is new after it is restored elsewhere, and the old password signs in', async () => {
    const dataDir = path.join(folder, 'restored');
    const { code, stderr } = await untilEnded(restore([file], { DATA_DIR: dataDir }));
    expect(stderr).toContain('Restored ');
    expect(code).toBe(0);
    expect(files(dataDir).sort()).toEqual(['postgres', 'postgres.json', 'secrets.json']);
    const product = await holdDataDir(dataDir);
    const events = (await queryOnce<{ id: string }>(product.databaseUrl, 'SELECT id FROM events')).map(({ id }) => id);
    expect(storedBefore.filter((id) => !events.includes(id))).toEqual([]);
    const pending = await queryOnce(product.databaseUrl, "SELECT event_id FROM outbox WHERE kind = 'EVENT'");
    expect(pending.length).toBeGreaterThan(20);
    const partitions = await queryOnce(
      product.databaseUrl,
      "SELECT to_regclass('delivery_attempts_succeeded_p20990101')::text AS name",
    );
    expect(partitions).toEqual([{ name: 'delivery_attempts_succeeded_p20990101' }]);

    const receiver = await startReceiver();
    // The receiver of the original is gone.
    await queryOnce(product.databaseUrl, `UPDATE endpoints SET url = '${receiver.url}'`);
    const { origin } = await startParts(product);
    const accessToken = await signInAgain(origin);
    const bearer = { Authorization: `Bearer ${accessToken}` };
    const { key } = await call(origin, 'POST', `/projects/${projectId}/api-keys`, bearer, { name: 'new' });
    const added = await call(origin, 'POST', '/events', { 'X-API-Key': key }, { type: 'order.paid', data: {} });
    const expected = [...pending.map((row) => row.event_id), added.id];
    const delivered = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    await waitFor('deliveries', async () => expected.every((id) => delivered().has(id)));
    await product.stop();
  });

  it('is made of a stopped service too', async () => {
    const other = path.join(folder, 'stopped.backup');
    const { code } = await untilEnded(backup([other], { DATA_DIR: original }));
    expect(code).toBe(0);
    expect(fs.existsSync(other)).toBe(true);
  });

  it('leaves no file under its name when it is killed, and no file at all when it is stopped', async () => {
    // In this order: a backup stops the database server that a killed one has left.
    for (const [signal, exitCode, leftovers] of [
      ['SIGKILL', null, 1],
      ['SIGTERM', 143, 0],
    ] as const) {
      const name = path.join(folder, `${signal}.backup`);
      const unfinished = () => fs.readdirSync(folder).filter((each) => each.startsWith(`${signal}.backup.unfinished`));
      const child = backup([name], { DATA_DIR: original });
      await waitFor('it to write', async () => unfinished().length > 0);
      child.kill(signal);
      expect((await untilEnded(child)).code).toBe(exitCode);
      expect(fs.existsSync(name)).toBe(false);
      expect(unfinished()).toHaveLength(leftovers);
    }
  });

  it('ends with one line and leaves no file when PostgreSQL is killed under it', async () => {
    const product = await holdDataDir(original);
    const holder = new pg.Client({ connectionString: product.databaseUrl });
    holder.on('error', () => undefined);
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE events');
    const name = path.join(folder, 'lost.backup');
    const ended = untilEnded(backup([name], { DATA_DIR: original }));
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name LIKE '%backup'`;
    await waitFor('it to read', async () => (await queryOnce(product.databaseUrl, waiting)).length === 1);
    product.kill();
    const { code, stderr } = await ended;
    expect(stderr).toMatch(/^StartupError: The database is unreachable: /m);
    expect(code).toBe(1);
    expect(fs.readdirSync(folder).filter((each) => each.startsWith('lost.backup'))).toEqual([]);
    await product.stop();
  });

  it('names pg_dump when the database is not the embedded one', async () => {
    const { code, stderr } = await untilEnded(
      backup([`${file}.2`], { DATABASE_URL: 'postgresql://db.example.com/eds' }),
    );
    expect(stderr).toContain('pg_dump --format=custom');
    expect(code).toBe(1);
  });

  describe('is refused by a restore', () => {
    const target = path.join(folder, 'untouched');
    const refuse = async (name: string, env: Record<string, string> = {}) => {
      const { code, stderr } = await untilEnded(restore([name], { DATA_DIR: target, ...env }));
      expect(code).toBe(1);
      expect(fs.existsSync(target)).toBe(false);
      return stderr;
    };

    it.each(['at its end', 'in the middle'])('that is cut off %s', async (where) => {
      const cut = path.join(folder, `cut-${randomBytes(4).toString('hex')}`);
      const whole = fs.readFileSync(file);
      fs.writeFileSync(cut, whole.subarray(0, where === 'at its end' ? whole.length - 1 : whole.length / 2));
      expect(await refuse(cut)).toContain('The backup is damaged: it is cut off');
    });

    it('whose encryption key is another one', async () => {
      const other = randomBytes(32).toString('base64');
      expect(await refuse(file, { ENCRYPTION_KEY: other })).toContain(
        'ENCRYPTION_KEY: it is not the one of the backup',
      );
    });
  });

  it('is refused by a restore into the folder of a running service', async () => {
    const dataDir = path.join(folder, 'running');
    fs.mkdirSync(dataDir);
    const lock = await acquireLock(path.join(dataDir, 'start.lock'), () => 'process 1, PORT 3000');
    const { code, stderr } = await untilEnded(restore([file], { DATA_DIR: dataDir }));
    expect(stderr).toContain('is in use by another npm start (process 1, PORT 3000)');
    expect(code).toBe(1);
    if ('release' in lock) lock.release();
  });

  it('can be restored again after a restore was killed, and nothing starts in between', async () => {
    const dataDir = path.join(folder, 'killed-restore');
    const child = restore([file], { DATA_DIR: dataDir });
    await waitFor('the database', async () =>
      fs.existsSync(path.join(dataDir, 'restoring', 'postgres', 'postmaster.pid')),
    );
    child.kill('SIGKILL');
    await untilEnded(child);
    expect(files(dataDir)).toContain('restoring');
    const refused = await untilEnded(backup([`${file}.3`], { DATA_DIR: dataDir }));
    expect(refused.stderr).toContain('did not finish: repeat npm run restore');
    expect((await untilEnded(restore([file], { DATA_DIR: dataDir }))).code).toBe(0);
    expect(files(dataDir).sort()).toEqual(['postgres', 'postgres.json', 'secrets.json']);
  });
});
