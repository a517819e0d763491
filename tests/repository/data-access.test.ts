import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Files that run SQL which no `*-sql.ts` can hold, with the reason. */
const EXCEPTIONS: Record<string, string> = {
  'lib/lifecycle/export/export-organization.ts': 'It opens the transaction of an export and runs its statements.',
  'lib/platform/database-pool.ts': 'It measures how long a statement without any SQL takes.',
  'lib/platform/db.ts': 'It runs BEGIN, COMMIT and the timeouts.',
  'lib/platform/prisma/transaction.ts': 'It sets the timeout of a transaction.',
  'lib/platform/sql/statement.ts': 'It runs every statement.',
};

const RUNS_SQL = /\.query\s*[(<]|\$(query|execute)Raw/;
const OPENS_TRANSACTION = /\$transaction\b/;

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'lib', 'app', 'components'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|generated\//.test(file));
const offenders = (pattern: RegExp) =>
  files.filter((file) => pattern.test(readFileSync(file, 'utf8').replace(/^\s*(\/?\*|\/\/).*$/gm, '')));

describe('access to the database (docs/decisions/034-where-sql-is-written.md)', () => {
  it('runs SQL only from files named *-sql.ts', () => {
    const found = offenders(RUNS_SQL).filter((file) => !file.endsWith('-sql.ts'));
    expect(found.filter((file) => !(file in EXCEPTIONS))).toEqual([]);
  });

  it('opens a transaction of Prisma only in inTransaction', () => {
    expect(offenders(OPENS_TRANSACTION)).toEqual(['lib/platform/prisma/transaction.ts']);
  });

  it('has no exception that is not needed', () => {
    expect(Object.keys(EXCEPTIONS).filter((file) => !offenders(RUNS_SQL).includes(file))).toEqual([]);
  });
});
