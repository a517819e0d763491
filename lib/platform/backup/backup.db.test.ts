import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { type EmptyDatabase, makeEmptyDatabase } from '@/tests/database/empty-database';
import { copyWithExample, EXAMPLE } from '@/tests/database/example-migration';
import { makeTemporaryFolder } from '@/tests/database/postgres';
import { useDatabase } from '@/tests/database/use-database';
import { fillProject } from '@/tests/fixtures/full-project';
import { useProjects } from '@/tests/fixtures/projects';
import { checkMigrations, loadBackup } from './load-backup';
import type { Manifest } from './manifest';
import { readBackup } from './read-backup';
import { writeBackup } from './write-backup';

const db = useDatabase();
const projects = useProjects();
const folder = makeTemporaryFolder();
const MIGRATIONS = 'prisma/migrations';
const source = (databaseUrl: string) => ({ databaseUrl, secrets: '{"AUTH_SECRET": "x"}', encryptionKeys: ['k'] });
const created: EmptyDatabase[] = [];

/** Creates an empty database of the service's role. */
async function createDatabase() {
  const empty = makeEmptyDatabase();
  created.push(empty);
  await empty.create();
  return { databaseUrl: empty.url, adminUrl: empty.adminUrl };
}

/** Writes a copy of a backup with another text in its archive of the same length, compressed again. */
function forge(file: string, from: string, to: string): string {
  const archive = gunzipSync(fs.readFileSync(file)).toString('latin1');
  expect(archive).toContain(from);
  expect(to).toHaveLength(from.length);
  const forged = path.join(folder, `forged-${randomBytes(4).toString('hex')}`);
  fs.writeFileSync(forged, gzipSync(Buffer.from(archive.replace(from, to), 'latin1')));
  return forged;
}

const rowsOf = ({ tables }: Manifest) =>
  Object.fromEntries(tables.map(({ name, rows, sha256 }) => [name, { rows, sha256 }]));

describe('a backup', () => {
  const file = path.join(folder, 'backup');
  let manifest: Manifest;

  beforeAll(async () => {
    await fillProject(projects.mine.id, { events: 50, attempts: 2 });
    await database().query(
      `UPDATE users SET name = E'tab\\tline\\nback\\\\slash \\\\N \\\\. ü 🙂 "quoted" \\x01' WHERE id IN (SELECT id FROM users LIMIT 1)`,
    );
    manifest = await writeBackup(file, source(db.url));
  });
  afterAll(async () => {
    fs.rmSync(folder, { recursive: true, force: true });
    for (const { drop } of created) await drop();
  });

  it('restores every row of every table, the partitions and the sequences, in the same form', async () => {
    const empty = await createDatabase();
    await loadBackup(file, manifest, empty, { folder: MIGRATIONS });
    const again = await writeBackup(path.join(folder, 'again'), source(empty.databaseUrl));
    expect(rowsOf(again)).toEqual(rowsOf(manifest));
    expect(again.partitions).toEqual(manifest.partitions);
    expect(again.sequences).toEqual(manifest.sequences);
    expect(Object.values(rowsOf(manifest)).filter(({ rows }) => rows > 0).length).toBeGreaterThan(15);
  });

  it('has every row unchanged when rows are larger than what is read at once', async () => {
    const large = path.join(folder, 'large');
    for (const [n, characters] of [1_000, 70_000, 200_000].entries()) {
      await database().query(
        `INSERT INTO events (id, project_id, type, payload)
         SELECT gen_random_uuid(), $1, 'large', jsonb_build_object('n', n, 'text', repeat(md5(n::text), $2::int / 32))
         FROM generate_series($3::int, $3::int + 49) n`,
        [projects.mine.id, characters, n * 50],
      );
    }
    const written = await writeBackup(large, source(db.url));
    await database().query("DELETE FROM events WHERE type = 'large'");
    expect((await readBackup(large)).manifest).toEqual(written);
    const ofEvents = written.tables.filter(({ name }) => /(^|\.)events$/.test(name));
    expect(Math.max(...ofEvents.map(({ bytes }) => bytes))).toBeGreaterThan(13_000_000);
  });

  it('of an older version gets the newer migrations afterwards', async () => {
    const before = await createDatabase();
    const after = await createDatabase();
    await applyMigrations(before.databaseUrl, { folder: MIGRATIONS });
    const newer = copyWithExample(path.join(folder, 'newer-migrations'));
    const old = path.join(folder, 'old');
    await loadBackup(old, await writeBackup(old, source(before.databaseUrl)), after, { folder: newer });
    expect(await applyMigrations(after.databaseUrl, { folder: newer })).toEqual([EXAMPLE]);
  });

  it('of a newer version is refused, and so is one with an edited migration', () => {
    const migrations = [...manifest.migrations, { name: '20991231000000_newer', checksum: 'x' }];
    expect(() => checkMigrations({ ...manifest, migrations }, MIGRATIONS)).toThrow('migration 20991231000000_newer');
    const edited = manifest.migrations.map((each) => ({ ...each, checksum: 'x' }));
    expect(() => checkMigrations({ ...manifest, migrations: edited }, MIGRATIONS)).toThrow('does not know');
    expect(() => checkMigrations(manifest, MIGRATIONS)).not.toThrow();
  });

  it.each([
    ['a changed value', 'quoted', 'forged', 'the rows of users have changed'],
    ['changed secrets', '{"AUTH_SECRET": "x"}', '{"AUTH_SECRET": "y"}', 'its secrets have changed'],
    ['another number of rows', '"rows": ', '"rows":1', 'rows instead of'],
    ['a newer format', '"format": 1', '"format": 2', 'made by a newer version'],
    ['a manifest of another form', '"sequences"', '"sequence_"', 'its manifest has another form'],
    ['a renamed table', 'tables/users/', 'tables/usexs/', 'a header has changed'],
  ])('with %s is refused, although it is compressed correctly', async (_, from, to, reason) => {
    await expect(readBackup(forge(file, from, to))).rejects.toThrow(reason);
    expect((await readBackup(file)).manifest).toEqual(manifest);
  });

  it('that was replaced while it is restored leaves the database empty', async () => {
    const empty = await createDatabase();
    const forged = forge(file, 'quoted', 'forged');
    await expect(loadBackup(forged, manifest, empty, { folder: MIGRATIONS })).rejects.toThrow('have changed');
    const left = await writeBackup(path.join(folder, 'left'), source(empty.databaseUrl));
    expect(left.tables.find(({ name }) => name === 'users')?.rows).toBe(0);
  });

  it('is read by tar', () => {
    const archive = gunzipSync(fs.readFileSync(file));
    expect(archive.subarray(257, 263).toString('latin1')).toBe('ustar\0');
    expect(archive.length % 512).toBe(0);
  });

  it('waits for no writer and stops none', async () => {
    const client = await database().connect();
    await client.query("BEGIN; UPDATE users SET name = 'unfinished'");
    const during = await writeBackup(path.join(folder, 'during'), source(db.url));
    await client.query('ROLLBACK');
    client.release();
    expect(rowsOf(during).users).toEqual(rowsOf(manifest).users);
  });

  it('is refused while the database is migrated', async () => {
    const client = new pg.Client({ connectionString: db.url });
    await client.connect();
    await client.query('SELECT pg_advisory_lock(72707369)');
    await expect(writeBackup(path.join(folder, 'migrating'), source(db.url))).rejects.toThrow('is being migrated');
    await client.end();
  });
});
