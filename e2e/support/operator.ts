import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import pg from 'pg';
import { launchProduct, type Product } from './launch-product';
import { requestRaw } from './request-raw';

export const ADMIN_TOKEN = 'the-operator-of-the-browser-tests';

/** Prevents scheduled retention jobs from removing test data. */
const NO_SCHEDULE = {
  DATA_RETENTION_CRON: '0 0 29 2 *',
  DATA_RETENTION_LIMIT_CRON: '0 0 29 2 *',
  DATA_RETENTION_BURST_CLEANUP_CRON: '0 0 29 2 *',
};
/** The jobs that a new database runs immediately. */
const FIRST_JOBS = ['main', 'cap', 'metrics', 'partitions'];

/** Paths below /admin that exist. */
export const PATHS = [
  '/orgs',
  `/orgs/${randomUUID()}`,
  '/users',
  `/users/${randomUUID()}/unlock`,
  '/stats',
  '/retention/run',
];
/** Paths below /admin that do not exist. */
export const UNKNOWN_PATHS = ['', '/', '/nothing', '/orgs/', '/orgs/%zz', '/users/a/b/c'];
export const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'];

/** Sends a request to a path below /admin of the product at `base`, and returns the status. */
export async function statusOf(base: string, method: string, path: string, token?: string): Promise<number> {
  const headers: Record<string, string> = token === undefined ? {} : { 'X-Platform-Admin-Token': token };
  return (await requestRaw(base, method, `/api/v1/admin${path}`, { headers })).status;
}

/** Launches a product with an operator token, and waits for its first retention jobs. */
export async function launchProductWithOperator(variables: Record<string, string> = {}): Promise<Product> {
  const logFile = path.resolve('.build', `operator-${randomUUID()}.log`);
  const product = await launchProduct(logFile, { PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN, ...NO_SCHEDULE, ...variables });
  try {
    await waitForFirstJobs(product.databaseUrl);
  } catch (error) {
    await product.stop();
    throw error;
  }
  return product;
}

async function waitForFirstJobs(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const endedJobs = async () =>
    (await client.query('SELECT DISTINCT job FROM retention_runs WHERE ended_at IS NOT NULL')).rows.map(
      ({ job }) => job,
    );
  try {
    await expect.poll(endedJobs, { timeout: 60_000 }).toEqual(expect.arrayContaining(FIRST_JOBS));
  } finally {
    await client.end();
  }
}

/** Opens the operator page with the right token. */
export async function openAsOperator(page: Page, product: Product): Promise<void> {
  await page.goto(`${product.url}/operator`);
  await page.getByLabel('Platform admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('heading', { name: 'Deployment' })).toBeVisible();
}

/** Inserts a row for a day without a partition. */
export async function fillDefaultPartition(product: Product): Promise<void> {
  const client = new pg.Client({ connectionString: product.databaseUrl });
  await client.connect();
  await client.query(
    `INSERT INTO tunnel_request_log (id, project_id, tunnel_id, method, path, request_size, created_at)
     SELECT id, id, id, 'GET', '/', 0, now() + interval '60 days' FROM gen_random_uuid() AS id`,
  );
  await client.end();
}
