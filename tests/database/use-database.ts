import { afterAll, beforeAll, inject } from 'vitest';
import { abortLongTasks, settleBackground } from '@/lib/platform/background';
import { setCellNodes } from '@/lib/platform/cells/cell-nodes';
import { addCell, readCells } from '@/lib/platform/cells/cells';
import { setKnownCells } from '@/lib/platform/cells/current-cell';
import { SEARCH_PATH } from '@/lib/platform/database-limits';
import { closeDatabase, inSqlTransaction } from '@/lib/platform/db';
import { closeHashing } from '@/lib/platform/hashing/passwords';
import { closePrisma } from '@/lib/platform/prisma/client';
import { setTestConfig } from '@/tests/setup/variables';
import { PLACED_CELL, placedTemplate } from './citus';
import { makeEmptyDatabase, queryOnce } from './empty-database';
import { run } from './rows';

const file = { placesOrganizations: false };

/** The tests of this file place organizations in cells themselves. */
export function placeOrganizations(): void {
  file.placesOrganizations = true;
}

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
    const { adminUrl, nodeUrls } = inject('postgres');
    const isPlaced = nodeUrls.length > 0 && !file.placesOrganizations;
    await create(`TEMPLATE ${isPlaced ? placedTemplate(template) : template} STRATEGY FILE_COPY`);
    // Part of the migrated database, but not of its copy.
    const name = new URL(url).pathname.slice(1);
    for (const each of [adminUrl, ...nodeUrls]) {
      await queryOnce(each, `ALTER DATABASE ${name} SET search_path = ${SEARCH_PATH}`);
    }
    setTestConfig({ DATABASE_URL: url, ...overrides });
    // Work that the previous test file left running may have opened connections meanwhile.
    await closeConnections();
    setCellNodes([], false);
    if (isPlaced) await usePlacedCell(name);
    else if (!file.placesOrganizations) await useSecondCell(name);
  });

  afterAll(async () => {
    abortLongTasks();
    await settleBackground();
    await closeHashing();
    await closeConnections();
    await drop();
    file.placesOrganizations = false;
  });

  return { url };
}

/**
 * With TEST_CELL, puts all organizations of a test file into that cell. What the tests themselves run is about it, and a request that does
 * not choose its cell finds no tables: the whole of the database tests then shows what forgets to.
 */
async function useSecondCell(databaseName: string): Promise<void> {
  const cell = process.env.TEST_CELL;
  if (cell === undefined) return;
  await inSqlTransaction((tx) => addCell(tx, cell), { statementMs: 60_000 });
  await run("UPDATE cells SET created_at = '2020-01-01', takes_new = (name <> 'cell_00')");
  await run(`ALTER TABLE organizations ALTER COLUMN cell SET DEFAULT '${cell}'`);
  await workIn(databaseName, cell);
}

/** On a cluster, the template has that cell. */
async function usePlacedCell(databaseName: string): Promise<void> {
  await readCells();
  await workIn(databaseName, PLACED_CELL);
}

/** What the tests themselves run is about this cell. */
async function workIn(databaseName: string, cell: string): Promise<void> {
  await queryOnce(inject('postgres').adminUrl, `ALTER DATABASE ${databaseName} SET search_path = ${cell}, public`);
  setKnownCells([cell]);
  setKnownCells(['cell_00', cell], Infinity);
  await closeConnections();
}

async function closeConnections(): Promise<void> {
  await closePrisma();
  await closeDatabase();
}
