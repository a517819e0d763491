import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseConfig } from '@/lib/platform/config/config';
import { prepareCluster } from '@/lib/platform/embedded-postgres/cluster';
import { setOnce } from '@/lib/platform/globals';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { createPartitionsAhead } from '@/lib/retention/partitions/create-partitions';

type Environment = Record<string, string | undefined>;

/** A migrated PostgreSQL, and the environment for the processes of the service. */
export interface Stack {
  databaseUrl: string;
  dataDir: string;
  environment: Environment;
  /** Starts a part (`web`, `worker`) from the build; resolves when it is ready. */
  startPart(name: string, extra?: Environment): Promise<ChildProcess>;
  stop(): Promise<void>;
}

/** Starts the PostgreSQL of a benchmark with the durability of the product: fsync stays on. */
export async function startStack(): Promise<Stack> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-'));
  const cluster = await prepareCluster({ dataDir });
  const server = cluster.start();
  await Promise.race([server.ready, server.exited.then(({ lastLine }) => Promise.reject(new Error(lastLine)))]);
  await applyMigrations(cluster.databaseUrl);
  const environment: Environment = {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: cluster.databaseUrl,
    DATA_DIR: dataDir,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    AUTH_BCRYPT_COST: '4',
    LOG_LEVEL: 'warn',
  };
  setOnce('config', parseConfig(environment));
  await createPartitionsAhead(new Date());
  const children: ChildProcess[] = [];
  return {
    databaseUrl: cluster.databaseUrl,
    dataDir,
    environment,
    async startPart(name, extra = {}) {
      const child = spawn(process.execPath, [path.resolve('.build', `${name}.mjs`)], {
        env: { ...environment, ...extra } as NodeJS.ProcessEnv,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      children.push(child);
      await isReady(name, child);
      return child;
    },
    async stop() {
      for (const child of children) child.kill('SIGKILL');
      server.stop();
      await server.exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function isReady(name: string, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: { type?: string }) => message.type === 'ready' && resolve());
    child.on('exit', (code) => reject(new Error(`${name} exited with ${code}`)));
  });
}
