import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inSqlTransaction } from '@/lib/platform/db';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { readMigrations } from '@/lib/platform/migrate/migrations';
import { makeEmptyDatabase } from '@/tests/database/empty-database';
import { itOnOneServer } from '@/tests/database/one-server';
import { select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { addCell, readCells } from './cells';
import { currentSearchPath, inCell, setKnownCells } from './current-cell';

const { url } = useDatabase();

/** What a schema is made of, by kind: readable lines without its name, so that a failure names the column or index. */
const FACTS = {
  columns: `SELECT format('%s.%s %s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attstorage,
                          pg_get_expr(d.adbin, d.adrelid)) AS line
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')`,
  tables: `SELECT format('%s %s %s %s %s', c.relname, c.relkind, pg_get_partkeydef(c.oid), pg_get_expr(c.relpartbound, c.oid), concat(c.reloptions, t.reloptions)) AS line
           FROM pg_class c LEFT JOIN pg_class t ON t.oid = c.reltoastrelid WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')`,
  constraints: `SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line FROM pg_constraint
                WHERE connamespace = current_schema()::regnamespace`,
  indexes: `SELECT pg_get_indexdef(i.indexrelid, 0, true) AS line FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            WHERE c.relnamespace = current_schema()::regnamespace`,
  triggers: `SELECT pg_get_triggerdef(t.oid, true) AS line FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
             WHERE c.relnamespace = current_schema()::regnamespace AND NOT tgisinternal`,
  sequences: `SELECT format('%s %s', sequencename, pg_get_serial_sequence('stat_batches', 'id') LIKE current_schema() || '.%') AS line
              FROM pg_sequences WHERE schemaname = current_schema()`,
} as const;

const linesIn = (cell: string, sql: string) =>
  inCell(cell, async () => (await select<{ line: string }>(sql)).map(({ line }) => line).sort());

const add = (name: string) => inSqlTransaction((tx) => addCell(tx, name), { statementMs: 60_000 });

describe('a new cell', () => {
  itOnOneServer('has the tables of the first one, with all that belongs to them', async () => {
    expect(await add('cell_01')).toBe(true);
    for (const [fact, sql] of Object.entries(FACTS)) {
      const expected = await linesIn('cell_00', sql);
      expect(expected.length, fact).toBeGreaterThan(0);
      expect(await linesIn('cell_01', sql), fact).toEqual(expected);
    }
  });

  it('is added once, under a name that is no other schema', async () => {
    expect(await add('cell_twice')).toBe(true);
    expect(await add('cell_twice')).toBe(false);
    for (const name of ['public', 'cell_', 'cell_A', 'cell_a b', 'cell_a;drop', `cell_${'a'.repeat(41)}`]) {
      await expect(add(name)).rejects.toThrow('is no name of a cell');
    }
  });
});

describe('a migration', () => {
  it('changes the tables of every cell, and all or none', async () => {
    await add('cell_migrated');
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    fs.cpSync('prisma/migrations', folder, { recursive: true });
    const write = (name: string, file: string, sql: string) => {
      fs.mkdirSync(path.join(folder, name), { recursive: true });
      fs.writeFileSync(path.join(folder, name, file), sql);
    };
    write('29990101000000_both', 'migration.sql', 'ALTER TABLE organizations ADD COLUMN note text;');
    write('29990101000000_both', 'cell.sql', 'ALTER TABLE events ADD COLUMN note text;');
    expect(await applyMigrations(url, { folder })).toEqual(['29990101000000_both']);
    for (const cell of ['cell_00', 'cell_migrated']) {
      expect(await linesIn(cell, FACTS.columns)).toContainEqual(expect.stringMatching(/^events\.note text/));
    }
    write('29990102000000_fails', 'migration.sql', 'ALTER TABLE organizations DROP COLUMN note;');
    write(
      '29990102000000_fails',
      'cell.sql',
      "ALTER TABLE events DROP COLUMN note; SELECT 1 / (current_schema() <> 'cell_migrated')::int;",
    );
    await expect(applyMigrations(url, { folder })).rejects.toThrow('division by zero');
    expect(await linesIn('cell_00', FACTS.columns)).toContainEqual(expect.stringMatching(/^events\.note text/));
    await expect(select('SELECT note FROM organizations')).resolves.toEqual([]);
  });
});

it('a cell that was added before the newest migrations is like the first one', async () => {
  const empty = makeEmptyDatabase();
  await empty.create();
  onTestFinished(() => void empty.drop());
  const before = readMigrations('prisma/migrations').filter(({ name }) => name <= '20261129040000_tries_of_jobs');
  await applyMigrations(empty.url, { names: new Set(before.map(({ name }) => name)) });
  const client = new pg.Client({ connectionString: empty.url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await addCell(client, 'cell_old');
    await client.query('COMMIT');
    await applyMigrations(empty.url);
    for (const [fact, sql] of Object.entries(FACTS)) {
      const lines = async (cell: string) => {
        await client.query(`SET search_path = ${cell}, public`);
        return (await client.query<{ line: string }>(sql)).rows.map(({ line }) => line).sort();
      };
      expect(await lines('cell_old'), fact).toEqual(await lines('cell_00'));
    }
  } finally {
    await client.end();
  }
});

describe('a statement', () => {
  it('finds the tables of the cell it is for, and those of all cells', async () => {
    await add('cell_own');
    const schemaOf = (table: string) => () =>
      select<{ name: string }>(
        `SELECT relnamespace::regnamespace::text AS name FROM pg_class WHERE oid = '${table}'::regclass`,
      );
    expect(await inCell('cell_own', schemaOf('events'))).toEqual([{ name: 'cell_own' }]);
    expect(await inCell('cell_00', schemaOf('events'))).toEqual([{ name: 'cell_00' }]);
    expect(await inCell('cell_own', schemaOf('projects'))).toEqual([{ name: 'public' }]);
  });

  it('that names no cell is for the only one, and with several it fails rather than read another one', async () => {
    setKnownCells(['cell_00']);
    expect(currentSearchPath()).toBe('cell_00,public');
    await expect(select('SELECT FROM events')).resolves.toEqual([]);
    await add('cell_second');
    await readCells();
    await expect(select('SELECT FROM events')).rejects.toThrow('relation "events" does not exist');
    await expect(select('SELECT FROM projects')).resolves.toEqual([]);
    // Work that began earlier continues: the new cell has no organization yet.
    setKnownCells(['cell_00']);
    await readCells(60_000);
    await expect(select('SELECT FROM events')).resolves.toEqual([]);
  });
});
