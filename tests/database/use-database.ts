import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { abortLongTasks, settleBackground } from '@/lib/platform/background';
import { closeDatabase } from '@/lib/platform/db';
import { closeHashing } from '@/lib/platform/hashing/passwords';
import { closePrisma } from '@/lib/platform/prisma/client';
import { setTestConfig } from '@/tests/setup/variables';

/**
 * Gives a test file its own migrated database, and a configuration that points to it. Call it once, at the top.
 *
 * @param overrides variables that differ from the test variables
 */
export function useDatabase(overrides: Record<string, string> = {}): { readonly url: string } {
  const { templateUrl, adminUrl } = inject('postgres');
  const template = new URL(templateUrl);
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(templateUrl), { pathname: `/${name}` }).href;

  beforeAll(async () => {
    // Copying files takes half the processor time of writing their pages to the log, the default.
    await runAsAdmin(
      adminUrl,
      `CREATE DATABASE ${name} TEMPLATE ${template.pathname.slice(1)} OWNER ${template.username} STRATEGY FILE_COPY`,
    );
    setTestConfig({ DATABASE_URL: url, ...overrides });
    // Work that the previous test file left running may have opened connections meanwhile.
    await closeConnections();
  });

  afterAll(async () => {
    abortLongTasks();
    await settleBackground();
    await closeHashing();
    await closeConnections();
    await runAsAdmin(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  });

  return { url };
}

async function closeConnections(): Promise<void> {
  await closePrisma();
  await closeDatabase();
}

async function runAsAdmin(adminUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
