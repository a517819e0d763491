import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { readMigrations } from '@/lib/platform/migrate/migrations';
import { BackupError } from './backup-error';
import {
  analyzeAndFlush,
  beginLoading,
  commit,
  copyIn,
  createPartition,
  findRelation,
  setSequence,
} from './backup-sql';
import { connectForBackup } from './connect';
import type { CopyIn } from './copy-streams';
import type { Manifest } from './manifest';
import { type BackupContent, readBackup } from './read-backup';

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
 * Fills an empty database from a backup: its migrations, its partitions, then all rows in one transaction, which is rolled back
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
  await createSchema(manifest, database, folder);
  const client = await connectForBackup(database.adminUrl);
  try {
    const columnsOf = new Map(manifest.tables.map(({ name, columns }) => [name, columns]));
    await beginLoading(client, [...columnsOf.keys()]);
    let current: { table: string; copy: CopyIn } | null = null;
    const start = (table: string) => {
      const copy = copyIn(client, table, columnsOf.get(table) ?? []);
      // The next write fails with it.
      copy.on('error', () => undefined);
      return { table, copy };
    };
    const content = await readBackup(file, {
      onProgress,
      onRows: async (table, data) => {
        if (current?.table !== table) {
          await finish(current?.copy);
          current = start(table);
        }
        await write(current.copy, data);
      },
    });
    await finish((current as { copy: CopyIn } | null)?.copy);
    for (const { name, lastValue } of manifest.sequences) await setSequence.run(client, name, lastValue);
    await commit(client);
    await analyzeAndFlush(client);
    return content;
  } finally {
    await client.end();
  }
}

async function createSchema(manifest: Manifest, { databaseUrl }: EmptyDatabase, folder: string): Promise<void> {
  await applyMigrations(databaseUrl, { folder, names: new Set(manifest.migrations.map(({ name }) => name)) });
  const client = await connectForBackup(databaseUrl);
  try {
    for (const partition of manifest.partitions) {
      if ((await findRelation.one(client, partition.name)).name === null) await createPartition(client, partition);
    }
  } finally {
    await client.end();
  }
}

function write(copy: CopyIn, data: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    copy.write(data, (error) => (error ? reject(copy.errored ?? error) : resolve()));
  });
}

function finish(copy: CopyIn | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (copy === undefined) return resolve();
    if (copy.errored) return reject(copy.errored);
    // Node calls back with the error too.
    copy.end((error?: Error | null) => (error ? reject(copy.errored ?? error) : resolve()));
  });
}
