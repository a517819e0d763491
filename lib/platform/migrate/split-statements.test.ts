import { expect, it } from 'vitest';
import { readMigrations } from './migrations';
import { splitStatements } from './split-statements';

it.each([
  ['a; b;', ['a', 'b']],
  ["SELECT 'x;''y'; SELECT 1", ["SELECT 'x;''y'", 'SELECT 1']],
  ['SELECT 1 AS "a;b"; -- c; d\nSELECT /* e; */ 2;', ['SELECT 1 AS "a;b"', 'SELECT  2']],
  ['DO $$ BEGIN a; END $$; DO $x$ $$;$$ $x$;', ['DO $$ BEGIN a; END $$', 'DO $x$ $$;$$ $x$']],
  [' ;\n; -- nothing', []],
])('a script is split at semicolons between statements: %s', (script, statements) => {
  expect(splitStatements(script)).toEqual(statements);
});

it('no migration has a text with a backslash, which it does not know', () => {
  for (const { name, sql, cellSql } of readMigrations('prisma/migrations')) {
    for (const statement of splitStatements(`${sql};${cellSql ?? ''}`)) expect(statement, name).not.toMatch(/\bE'/);
  }
});
