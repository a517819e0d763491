import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The migration that `copyWithExample` adds. It follows the rules of docs/decisions/051-expand-then-contract.md. */
export const EXAMPLE = '99991231000000_example';

/** Copies prisma/migrations to a new folder, with one more migration. @returns the folder */
export function copyWithExample(folder: string): string {
  cpSync('prisma/migrations', folder, { recursive: true });
  mkdirSync(path.join(folder, EXAMPLE));
  const sql = "ALTER TABLE events ADD COLUMN example text NOT NULL DEFAULT '';\n";
  writeFileSync(path.join(folder, EXAMPLE, 'migration.sql'), sql);
  return folder;
}
