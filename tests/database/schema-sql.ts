import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TRIES = 3;
const TRY_MS = 40_000;

/**
 * Returns the SQL with which Prisma creates prisma/schema.prisma, made in a process of its own: the engine may fail on a busy machine
 * with an exception that nobody can catch.
 * @param databaseUrl any running database; the engine needs one
 */
export async function schemaSql(databaseUrl: string): Promise<string> {
  const command = ['tests/database/schema-engine.mjs', databaseUrl];
  for (let tries = 1; ; tries += 1) {
    try {
      const { stdout } = await promisify(execFile)(process.execPath, command, { timeout: TRY_MS, maxBuffer: 2 ** 24 });
      return stdout;
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}
