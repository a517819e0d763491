import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Cluster, prepareCluster } from '@/lib/platform/embedded-postgres/cluster';

/** The databases are temporary, so nothing waits for the disk. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  checkpoint_timeout: '1h',
  max_wal_size: '4GB',
  max_connections: '400',
  autovacuum_naptime: '10min',
};

export interface TestServer {
  /** URL of the service's role, which may also create databases here. */
  databaseUrl: string;
  /** URL of the superuser. */
  adminUrl: string;
  /** URLs of the superuser of the other nodes of a Citus cluster. */
  nodeUrls: readonly string[];
  stop(): Promise<void>;
}

/** Creates a temporary folder that PostgreSQL can traverse when the tests run as root. */
export function makeTemporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'event-delivery-test-'));
  fs.chmodSync(folder, 0o711);
  return folder;
}

/** Starts the server of a cluster. @returns a function that ends it and removes its data */
export async function startCluster(cluster: Cluster, dataDir: string): Promise<() => Promise<void>> {
  const server = cluster.start();
  const exited = server.exited.then(({ lastLine }) => {
    throw new Error(`PostgreSQL exited: ${lastLine}`);
  });
  await Promise.race([server.ready, exited]);
  exited.catch(() => undefined);
  return async () => {
    server.kill();
    await server.exited;
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
}

/** Starts a PostgreSQL on a free port; `stop` ends it and removes its data. */
export async function startTestServer(): Promise<TestServer> {
  const dataDir = makeTemporaryFolder();
  const cluster = await prepareCluster({ dataDir, settings: SETTINGS });
  const stop = await startCluster(cluster, dataDir);
  return {
    databaseUrl: cluster.databaseUrl,
    adminUrl: cluster.adminUrl,
    nodeUrls: [],
    stop,
  };
}
