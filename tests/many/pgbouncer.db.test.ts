import type { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { closeDatabase, database, directDatabase, inSqlTransaction, sqlWithTimeout } from '@/lib/platform/db';
import { findFreePort } from '@/lib/platform/free-port';
import { closePrisma, prisma } from '@/lib/platform/prisma/client';
import { inTransaction } from '@/lib/platform/prisma/transaction';
import { tryJobLock } from '@/lib/retention/jobs/job-lock';
import { makePgBouncer, type PgBouncer } from '@/tests/database/pgbouncer';
import { useDatabase } from '@/tests/database/use-database';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { openDatabaseProxy } from '@/tests/http/tcp-proxy';
import { endProcess, untilEnded, untilReady, useProcesses } from '@/tests/processes/entry-process';
import { call, sendUntilStopped, setUpProject, signInAgain } from '@/tests/processes/traffic';
import { insertTraffic } from '@/tests/retention/simulated-traffic';
import { setTestConfig, testVariables } from '@/tests/setup/variables';

/** Few, so that every session serves many clients. */
const POOL_SIZE = 4;
/** Differs from the product's own limit, to tell which one holds. */
const STATEMENT_MS = 6_500;

const variables = testVariables();
const db = useDatabase(variables);
let bouncer: PgBouncer;
beforeAll(async () => {
  bouncer = await makePgBouncer(db.url, { poolSize: POOL_SIZE, statementMs: STATEMENT_MS });
  await bouncer.start();
});
afterAll(() => bouncer.remove());

const pooled = () => ({ ...variables, DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: db.url });
const start = {
  web: useProcesses('tests/tunnel/tunnel-process.ts', pooled),
  realWeb: useProcesses('scripts/web.ts', pooled),
  worker: useProcesses('scripts/worker.ts', pooled),
  retention: useProcesses('scripts/retention.ts', pooled),
  migrate: useProcesses('scripts/migrate.ts', pooled),
};

async function startWeb(): Promise<{ origin: string; child: ChildProcess }> {
  const port = String(await findFreePort());
  const origin = `http://127.0.0.1:${port}`;
  return { origin, child: await untilReady(start.web([], { PORT: port, APP_BASE_URL: origin })) };
}

describe('a part whose DATABASE_URL is PgBouncer in transaction mode', () => {
  const PARTS = ['realWeb', 'worker', 'retention', 'migrate'] as const;

  it.each(PARTS)('ends with one line that names DATABASE_DIRECT_URL when it is unset: %s', async (part) => {
    const { code, stderr } = await untilEnded(start[part]([], { DATABASE_DIRECT_URL: '', PORT: '0' }));
    expect(stderr).toMatch(/^DATABASE_DIRECT_URL: must be set, because DATABASE_URL is a pooler \([^\n]*\)\n$/);
    expect(code).not.toBe(0);
  });

  it('ends with one line when DATABASE_DIRECT_URL is a pooler too', async () => {
    const direct = Object.assign(new URL(bouncer.url), { hostname: 'localhost' }).href;
    const { code, stderr } = await untilEnded(start.worker([], { DATABASE_DIRECT_URL: direct, PORT: '0' }));
    expect(stderr).toMatch(/^DATABASE_DIRECT_URL: must be PostgreSQL itself, and is a pooler \([^\n]*\)\n$/);
    expect(code).not.toBe(0);
  });

  it('warns when the pooler limits no statement, and not when it does', async () => {
    const unlimited = await makePgBouncer(db.url, { poolSize: POOL_SIZE, statementMs: 0 });
    onTestFinished(() => unlimited.remove());
    await unlimited.start();
    const warningsOf = async (more: Record<string, string>) =>
      (await untilEnded(start.retention(['cap'], { LOG_LEVEL: 'warn', ...more }))).stderr;
    expect(await warningsOf({ DATABASE_URL: unlimited.url })).toContain('the pooler sets no statement_timeout');
    expect(await warningsOf({})).toBe('');
  });

  it('migrates, and runs each job once', async () => {
    expect(await untilEnded(start.migrate())).toMatchObject({ code: 0, stderr: '' });
    for (const job of ['partitions', 'metrics', 'cap']) {
      const { code, stdout, stderr } = await untilEnded(start.retention([job]));
      expect([code, JSON.parse(stdout).status], stderr).toEqual([0, 'done']);
    }
  });
});

describe('statements through PgBouncer', () => {
  beforeEach(async () => {
    await closeDatabase();
    setTestConfig({ ...pooled() });
  });
  afterEach(async () => {
    await closePrisma();
    await closeDatabase();
    setTestConfig({ ...variables, DATABASE_URL: db.url });
  });

  const LIMITS = `SELECT current_setting('statement_timeout') AS statement, current_setting('TimeZone') AS zone,
                         current_setting('idle_in_transaction_session_timeout') AS idle`;

  it('have the limits of the product in a transaction, and those of the pooler outside', async () => {
    const own = [{ statement: '7s', zone: 'UTC', idle: '10s' }];
    expect(await inSqlTransaction(async (tx) => (await tx.query(LIMITS)).rows)).toEqual(own);
    expect(await inTransaction(async (tx) => (await tx.query(LIMITS)).rows)).toEqual(own);
    expect(await inTransaction((tx) => tx.prisma.$queryRawUnsafe(LIMITS))).toEqual(own);
    const ofPooler = [{ statement: '6500ms', zone: 'UTC', idle: '10s' }];
    expect((await database().query(LIMITS)).rows).toEqual(ofPooler);
    expect(await prisma().$queryRawUnsafe(LIMITS)).toEqual(ofPooler);
  });

  it('that take long run past it, and leave no session with their limit', async () => {
    expect((await sqlWithTimeout(60_000).query(LIMITS)).rows).toMatchObject([{ statement: '1min' }]);
    expect((await directDatabase().query(LIMITS)).rows).toMatchObject([{ statement: '7s' }]);
  });

  it('run with a name in any session, hundreds at once over a few', async () => {
    const named = { name: 'double', text: 'SELECT $1::int * 2 AS doubled, pg_backend_pid() AS pid' };
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        database().query<{ doubled: number; pid: number }>({ ...named, values: [n] }),
      ),
    );
    expect(results.map(({ rows }) => rows[0]?.doubled)).toEqual(results.map((_, n) => n * 2));
    expect(new Set(results.map(({ rows }) => rows[0]?.pid)).size).toBeLessThanOrEqual(POOL_SIZE);
  });

  it('leave the lock of a job to one process', async () => {
    const lock = await tryJobLock('main');
    expect(JSON.parse((await untilEnded(start.retention(['main']))).stdout).status).toBe('already_running');
    await lock?.release();
    expect(JSON.parse((await untilEnded(start.retention(['main']))).stdout).status).toBe('done');
  });
});

describe('the service through PgBouncer', () => {
  afterEach(() => database().query('TRUNCATE organizations, users, events, deliveries, outbox, mails CASCADE'));

  it('cleans up, signs in, stores, hands over promptly, delivers and exports', async () => {
    await insertTraffic({ days: 100, times: 1, seed: 20260302 });
    // Before the schedules start, which make up for a run that was missed.
    const { stdout, stderr, code } = await untilEnded(start.retention(['main']));
    expect([code, JSON.parse(stdout).status], stderr).toEqual([0, 'done']);
    expect(JSON.parse(stdout).rowsRemoved.events).toBeGreaterThan(0);

    const receiver = await startReceiver();
    const [{ origin }] = await Promise.all([startWeb(), untilReady(start.worker()), untilReady(start.retention())]);
    const project = await setUpProject(origin, receiver.url);
    expect(await signInAgain(origin)).toMatch(/^ey/);

    const waits: number[] = [];
    for (let n = 0; n < 9; n++) {
      const before = receiver.received.length;
      const sentAt = performance.now();
      await call(origin, 'POST', '/events', { 'X-API-Key': project.key }, { type: 'order.paid', data: { n } });
      await waitFor('the delivery', () => receiver.received.length > before);
      waits.push(performance.now() - sentAt);
    }
    // Without NOTIFY, the poll of each second finds them: half would take longer.
    expect(waits.sort((a, b) => a - b)[4]).toBeLessThan(400);

    const bearer = { Authorization: `Bearer ${project.accessToken}` };
    const { organizations } = await call(origin, 'GET', '/auth/me', bearer);
    const exported = await call(origin, 'GET', `/orgs/${organizations[0].id}/export`, bearer);
    expect(exported.projects).toMatchObject([{ name: 'Shop' }]);
  });

  it('recovers when PgBouncer is killed and started again: what was answered 202 is delivered', async () => {
    const receiver = await startReceiver();
    const [{ origin, child }] = await Promise.all([
      startWeb(),
      untilReady(start.worker()),
      untilReady(start.retention()),
    ]);
    let logged = '';
    for (const output of [child.stdout, child.stderr]) output?.on('data', (chunk) => (logged += String(chunk)));
    const project = await setUpProject(origin, receiver.url);
    const traffic = sendUntilStopped(project);
    await expect.poll(() => traffic.stored.size).toBeGreaterThan(100);
    await bouncer.kill();
    await expect.poll(() => traffic.faults.length).toBeGreaterThan(3);
    await bouncer.start();
    const stored = traffic.stored.size;
    await expect.poll(() => traffic.stored.size).toBeGreaterThan(stored + 100);
    await traffic.stop();
    // Those that were in flight get the same answer as when the database is down.
    const errors = logged.split('\n').filter((line) => line.includes('"level":50'));
    expect(
      traffic.faults.filter((fault) => !/ 503 |fetch failed/.test(fault)),
      errors.join('\n'),
    ).toEqual([]);
    // The leases of what was in a worker's hands end first.
    const isComplete = () => {
      const received = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
      return [...traffic.stored].every((id) => received.has(id));
    };
    await waitFor('every delivery', isComplete, 90_000);
    // The schedule may be at the same job.
    const status = async () => JSON.parse((await untilEnded(start.retention(['metrics']))).stdout).status;
    await expect.poll(status).toBe('done');
  });

  it('stores and delivers while only the direct connection is away: workers poll', async () => {
    const receiver = await startReceiver();
    const { proxy, through } = await openDatabaseProxy(db.url);
    onTestFinished(() => proxy.cut());
    const [{ origin }] = await Promise.all([
      startWeb(),
      untilReady(start.worker([], { DATABASE_DIRECT_URL: through })),
    ]);
    const project = await setUpProject(origin, receiver.url);
    await proxy.cut();
    await call(origin, 'POST', '/events', { 'X-API-Key': project.key }, { type: 'order.paid', data: {} });
    await waitFor('the delivery', () => receiver.received.length === 1, 10_000);
    await proxy.open();
  });

  it('stops each process cleanly', async () => {
    const [{ child }, worker, retention] = await Promise.all([
      startWeb(),
      untilReady(start.worker()),
      untilReady(start.retention()),
    ]);
    const codes = await Promise.all([child, worker, retention].map((each) => endProcess(each, 'SIGTERM')));
    expect(codes).toEqual([0, 0, 0]);
  });
});
