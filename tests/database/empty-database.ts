import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Runs a statement over a connection of its own. @returns its rows */
export async function queryOnce<Row extends pg.QueryResultRow>(connectionString: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  return (await client.query<Row>(sql).finally(() => client.end())).rows;
}

/** A database without tables on the server of the test run; on each node of a cluster. */
export interface EmptyDatabase {
  /** URL of the service's role, which owns it. */
  url: string;
  /** URL of the superuser. */
  adminUrl: string;
  /** @param clause how to create it, from a template for example */
  create(clause?: string): Promise<unknown>;
  drop(): Promise<unknown>;
}

/** Names a database. It does not exist before `create`. */
export function makeEmptyDatabase(): EmptyDatabase {
  const { templateUrl, adminUrl, nodeUrls } = inject('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const at = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const owner = new URL(templateUrl).username;
  const onEach = (sql: string) => Promise.all([adminUrl, ...nodeUrls].map((each) => queryOnce(each, sql)));
  return {
    url: at(templateUrl),
    adminUrl: at(adminUrl),
    create: (clause = '') => onEach(`CREATE DATABASE ${name} ${clause} OWNER ${owner}`),
    drop: () => onEach(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}
