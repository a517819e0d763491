import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { addCell } from '@/lib/platform/cells/cells';
import { listCellNames } from '@/lib/platform/cells/cells-sql';
import { FIRST_CELL } from '@/lib/platform/cells/current-cell';
import { sqlState } from '@/lib/platform/database-errors';
import type { Sql } from '@/lib/platform/db';
import { oneLineOf } from '@/lib/platform/errors';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { readMigrations } from '@/lib/platform/migrate/migrations';
import {
  analyzeAndFlush,
  begin,
  beginLoading,
  commit,
  connectForBackup,
  copyIn,
  createPartition,
  findCells,
  listPartitioned,
  listPartitions,
  listSequences,
  listTables,
  type PartitionRow,
  setSequence,
  useCells,
} from './backup-sql';
import { BackupError, damaged, type Manifest } from './manifest';
import { type BackupContent, readBackup } from './read-backup';

/** Classes of SQLSTATE for values, rows and statements that do not fit the schema. */
const MISFIT = /^(?:0A|22|23|3F|42)/;

interface EmptyDatabase {
  /** Connects as the role that owns the tables. */
  databaseUrl: string;
  /** Connects to the same database as the superuser. */
  adminUrl: string;
}

interface LoadOptions {
  /** The migrations of this version. */
  folder: string;
  onProgress?: (progress: { bytes: number; totalBytes: number }) => void;
}

/**
 * Checks that this version knows the schema of a backup.
 * @throws BackupError when a newer version made the backup
 */
export function checkMigrations({ migrations }: Manifest, folder: string): void {
  const known = new Map(readMigrations(folder).map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of migrations) {
    if (known.get(name) === checksum) continue;
    throw new BackupError(
      `The backup has migration ${name}, which this version does not know: restore it with the version that made it, or a newer one.`,
    );
  }
}

/**
 * Fills an empty database from a backup: its migrations, its cells, its partitions, then all rows in one transaction, which is rolled back
 * when the file proves to be damaged.
 *
 * @throws BackupError
 */
export async function loadBackup(
  file: string,
  manifest: Manifest,
  database: EmptyDatabase,
  { folder, onProgress }: LoadOptions,
): Promise<BackupContent> {
  await applyMigrations(database.databaseUrl, { folder, names: new Set(manifest.migrations.map(({ name }) => name)) });
  await asMisfit(() => createCellsAndPartitions(manifest, database.databaseUrl));
  return asMisfit(() => loadRows(file, manifest, database.adminUrl, onProgress));
}

/** Runs work with a file that may be forged. @throws BackupError for an error of PostgreSQL about its content */
async function asMisfit<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (MISFIT.test(sqlState(error) ?? '')) throw damaged(`it does not fit its schema: ${oneLineOf(error)}`);
    throw error;
  }
}

async function loadRows(
  file: string,
  manifest: Manifest,
  adminUrl: string,
  onProgress: LoadOptions['onProgress'],
): Promise<BackupContent> {
  const client = await connectForBackup(adminUrl);
  try {
    const columnsOf = new Map(manifest.tables.map(({ name, columns }) => [name, columns]));
    await beginLoading(client, [...columnsOf.keys()]);
    let loading: Loading | undefined;
    const content = await readBackup(file, {
      ...(onProgress === undefined ? {} : { onProgress }),
      onRows: async (table, data) => {
        if (loading?.table !== table) {
          await finish(loading);
          const columns = columnsOf.get(table);
          if (columns === undefined) throw damaged('it has rows of an unknown table');
          loading = startLoading(table, copyIn(client, table, columns));
        }
        const { copy, stored } = loading;
        if (!copy.write(data)) await Promise.race([once(copy, 'drain'), stored]);
      },
    });
    await finish(loading);
    await checkCells(client, manifest);
    for (const { name, lastValue } of manifest.sequences) await setSequence.run(client, { sequence: name, lastValue });
    await commit(client);
    await analyzeAndFlush(client);
    return content;
  } finally {
    await client.end();
  }
}

async function createCellsAndPartitions(manifest: Manifest, databaseUrl: string): Promise<void> {
  const client = await connectForBackup(databaseUrl);
  try {
    await begin(client);
    for (const cell of manifest.cells) if (!(await addCell(client, cell))) throw damaged(`it has ${cell} twice`);
    await commit(client);
    await useCells(client, manifest.cells);
    const missing = await checkSchema(client, manifest);
    for (const partition of missing) await createPartition(client, partition);
  } finally {
    await client.end();
  }
}

/** Compares the rows that name cells, which become SQL in every process, with the cells that were made. */
async function checkCells(client: Sql, { cells }: Manifest): Promise<void> {
  const { there } = await findCells.one(client);
  const stored = there ? (await listCellNames.all(client)).map(({ name }) => name) : [FIRST_CELL];
  if (stored.sort().join() !== [FIRST_CELL, ...cells].sort().join()) throw damaged('its cells are others than it says');
}

/** A table whose rows are being inserted. */
interface Loading {
  table: string;
  copy: Writable;
  /** Rejects when PostgreSQL refuses a row. */
  stored: Promise<void>;
}

function startLoading(table: string, copy: Writable): Loading {
  const stored = finished(copy);
  // The next write or the end fails with it.
  stored.catch(() => undefined);
  return { table, copy, stored };
}

async function finish(loading: Loading | undefined): Promise<void> {
  loading?.copy.end();
  await loading?.stored;
}

/**
 * Compares the names in a manifest with the schema that its migrations made: they become SQL, which loads rows as the superuser, and
 * whoever made the file may have written any name.
 *
 * @returns the partitions that the migrations did not make
 * @throws BackupError when the schema lacks a table, a column, a partitioned table or a sequence
 */
export async function checkSchema(client: Sql, manifest: Manifest): Promise<PartitionRow[]> {
  const tables = await listTables.all(client);
  const columnsOf = new Map(tables.map(({ name, columns }) => [name, JSON.parse(columns) as string[]]));
  for (const { name, columns } of manifest.tables) {
    const known = columnsOf.get(name);
    if (known === undefined) throw damaged(`it has the unknown table ${JSON.stringify(name)}`);
    const unknown = columns.find((column) => !known.includes(column));
    if (unknown !== undefined) throw damaged(`${name} has the unknown column ${JSON.stringify(unknown)}`);
  }
  const sequences = (await listSequences.all(client)).map(({ name }) => name);
  const unknown = manifest.sequences.find(({ name }) => !sequences.includes(name));
  if (unknown !== undefined) throw damaged(`it has the unknown sequence ${JSON.stringify(unknown.name)}`);
  return findMissingPartitions(client, manifest);
}

async function findMissingPartitions(client: Sql, { partitions }: Manifest): Promise<PartitionRow[]> {
  const parents = (await listPartitioned.all(client)).map(({ name }) => name);
  const orphan = partitions.find(({ parent }) => !parents.includes(parent));
  if (orphan !== undefined) throw damaged(`${orphan.parent} has no partitions`);
  const schemaOf = (name: string) => name.slice(0, name.indexOf('.'));
  const strayed = partitions.find(
    ({ name, parent }) => schemaOf(name) !== schemaOf(parent) && schemaOf(name) !== 'partitions',
  );
  if (strayed !== undefined) throw damaged(`${strayed.name} is in another cell than ${strayed.parent}`);
  const existing = new Set((await listPartitions.all(client)).map(({ name }) => name));
  return partitions.filter(({ name }) => !existing.has(name));
}
