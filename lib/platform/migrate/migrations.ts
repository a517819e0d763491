import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** The advisory lock of a process that migrates: that of Prisma's own tools. */
export const MIGRATION_LOCK_ID = 72_707_369;

export interface Migration {
  /** The folder's name, 20261125000000_initial: the order of the names is the order of application. */
  name: string;
  sql: string;
  /** What is run in each cell after that, from the file `cell.sql`; null without one (docs/decisions/078-cells.md). */
  cellSql: string | null;
  /** SHA-256 in hexadecimal, as Prisma records it: of the file, followed by `cell.sql`. */
  checksum: string;
}

/** Reads the migrations of a prisma/migrations folder, oldest first. @throws MigrationError */
export function readMigrations(folder: string): Migration[] {
  if (!fs.existsSync(folder)) throw new MigrationError(`No migrations in ${folder}: run from the project's root.`);
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => readMigration(folder, name));
}

function readMigration(folder: string, name: string): Migration {
  const file = path.join(folder, name, 'migration.sql');
  if (!fs.existsSync(file)) throw new MigrationError(`Migration ${name} has no migration.sql: restore it.`);
  const sql = fs.readFileSync(file, 'utf8');
  const ofCells = path.join(folder, name, 'cell.sql');
  const cellSql = fs.existsSync(ofCells) ? fs.readFileSync(ofCells, 'utf8') : null;
  const checksum = createHash('sha256')
    .update(sql)
    .update(cellSql ?? '')
    .digest('hex');
  return { name, sql, cellSql, checksum };
}

/** Why the database cannot be brought to this version's schema, in one line that says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
