import { createHash } from 'node:crypto';
import * as z from 'zod';
import { CELL_NAME } from '@/lib/platform/cells/current-cell';

/** Grows when an older version could misread a backup. */
export const FORMAT = 1;

const Table = z.object({
  /** With its cell, unless it is of the first one or of `public`. */
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number().int(),
  bytes: z.number().int(),
  /** The hash of the rows in the text format of COPY. */
  sha256: z.string(),
});
export type TableEntry = z.infer<typeof Table>;

/*
 * Texts of the manifest that become SQL: names, and bounds and keys as PostgreSQL writes them. PostgreSQL evaluates expressions in
 * bounds, so only literals pass. `checkSchema` compares the names with the schema.
 */
const RelationName = z.string().regex(/^\w+\.\w+$/);
const CellName = z.string().regex(new RegExp(`^${CELL_NAME}$`));
/** Until the schema had several cells, partitions were in a schema of their own. */
const PartitionName = z.string().regex(new RegExp(String.raw`^(?:partitions|${CELL_NAME})\.\w+$`));
/** Far above any number that a database has: a forged backup must not make the restore create any number of schemas. */
const MAX_CELLS = 1_000;
/** A time in the sessions of the product, which use UTC and ISO dates. */
const TIME = String.raw`\((?:(?:true|false), )?'\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00'\)`;
const Bounds = z
  .string()
  .regex(new RegExp(String.raw`^(?:DEFAULT|FOR VALUES IN \((?:true|false)\)|FOR VALUES FROM ${TIME} TO ${TIME})$`));
const PartitionKey = z.string().regex(/^(?:RANGE|LIST) \(\w+\)$/);
const LastValue = z.string().regex(/^\d{1,18}$/);

/** What a backup contains, at its end: the file `manifest.json`. */
export const Manifest = z.object({
  format: z.literal(FORMAT),
  createdAt: z.string(),
  /** The version of PostgreSQL. */
  serverVersion: z.string(),
  /** The schema: what has to be applied before the rows are inserted. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** The cells beside the first one; a backup of a version without them has no such list. */
  cells: z.array(CellName).max(MAX_CELLS).default([]),
  /** Partitions by their schema and name, parents first. */
  partitions: z.array(
    z.object({ name: PartitionName, parent: RelationName, bounds: Bounds, key: PartitionKey.nullable() }),
  ),
  sequences: z.array(z.object({ name: z.string(), lastValue: LastValue })),
  tables: z.array(Table),
  /** The secrets of DATA_DIR/secrets.json that the backup contains; null when there is no such file. */
  secretsSha256: z.string().nullable(),
  /** Tells encryption keys apart, without revealing them. */
  encryptionKeys: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

/** The content of DATA_DIR/secrets.json. */
export const Secrets = z.record(z.string(), z.string());

export const MANIFEST_NAME = 'manifest.json';
export const SECRETS_NAME = 'secrets.json';

/** Returns the name of a part of a table's rows; `part` counts from 1. */
export function partName(table: string, part: number): string {
  return `tables/${table}/${String(part).padStart(6, '0')}`;
}

const PART = new RegExp(String.raw`^tables/((?:${CELL_NAME}\.)?\w+)/(\d{6,})$`);

/** Returns the table of a part; null for another name. */
export function tableOfPart(name: string): { table: string; part: number } | null {
  const [, table, part] = PART.exec(name) ?? [];
  return table === undefined ? null : { table, part: Number(part) };
}

/** Returns a fingerprint of each key of ENCRYPTION_KEY, a comma list of base64. The keys are random, so nobody can guess them. */
export function fingerprintsOf(keys: string | undefined): string[] {
  const list = (keys ?? '').split(',').map((key) => key.trim());
  const hash = (key: string) => createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 16);
  return list.filter((key) => key !== '').map(hash);
}

/** Why a backup cannot be made or restored, in a line that says what to do. Printed without a stack. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Returns the error for a file that is no complete, unchanged backup. */
export function damaged(reason: string): BackupError {
  return new BackupError(`The backup is damaged: ${reason}. Use another copy of it.`);
}
