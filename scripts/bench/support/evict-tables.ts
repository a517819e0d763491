import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { database } from '@/lib/platform/db';

/**
 * Evicts tables from the page cache, so that they are read from disk again and deleting their files frees no memory. Uses
 * GNU dd, which calls posix_fadvise.
 *
 * @throws Error without GNU dd
 */
export async function evictTables(dataDir: string, tables: readonly string[]): Promise<void> {
  const { rows } = await database().query<{ file: string }>(
    `WITH t AS (SELECT oid, reltoastrelid FROM pg_class WHERE oid = ANY($1::regclass[]))
     SELECT pg_relation_filepath(c.oid) AS file FROM pg_class c
     WHERE c.oid IN (SELECT oid FROM t UNION SELECT reltoastrelid FROM t
       UNION SELECT i.indexrelid FROM pg_index i JOIN t ON i.indrelid IN (t.oid, t.reltoastrelid))`,
    [tables],
  );
  for (const { file } of rows) {
    const absolute = path.join(dataDir, 'postgres', file);
    if (existsSync(absolute)) await evict(absolute);
  }
}

async function evict(file: string): Promise<void> {
  await promisify(execFile)('dd', [`of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none']);
}
