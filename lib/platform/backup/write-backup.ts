import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { CopyToStreamQuery } from 'pg-copy-streams';
import { listCellNames } from '@/lib/platform/cells/cells-sql';
import { FIRST_CELL } from '@/lib/platform/cells/current-cell';
import type { DatabaseClient } from '@/lib/platform/database-client';
import { listApplied, readServerVersion, tryLock } from '@/lib/platform/migrate/migrate-sql';
import { MIGRATION_LOCK_ID } from '@/lib/platform/migrate/migrations';
import {
  beginSnapshot,
  connectForBackup,
  copyOut,
  findCells,
  listPartitions,
  listSequences,
  listTables,
  measureDatabase,
  useCells,
} from './backup-sql';
import { BackupError, FORMAT, MANIFEST_NAME, type Manifest, partName, SECRETS_NAME, type TableEntry } from './manifest';
import { TAR_END, toTar } from './tar';

/** Memory that a backup needs does not grow with the database. */
const PART_BYTES = 4 * 1024 * 1024;

export interface BackupSource {
  databaseUrl: string;
  /** The text of DATA_DIR/secrets.json; null when there is none. */
  secrets: string | null;
  /** Fingerprints of the keys in use. */
  encryptionKeys: string[];
}

export interface BackupProgress {
  table: string;
  bytes: number;
  /** An estimate. */
  totalBytes: number;
}

/**
 * Writes a backup to a new file, which only this user may read: a compressed tar archive of one state of the database, while it is
 * in use. Flushes it to the disk. Aborting the signal breaks it off.
 *
 * @throws BackupError when the database is being migrated
 */
export async function writeBackup(
  file: string,
  source: BackupSource,
  { onProgress, signal }: { onProgress?: (progress: BackupProgress) => void; signal?: AbortSignal } = {},
): Promise<Manifest> {
  const client = await connectForBackup(source.databaseUrl);
  let manifest: Manifest | undefined;
  async function* archive(): AsyncGenerator<Buffer> {
    manifest = yield* writeMembers(client, source, onProgress);
    yield TAR_END;
  }
  try {
    const output = fs.createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(Readable.from(archive()), createGzip(), output, { signal });
    if (manifest === undefined) throw new Error('the archive has no manifest');
    return manifest;
  } finally {
    await client.end();
  }
}

/** Writes the members of the archive, the manifest last. @returns the manifest */
async function* writeMembers(
  client: DatabaseClient,
  { secrets, encryptionKeys }: BackupSource,
  onProgress: (progress: BackupProgress) => void = () => undefined,
): AsyncGenerator<Buffer, Manifest> {
  const { taken } = await tryLock.one(client, { id: MIGRATION_LOCK_ID });
  if (!taken) throw new BackupError('The database is being migrated: try again when that is done.');
  // Cells are added under the same lock.
  const cells = await listOtherCells(client);
  await useCells(client, cells);
  const found = await listTables.all(client);
  await beginSnapshot(
    client,
    found.map(({ name }) => name),
  );
  const totalBytes = Number((await measureDatabase.one(client)).bytes);
  const applied = await listApplied.all(client);
  const partitions = await listPartitions.all(client);
  const { server_version } = await readServerVersion.one(client);
  const tables: TableEntry[] = [];
  const copies: CopyToStreamQuery[] = [];
  let bytes = 0;
  for (const { name, columns } of found) {
    const table = { name, columns: JSON.parse(columns) as string[], rows: 0, bytes: 0, sha256: '' };
    const copy = copyOut(client, name, table.columns);
    for await (const member of writeRows(table, copy)) {
      yield member;
      bytes += member.length;
      onProgress({ table: name, bytes, totalBytes });
    }
    tables.push(table);
    copies.push(copy);
  }
  // A sequence has no snapshot: read after the rows, it is not behind them.
  const sequences = await listSequences.all(client);
  for (const [n, table] of tables.entries()) table.rows = copies[n]?.rowCount ?? 0;
  if (secrets !== null) yield toTar({ name: SECRETS_NAME, data: Buffer.from(secrets) });
  const manifest: Manifest = {
    format: FORMAT,
    createdAt: new Date().toISOString(),
    serverVersion: server_version,
    migrations: applied.map(({ migration_name, checksum }) => ({ name: migration_name, checksum })),
    cells,
    partitions,
    sequences: sequences.flatMap(({ name, last_value }) =>
      last_value === null ? [] : { name, lastValue: last_value },
    ),
    tables,
    secretsSha256: secrets === null ? null : createHash('sha256').update(secrets).digest('hex'),
    encryptionKeys,
  };
  yield toTar({ name: MANIFEST_NAME, data: Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`) });
  return manifest;
}

async function listOtherCells(client: DatabaseClient): Promise<string[]> {
  const { there } = await findCells.one(client);
  const cells = there ? await listCellNames.all(client) : [];
  return cells.map(({ name }) => name).filter((name) => name !== FIRST_CELL);
}

/** Writes the rows of a table in parts, and adds their size and hash to its entry. */
async function* writeRows(table: TableEntry, copy: CopyToStreamQuery): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let chunks: Buffer[] = [];
  let held = 0;
  let part = 0;
  const flush = () => {
    const data = Buffer.concat(chunks);
    chunks = [];
    held = 0;
    part += 1;
    return toTar({ name: partName(table.name, part), data });
  };
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    hash.update(chunk);
    chunks.push(chunk);
    held += chunk.length;
    table.bytes += chunk.length;
    if (held >= PART_BYTES) yield flush();
  }
  if (held > 0) yield flush();
  table.sha256 = hash.digest('hex');
}
