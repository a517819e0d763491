import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { buildStale, DATABASE_CLIENT } from '@/scripts/start/build';
import { startTestServer } from '@/tests/database/postgres';

declare module 'vitest' {
  interface ProvidedContext {
    /** URLs of a migrated database to clone, and of the superuser. */
    postgres: { templateUrl: string; adminUrl: string };
  }
}

const TEMPLATE = 'template_migrated';

/** Generates a stale Prisma client, and starts one PostgreSQL for the test run, with a migrated database that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildStale(DATABASE_CLIENT, new AbortController().signal);
  const server = await startTestServer();
  const templateUrl = new URL(server.databaseUrl);
  templateUrl.pathname = `/${TEMPLATE}`;
  const admin = new pg.Client({ connectionString: server.adminUrl });
  await admin.connect();
  await admin.query(`ALTER ROLE ${templateUrl.username} CREATEDB`);
  await admin.query(`CREATE DATABASE ${TEMPLATE} OWNER ${templateUrl.username}`);
  await admin.end();
  await applyMigrations(templateUrl.href);
  project.provide('postgres', { templateUrl: templateUrl.href, adminUrl: server.adminUrl });
  return () => server.stop();
}
