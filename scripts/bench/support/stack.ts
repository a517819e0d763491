import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launchProduct, type Product } from '@/e2e/support/launch-product';
import { readCells } from '@/lib/platform/cells/cells';
import { parseConfig } from '@/lib/platform/config/config';
import { closeDatabase } from '@/lib/platform/db';
import { prepareCluster } from '@/lib/platform/embedded-postgres/cluster';
import { findFreePort } from '@/lib/platform/free-port';
import { setOnce } from '@/lib/platform/globals';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { createPartitionsAhead } from '@/lib/retention/partitions/make-partitions';
import { createDistributedDatabase, createPlainDatabase, findTestCluster } from '@/tests/database/citus';

type Environment = Record<string, string | undefined>;

/** A PostgreSQL with the durability of the product: fsync stays on. */
interface BenchDatabase {
  databaseUrl: string;
  dataDir: string;
  pid: number;
  stop(): Promise<void>;
}

/**
 * Makes a database on the server of TEST_CITUS_URL: on all nodes, with its cell on a worker, when the database of that URL knows workers.
 * `pid` is 0.
 */
async function makeDatabaseOn(url: string): Promise<BenchDatabase> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-'));
  const databaseUrl = Object.assign(new URL(url), { pathname: '/bench' }).href;
  const server = await findTestCluster(url).catch(() => null);
  if (server === null) await createPlainDatabase(url, 'bench');
  else await createDistributedDatabase(server, 'bench');
  return { databaseUrl, dataDir, pid: 0, stop: async () => rmSync(dataDir, { recursive: true, force: true }) };
}

export async function startDatabase(): Promise<BenchDatabase> {
  const { TEST_CITUS_URL } = process.env;
  if (TEST_CITUS_URL !== undefined) return makeDatabaseOn(TEST_CITUS_URL);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-'));
  chmodSync(dataDir, 0o711);
  const cluster = await prepareCluster({ dataDir });
  const server = cluster.start();
  await Promise.race([server.ready, server.exited.then(({ lastLine }) => Promise.reject(new Error(lastLine)))]);
  return {
    databaseUrl: cluster.databaseUrl,
    dataDir,
    pid: server.pid ?? 0,
    async stop() {
      server.stop();
      await server.exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A migrated PostgreSQL, and the environment for the processes of the service. */
export interface Stack {
  databaseUrl: string;
  dataDir: string;
  environment: Environment;
  /** Starts a part (`web`, `worker`) from the build; resolves when it is ready. */
  startPart(name: string, extra?: Environment): Promise<ChildProcess>;
  /** Starts a web process on a free port. */
  startWeb(extra?: Environment): Promise<{ port: number; origin: string; web: ChildProcess }>;
}

/** Runs a benchmark on a stack, which is stopped after it. */
export async function withStack(work: (stack: Stack) => Promise<void>): Promise<void> {
  const { databaseUrl, dataDir, stop } = await startDatabase();
  await applyMigrations(databaseUrl);
  const environment: Environment = {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    AUTH_BCRYPT_COST: '4',
    LOG_LEVEL: 'warn',
  };
  setOnce('config', parseConfig(environment));
  await readCells();
  await createPartitionsAhead(new Date());
  const children: ChildProcess[] = [];
  const startPart: Stack['startPart'] = async (name, extra = {}) => {
    const child = spawn(process.execPath, [path.resolve('.build', `${name}.mjs`)], {
      env: { ...environment, ...extra } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    children.push(child);
    await isReady(name, child);
    return child;
  };
  const startWeb: Stack['startWeb'] = async (extra = {}) => {
    const port = await findFreePort();
    const origin = `http://127.0.0.1:${port}`;
    const web = await startPart('web', { PORT: String(port), TUNNEL_PEER_URL: origin, ...extra });
    return { port, origin, web };
  };
  try {
    await work({ databaseUrl, dataDir, environment, startPart, startWeb });
  } finally {
    await closeDatabase();
    for (const child of children) child.kill('SIGKILL');
    await stop();
  }
}

function isReady(name: string, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: { type?: string }) => message.type === 'ready' && resolve());
    child.on('exit', (code) => reject(new Error(`${name} exited with ${code}`)));
  });
}

/** A running `npm start` that a benchmark can seed with SQL: this process shares its secrets and its database. */
export interface BenchProduct extends Product {
  pid: number;
  port: number;
  logFile: string;
}

/** @param databaseUrl the URL that this process uses; by default that of the product */
export async function launchBenchProduct(
  variables: Record<string, string> = {},
  databaseUrl?: string,
): Promise<BenchProduct> {
  const secrets = { AUTH_SECRET: randomBytes(32).toString('hex'), ENCRYPTION_KEY: randomBytes(32).toString('base64') };
  const logFile = path.join(mkdtempSync(path.join(tmpdir(), 'bench-log-')), 'product.log');
  const product = await launchProduct(logFile, { ...secrets, ...variables });
  setOnce('config', parseConfig({ ...secrets, DATABASE_URL: databaseUrl ?? product.databaseUrl }));
  return { ...product, pid: product.process.pid ?? 0, port: Number(new URL(product.url).port), logFile };
}
