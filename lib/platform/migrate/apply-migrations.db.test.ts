import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmptyDatabase, makeEmptyDatabase, queryOnce } from '@/tests/database/empty-database';
import { schemaEngine } from '@/tests/database/schema-engine.mjs';
import { waitFor } from '@/tests/http/receiver';
import { applyMigrations } from './apply-migrations';
import { readMigrations } from './migrations';

/** With what a script may hold and a cutter at semicolons breaks on. */
const FIRST = `
  CREATE TABLE notes (id int PRIMARY KEY, text text DEFAULT 'a;b'); -- a comment; with one
  CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.text := 'x'; RETURN NEW; END $$;
  CREATE TRIGGER touched BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION touch();`;
const SECOND = 'ALTER TABLE notes ADD COLUMN size int;';

describe('applying migrations', () => {
  let folder: string;
  let empty: EmptyDatabase;
  let url: string;
  const query = (sql: string) => queryOnce(url, sql);

  function write(name: string, sql: string): void {
    fs.mkdirSync(path.join(folder, name), { recursive: true });
    fs.writeFileSync(path.join(folder, name, 'migration.sql'), sql);
  }

  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
    fs.writeFileSync(path.join(folder, 'migration_lock.toml'), 'provider = "postgresql"\n');
    write('20260101000000_first', FIRST);
    write('20260102000000_second', SECOND);
    empty = makeEmptyDatabase();
    url = empty.url;
    await empty.create();
  });

  afterEach(async () => {
    fs.rmSync(folder, { recursive: true });
    await empty.drop();
  });

  it('applies each missing migration once, in the order of their names', async () => {
    expect(await applyMigrations(url, { folder })).toEqual(['20260101000000_first', '20260102000000_second']);
    expect(await applyMigrations(url, { folder })).toEqual([]);
    write('20260103000000_third', 'DROP TRIGGER touched ON notes;');
    expect(await applyMigrations(url, { folder })).toEqual(['20260103000000_third']);
    await query('INSERT INTO notes (id, size) VALUES (1, 2)');
    expect(await query('SELECT text FROM notes')).toEqual([{ text: 'a;b' }]);
  });

  it('applies each migration once when several processes run at once', async () => {
    const applied = await Promise.all(Array.from({ length: 4 }, () => applyMigrations(url, { folder })));
    expect(applied.flat().sort()).toEqual(['20260101000000_first', '20260102000000_second']);
  });

  it('fails with the reason when another process holds the lock for too long', async () => {
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('SELECT pg_advisory_lock(72707369)');
    await expect(applyMigrations(url, { folder, lockWaitMs: 50 })).rejects.toThrow('Another process');
    await other.end();
  });

  it('says in one line that it has lost the connection before its first migration', async () => {
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('SELECT pg_advisory_lock(72707369)');
    const lost = expect(applyMigrations(url, { folder })).rejects.toMatchObject({
      name: 'MigrationError',
      message: expect.stringMatching(/^The database is unreachable: [^\n]+$/),
    });
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%pg_try_advisory_lock%'`;
    await waitFor('it to wait', async () => ((await other.query(end)).rowCount ?? 0) > 0);
    await other.end();
    await lost;
  });

  it('rolls back a failed migration, names its line, and applies it after it is corrected', async () => {
    write('20260102000000_second', `${SECOND}\nSELECT nonsense;`);
    await expect(applyMigrations(url, { folder })).rejects.toThrow(
      'Migration 20260102000000_second failed and was rolled back: column "nonsense" does not exist (line 2)',
    );
    expect(
      await query("SELECT 1 FROM information_schema.columns WHERE table_name = 'notes' AND column_name = 'size'"),
    ).toEqual([]);
    write('20260102000000_second', SECOND);
    expect(await applyMigrations(url, { folder })).toEqual(['20260102000000_second']);
  });

  it('refuses a migration that was edited after it was applied', async () => {
    await applyMigrations(url, { folder });
    write('20260101000000_first', `${FIRST} `);
    await expect(applyMigrations(url, { folder })).rejects.toThrow('Migration 20260101000000_first was edited');
  });

  it('accepts a database that the next version has migrated, and says so', async () => {
    await applyMigrations(url, { folder });
    fs.rmSync(path.join(folder, '20260102000000_second'), { recursive: true });
    const notices: string[] = [];
    expect(await applyMigrations(url, { folder, onNotice: (line) => notices.push(line) })).toEqual([]);
    expect(notices).toEqual([expect.stringContaining('migrated by a newer version (20260102000000_second)')]);
  });

  it('refuses a database with an unknown migration that also lacks one of this version', async () => {
    await applyMigrations(url, { folder });
    fs.renameSync(path.join(folder, '20260102000000_second'), path.join(folder, '20260103000000_other'));
    await expect(applyMigrations(url, { folder })).rejects.toThrow('which this version does not know');
  });

  it('refuses a database in which another tool has not finished a migration', async () => {
    await applyMigrations(url, { folder });
    await query("UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%second'");
    await expect(applyMigrations(url, { folder })).rejects.toThrow('did not finish');
  });

  it('records a history that Prisma accepts as complete and unedited', async () => {
    await applyMigrations(url, { folder });
    const engine = await schemaEngine(url);
    const list = {
      baseDir: folder,
      lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
      migrationDirectories: readMigrations(folder).map(({ name, sql }) => ({
        path: name,
        migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
      })),
      shadowDbInitScript: '',
    };
    const filters = { externalTables: [], externalEnums: [] };
    const found = await engine.diagnoseMigrationHistory({
      migrationsList: list,
      optInToShadowDatabase: false,
      filters,
    });
    expect(found).toMatchObject({ history: null, editedMigrationNames: [], failedMigrationNames: [] });
    expect(await engine.applyMigrations({ migrationsList: list, filters })).toEqual({ appliedMigrationNames: [] });
  });
});

describe('the migrations of the project', () => {
  it('contain no transaction control and can run in a transaction, so each is applied together with its record', () => {
    for (const { name, sql } of readMigrations('prisma/migrations')) {
      const code = sql.replaceAll(/--.*$/gm, '').replaceAll(/\$\$[\s\S]*?\$\$/g, '');
      expect(code, name).not.toMatch(/^\s*(BEGIN|START TRANSACTION|COMMIT|ROLLBACK|VACUUM)\b|\bCONCURRENTLY\b/im);
    }
  });
});
