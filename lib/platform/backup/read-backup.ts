import { createHash, type Hash } from 'node:crypto';
import fs from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BackupError, damaged, FORMAT, MANIFEST_NAME, Manifest, SECRETS_NAME, Secrets, tableOfPart } from './manifest';
import { readTar, type TarMember } from './tar';

const NEWLINE = 10;
/** A forged backup must not make the reader take any amount of memory. */
const MAX_TABLES = 10_000;

export interface BackupContent {
  manifest: Manifest;
  secrets: string | null;
}

interface TableSeen {
  rows: number;
  bytes: number;
  parts: number;
  hash: Hash;
}

/** What was read of a backup, to be compared with its manifest. */
class Seen {
  readonly tables = new Map<string, TableSeen>();
  secrets: Buffer | null = null;
  manifest: Manifest | null = null;

  /** Returns the table that the rows belong to. */
  add({ name, data }: TarMember): string | null {
    const found = tableOfPart(name);
    if (found !== null) this.addRows(found, data);
    else if (name === SECRETS_NAME) this.secrets = data;
    else if (name === MANIFEST_NAME) this.manifest = parseManifest(data);
    else throw damaged(`it contains ${JSON.stringify(name)}`);
    return found?.table ?? null;
  }

  private addRows({ table, part }: { table: string; part: number }, data: Buffer): void {
    const seen = this.tables.get(table) ?? { rows: 0, bytes: 0, parts: 0, hash: createHash('sha256') };
    this.tables.set(table, seen);
    if (this.tables.size > MAX_TABLES) throw damaged('it has too many tables');
    if (part !== seen.parts + 1) throw damaged(`rows of ${table} are missing`);
    seen.parts = part;
    seen.bytes += data.length;
    seen.hash.update(data);
    // The text format of COPY escapes line ends within a value.
    for (let at = data.indexOf(NEWLINE); at !== -1; at = data.indexOf(NEWLINE, at + 1)) seen.rows += 1;
  }

  /** @throws BackupError when the manifest is missing, or anything differs from it */
  check(): BackupContent {
    const { manifest, secrets } = this;
    if (manifest === null) throw damaged('it has no end');
    for (const { name, rows, bytes, sha256 } of manifest.tables) {
      const seen = this.tables.get(name) ?? { rows: 0, bytes: 0, hash: createHash('sha256') };
      this.tables.delete(name);
      if (seen.bytes !== bytes || seen.hash.digest('hex') !== sha256) throw damaged(`the rows of ${name} have changed`);
      if (seen.rows !== rows) throw damaged(`${name} has ${seen.rows} rows instead of ${rows}`);
    }
    if (this.tables.size > 0) throw damaged('it has rows of an unknown table');
    const hash = secrets === null ? null : createHash('sha256').update(secrets).digest('hex');
    if (hash !== manifest.secretsSha256) throw damaged('its secrets have changed');
    if (secrets !== null && !isSecrets(secrets)) throw damaged('its secrets have another form');
    return { manifest, secrets: secrets?.toString('utf8') ?? null };
  }
}

/**
 * Reads a backup from its first to its last byte and compares it with its checksums and counts. `onRows` gets the rows in parts of a
 * few megabytes, table by table, before the comparison.
 *
 * @throws BackupError when the file is no backup, incomplete or changed
 */
export async function readBackup(
  file: string,
  {
    onRows,
    onProgress,
    signal,
  }: {
    onRows?: (table: string, data: Buffer) => Promise<void>;
    onProgress?: (progress: { bytes: number; totalBytes: number }) => void;
    signal?: AbortSignal;
  } = {},
): Promise<BackupContent> {
  const totalBytes = fs.statSync(file).size;
  const input = fs.createReadStream(file);
  const unpacked = createGunzip();
  // The reader of the second stream gets the error of either.
  pipeline(input, unpacked, () => undefined);
  const seen = new Seen();
  try {
    for await (const member of readTar(unpacked)) {
      signal?.throwIfAborted();
      if (seen.manifest !== null) throw damaged('it continues after its end');
      const table = seen.add(member);
      if (table !== null) await onRows?.(table, member.data);
      onProgress?.({ bytes: input.bytesRead, totalBytes });
    }
  } catch (error) {
    signal?.throwIfAborted();
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE') throw damaged('it is cut off, or not a backup');
    throw error;
  } finally {
    input.destroy();
  }
  return seen.check();
}

function parseManifest(data: Buffer): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(data.toString('utf8'));
  } catch {
    throw damaged('its manifest is not JSON');
  }
  if ((value as { format?: unknown })?.format !== FORMAT) {
    throw new BackupError('The backup was made by a newer version: restore it with that version.');
  }
  const parsed = Manifest.safeParse(value);
  if (!parsed.success) throw damaged('its manifest has another form');
  return parsed.data;
}

function isSecrets(data: Buffer): boolean {
  try {
    return Secrets.safeParse(JSON.parse(data.toString('utf8'))).success;
  } catch {
    return false;
  }
}
