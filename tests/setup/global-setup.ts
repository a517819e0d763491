import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { buildStale, DATABASE_CLIENT } from '@/scripts/start/build';
import { createDistributedTemplate, createPlacedTemplate, findTestCluster } from '@/tests/database/citus';
import { startTestServer } from '@/tests/database/postgres';

declare module 'vitest' {
  interface ProvidedContext {
    /** URLs of a migrated database to clone, of the superuser, and of the superuser of the other nodes of a Citus cluster. */
    postgres: { templateUrl: string; adminUrl: string; nodeUrls: readonly string[] };
  }
}

const TEMPLATE = 'template_migrated';

/**
 * Generates a stale Prisma client, and starts one PostgreSQL for the test run, with a migrated database that every test file clones. With
 * TEST_CITUS_URL it takes that cluster, and the cell of the database is on one of its workers.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildStale(DATABASE_CLIENT, new AbortController().signal);
  const { TEST_CITUS_URL } = process.env;
  const server = TEST_CITUS_URL === undefined ? await startTestServer() : await findTestCluster(TEST_CITUS_URL);
  const templateUrl = new URL(server.databaseUrl);
  templateUrl.pathname = `/${TEMPLATE}`;
  if (TEST_CITUS_URL === undefined) await createTemplate(server.adminUrl, templateUrl);
  else {
    await createDistributedTemplate(server, TEMPLATE);
    await createPlacedTemplate(server, TEMPLATE);
  }
  project.provide('postgres', { templateUrl: templateUrl.href, adminUrl: server.adminUrl, nodeUrls: server.nodeUrls });
  return () => server.stop();
}

async function createTemplate(adminUrl: string, { href, username }: URL): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`ALTER ROLE ${username} CREATEDB`);
  await admin.query(`CREATE DATABASE ${TEMPLATE} OWNER ${username}`);
  await admin.end();
  await applyMigrations(href);
}
