import { afterAll, beforeAll, inject } from 'vitest';
import { abortLongTasks, settleBackground } from '@/lib/platform/background';
import { SEARCH_PATH } from '@/lib/platform/database-limits';
import { closeDatabase } from '@/lib/platform/db';
import { closeHashing } from '@/lib/platform/hashing/passwords';
import { closePrisma } from '@/lib/platform/prisma/client';
import { setTestConfig } from '@/tests/setup/variables';
import { makeEmptyDatabase, queryOnce } from './empty-database';

/**
 * Gives a test file its own migrated database, and a configuration that points to it. Call it once, at the top.
 *
 * @param overrides variables that differ from the test variables
 */
export function useDatabase(overrides: Record<string, string> = {}): { readonly url: string } {
  const { url, create, drop } = makeEmptyDatabase();
  const template = new URL(inject('postgres').templateUrl).pathname.slice(1);

  beforeAll(async () => {
    // Copying files takes half the processor time of writing their pages to the log, the default.
    await create(`TEMPLATE ${template} STRATEGY FILE_COPY`);
    // Part of the migrated database, but not of its copy.
    const name = new URL(url).pathname.slice(1);
    await queryOnce(inject('postgres').adminUrl, `ALTER DATABASE ${name} SET search_path = ${SEARCH_PATH}`);
    setTestConfig({ DATABASE_URL: url, ...overrides });
    // Work that the previous test file left running may have opened connections meanwhile.
    await closeConnections();
  });

  afterAll(async () => {
    abortLongTasks();
    await settleBackground();
    await closeHashing();
    await closeConnections();
    await drop();
  });

  return { url };
}

async function closeConnections(): Promise<void> {
  await closePrisma();
  await closeDatabase();
}
