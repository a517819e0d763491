import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import type { text } from '@/lib/platform/sql/column';
import { Statement } from '@/lib/platform/sql/statement';
import { describeStatement } from '@/tests/database/describe-statement';
import { planStatement } from '@/tests/database/plan-statement';
import { useDatabase } from '@/tests/database/use-database';

useDatabase();

const MODULES = import.meta.glob<Record<string, unknown>>('/lib/**/*-sql.ts', { eager: true });
/** Every exported statement, by file and name. A record or list of statements, such as one per table, counts as several. */
const STATEMENTS = Object.entries(MODULES).flatMap(([file, exported]) =>
  Object.entries(exported).flatMap(([name, value]) =>
    listStatements(value).map((found) => ({ name: `${file.slice(1)} ${name}`, statement: found })),
  ),
);

function listStatements(value: unknown): Statement[] {
  if (value instanceof Statement) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((part): part is Statement => part instanceof Statement);
}

/** Citus runs these, and its EXPLAIN refuses them. */
const NOT_EXPLAINED = /insertFirstAttempts|insertAttempts|setUrlTokens|insertLink/;
const PLANNED = STATEMENTS.filter(
  ({ name, statement: { text: sql } }) =>
    /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/.test(sql) && !NOT_EXPLAINED.test(name),
);

/** What is wrong with the declared columns and parameters, one line for each. */
async function findFaults(client: pg.PoolClient, { text: sql, columns, params }: Statement): Promise<string[]> {
  const described = await describeStatement(client, sql);
  const found = new Map(described.columns.map((column) => [column.name, column]));
  const wrongParams = Object.entries((params ?? {}) as Record<string, typeof text>).flatMap(
    ([name, { pgType }], index) =>
      pgType === described.params[index] ? [] : [`$${name} is ${described.params[index]}, not ${pgType}`],
  );
  const declared = Object.entries(columns as Record<string, typeof text>);
  // A statement that only changes or checks rows declares none.
  const extra = declared.length === 0 ? [] : [...found.keys()].filter((name) => !(name in columns));
  return [
    ...wrongParams,
    ...extra.map((name) => `${name} is not declared`),
    ...declared.flatMap(([name, column]) => {
      const is = found.get(name);
      if (is === undefined) return [`${name} is not returned`];
      if (is.pgType !== column.pgType) return [`${name} is ${is.pgType}, not ${column.pgType}`];
      const mayBeNull = is.isTableNullable === true && !column.isNullable && !column.isKnownToBeSet;
      return mayBeNull ? [`${name} may be null`] : [];
    }),
  ];
}

describe('the columns and parameters that a statement of SQL declares', () => {
  let client: pg.PoolClient;
  beforeAll(async () => {
    client = await database().connect();
  });
  afterAll(() => client.release());

  it.each(STATEMENTS)('are those of the database: $name', async ({ statement: checked }) => {
    expect(await findFaults(client, checked)).toEqual([]);
  });

  it.each(PLANNED)(
    'are planned, on a cluster by Citus, which refuses some: $name',
    async ({ statement: { text: sql } }) => {
      await planStatement(client, sql, (await describeStatement(client, sql)).params);
    },
  );

  it('are found in every file of SQL', () => {
    expect(STATEMENTS.length).toBeGreaterThan(2);
    const silent = Object.keys(MODULES).filter((file) => !STATEMENTS.some(({ name }) => `/${name}`.startsWith(file)));
    expect(silent).toEqual([]);
  });
});
