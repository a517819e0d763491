import pg from 'pg';
import { addCell } from '@/lib/platform/cells/cells';
import { distributeCells, placeNewCell } from '@/lib/platform/cells/distribute';
import { SEARCH_PATH } from '@/lib/platform/database-limits';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import type { TestServer } from './postgres';

const at = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href;

/** Runs work with a connection of its own. */
async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Describes the cluster of TEST_CITUS_URL, whose database has its nodes: a coordinator and workers. */
export async function findTestCluster(url: string): Promise<TestServer> {
  const nodes = await withClient(url, async (client) => {
    const { rows } = await client.query<{ host: string; port: number }>(
      `SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid <> 0 AND noderole = 'primary' ORDER BY groupid`,
    );
    return rows.map(({ host, port }) => Object.assign(new URL(url), { hostname: host, port: String(port) }).href);
  });
  if (nodes.length === 0) throw new Error('TEST_CITUS_URL: the cluster has no workers');
  return { databaseUrl: url, adminUrl: url, nodeUrls: nodes, stop: async () => undefined };
}

/** Creates a database without tables on all nodes, of which the coordinator's knows the workers'. @returns its URL */
export async function createClusterDatabase(
  { adminUrl, nodeUrls }: Pick<TestServer, 'adminUrl' | 'nodeUrls'>,
  name: string,
  owner = new URL(adminUrl).username,
): Promise<string> {
  for (const url of [adminUrl, ...nodeUrls]) {
    await withClient(url, async (admin) => {
      await admin.query(`SET citus.enable_create_database_propagation = off`);
      await endConnections(admin, name);
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await admin.query(`CREATE DATABASE ${name} OWNER ${owner}`);
      await admin.query(`ALTER DATABASE ${name} SET search_path = ${SEARCH_PATH}`);
    });
    await withClient(at(url, name), (client) => client.query('CREATE EXTENSION citus'));
  }
  await withClient(at(adminUrl, name), async (client) => {
    const coordinator = new URL(adminUrl);
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [coordinator.hostname, Number(coordinator.port)]);
    for (const { hostname, port } of nodeUrls.map((url) => new URL(url))) {
      await client.query('SELECT citus_add_node($1, $2)', [hostname, Number(port)]);
    }
  });
  return at(adminUrl, name);
}

/** Creates a database on one server, without Citus. */
export async function createPlainDatabase(url: string, name: string): Promise<void> {
  await withClient(url, async (admin) => {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${name}`);
    await admin.query(`ALTER DATABASE ${name} SET search_path = ${SEARCH_PATH}`);
  });
}

/** Creates a migrated database on all nodes, with its cell on one of them. */
export async function createDistributedDatabase(server: TestServer, name: string): Promise<void> {
  const url = await createClusterDatabase(server, name);
  await applyMigrations(url);
  await withClient(url, async (client) => {
    await client.query('BEGIN');
    await distributeCells(client);
    await client.query('COMMIT');
  });
}

/** Creates such a database for copies by `CREATE DATABASE … TEMPLATE` on each node. */
export async function createDistributedTemplate(server: TestServer, name: string): Promise<void> {
  await createDistributedDatabase(server, name);
  // A database can be copied while nobody is connected to it: each node has a background process in every database of a cluster.
  for (const each of [server.adminUrl, ...server.nodeUrls])
    await withClient(each, (admin) => endConnections(admin, name));
}

/** The cell of all organizations of tests that do not place them themselves. */
export const PLACED_CELL = 'cell_99';
export const placedTemplate = (template: string) => `${template}_placed`;

/** Creates a copy of the template in which a worker has a second cell, in which organizations are placed. */
export async function createPlacedTemplate({ adminUrl, nodeUrls }: TestServer, template: string): Promise<void> {
  const name = placedTemplate(template);
  const urls = [adminUrl, ...nodeUrls];
  for (const url of urls) {
    await withClient(url, async (admin) => {
      await admin.query(`SET citus.enable_create_database_propagation = off`);
      await endConnections(admin, name);
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
      await admin.query(`ALTER DATABASE ${name} SET search_path = ${SEARCH_PATH}`);
    });
  }
  await withClient(at(adminUrl, name), async (client) => {
    await client.query('BEGIN');
    await addCell(client, PLACED_CELL);
    await client.query('COMMIT');
    await client.query('BEGIN');
    await placeNewCell(client, PLACED_CELL);
    await client.query('COMMIT');
    await client.query("UPDATE cells SET created_at = '2020-01-01', takes_new = (name <> 'cell_00')");
    await client.query(`ALTER TABLE organizations ALTER COLUMN cell SET DEFAULT '${PLACED_CELL}'`);
  });
  for (const url of urls) await withClient(url, (admin) => endConnections(admin, name));
}

async function endConnections(admin: pg.Client, name: string): Promise<void> {
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 0) return;
  await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  for (let left = 1; left > 0; ) {
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    const { rows } = await admin.query('SELECT count(*)::int AS left FROM pg_stat_activity WHERE datname = $1', [name]);
    left = rows[0].left;
  }
}
