import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createGunzip, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inEachCell } from '@/lib/platform/cells/current-cell';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { readMigrations } from '@/lib/platform/migrate/migrations';
import { type EmptyDatabase, makeEmptyDatabase, queryOnce } from '@/tests/database/empty-database';
import { makeTemporaryFolder } from '@/tests/database/postgres';
import { run } from '@/tests/database/rows';
import { useCells } from '@/tests/database/use-cells';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint, insertEvents } from '@/tests/fixtures/deliveries';
import { insertAttempts } from '@/tests/retention/partitions';
import { loadBackup } from './load-backup';
import { BackupError, MANIFEST_NAME, type Manifest } from './manifest';
import { readBackup } from './read-backup';
import { readTar, TAR_END, toTar } from './tar';
import { writeBackup } from './write-backup';

const db = useDatabase();
useCells('cell_01');
const folder = makeTemporaryFolder();
const file = path.join(folder, 'backup');
const created: EmptyDatabase[] = [];
let manifest: Manifest;

beforeAll(async () => {
  await inEachCell(async (cell) => {
    const { projectId } = await insertEndpoint({ url: 'https://receiver.example/hook' });
    await insertEvents(projectId, cell === 'cell_00' ? 3 : 5);
    await run(
      `CREATE TABLE delivery_attempts_failed_p20990101 PARTITION OF delivery_attempts
       FOR VALUES FROM (false, '2099-01-01T00:00:00.000Z') TO (false, '2099-01-02T00:00:00.000Z')`,
    );
    await insertAttempts(new Date('2099-01-01T12:00:00Z'), { succeeded: false, count: 2 });
    await run(`SELECT setval('stat_batches_id_seq', $1)`, cell === 'cell_00' ? 42 : 77);
  });
  manifest = await writeBackup(file, source(db.url));
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  for (const { drop } of created) await drop();
});

const source = (databaseUrl: string) => ({ databaseUrl, secrets: null, encryptionKeys: ['k'] });

async function createDatabase(): Promise<EmptyDatabase> {
  const empty = makeEmptyDatabase();
  created.push(empty);
  await empty.create();
  return empty;
}

async function restore(from: string): Promise<EmptyDatabase> {
  const empty = await createDatabase();
  const read = await readBackup(from);
  const urls = { databaseUrl: empty.url, adminUrl: empty.adminUrl };
  await loadBackup(from, read.manifest, urls, { folder: 'prisma/migrations' });
  return empty;
}

/** Writes a copy of the backup with another manifest, with sums that fit. */
async function forge(change: (manifest: Manifest) => object, keeps = (_name: string) => true): Promise<string> {
  const members: Buffer[] = [];
  for await (const { name, data } of readTar(fs.createReadStream(file).pipe(createGunzip()))) {
    if (!keeps(name)) continue;
    const forged = name === MANIFEST_NAME ? Buffer.from(JSON.stringify(change(JSON.parse(data.toString())))) : data;
    members.push(toTar({ name, data: forged }));
  }
  const forged = path.join(folder, randomBytes(4).toString('hex'));
  fs.writeFileSync(forged, gzipSync(Buffer.concat([...members, TAR_END])));
  return forged;
}

const rowsOf = ({ tables }: Manifest) =>
  Object.fromEntries(tables.map(({ name, rows, sha256 }) => [name, { rows, sha256 }]));

describe('a backup of several cells', () => {
  it('restores every row, partition and sequence of each, and the cells themselves', async () => {
    expect(manifest.cells).toEqual(['cell_01']);
    expect(rowsOf(manifest)).toMatchObject({ events: { rows: 3 }, 'cell_01.events': { rows: 5 }, cells: { rows: 2 } });
    const { url } = await restore(file);
    const again = await writeBackup(path.join(folder, 'again'), source(url));
    expect(rowsOf(again)).toEqual(rowsOf(manifest));
    expect([again.cells, again.partitions, again.sequences]).toEqual([
      manifest.cells,
      manifest.partitions,
      manifest.sequences,
    ]);
    expect(again.partitions.map(({ name }) => name)).toContain('cell_01.delivery_attempts_failed_p20990101');
    expect(again.sequences).toContainEqual({ name: 'cell_01.stat_batches_id_seq', lastValue: '77' });
  });

  it('is refused when its rows name a cell whose tables it lacks', async () => {
    const isKept = ({ name }: { name: string }) => !name.startsWith('cell_01.');
    const without = ({ tables, partitions, sequences, ...same }: Manifest) => ({
      ...same,
      cells: [],
      tables: tables.filter(isKept),
      partitions: partitions.filter(isKept),
      sequences: sequences.filter(isKept),
    });
    const forged = await forge(without, (name) => !name.startsWith('tables/cell_01.'));
    await expectRefusal(forged, /its cells are others than it says/);
  });

  const NONE = { columns: ['id'], rows: 0, bytes: 0, sha256: createHash('sha256').digest('hex') };
  const DAY = "FOR VALUES FROM (false, '2100-01-01 00:00:00+00') TO (false, '2100-01-02 00:00:00+00')";
  const PARENT = 'cell_01.delivery_attempts';

  it.each([
    ['a name that is no name of a cell', { cells: ['cell_01', 'public'] }, /another form/],
    ['a name that is SQL', { cells: ['cell_01', 'cell_a; DROP SCHEMA public'] }, /another form/],
    ['a cell twice', { cells: ['cell_01', 'cell_01'] }, /it has cell_01 twice/],
    ['the first cell among the others', { cells: ['cell_00', 'cell_01'] }, /it has cell_00 twice/],
    ['a cell that no row names', { cells: ['cell_01', 'cell_02'] }, /does not fit its schema/],
    ['a cell that it does not name', { cells: [] }, /unknown table "cell_01\./],
    ['too many cells', { cells: Array.from({ length: 1_001 }, (_, n) => `cell_${n}`) }, /another form/],
  ])('is refused with %s', async (_, change, reason) => {
    await expectRefusal(await forge((same) => ({ ...same, ...change })), reason);
  });

  it.each([
    ['a table of another cell', 'cell_02.events', /unknown table "cell_02\.events"/],
    ['a table of another schema', 'pg_catalog.pg_authid', /unknown table "pg_catalog\.pg_authid"/],
    ['a table of the first cell under its cell', 'cell_00.events', /unknown table "cell_00\.events"/],
  ])('is refused with %s', async (_, name, reason) => {
    await expectRefusal(await forge((same) => ({ ...same, tables: [...same.tables, { name, ...NONE }] })), reason);
  });

  it.each([
    ['another cell than its table', 'cell_00.forged', PARENT, /in another cell than/],
    ['a schema that is not there', 'partitions.forged', PARENT, /does not fit its schema/],
  ])('is refused with a partition in %s', async (_, name, parent, reason) => {
    const added = { name, parent, bounds: DAY, key: null };
    await expectRefusal(await forge((same) => ({ ...same, partitions: [...same.partitions, added] })), reason);
  });

  async function expectRefusal(forged: string, reason: RegExp): Promise<void> {
    const error = await restore(forged).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BackupError);
    expect((error as Error).message).toMatch(reason);
    const { adminUrl } = created.at(-1) as EmptyDatabase;
    const [users] = await queryOnce<{ found: string | null }>(
      adminUrl,
      `SELECT to_regclass('public.users')::text AS found`,
    );
    const stored = users?.found == null ? [] : await queryOnce(adminUrl, 'SELECT FROM users');
    expect(stored).toHaveLength(0);
  }
});

it('a backup of the schema before cells is restored, and the newer migrations follow', async () => {
  const old = readMigrations('prisma/migrations').filter(({ name }) => name < '20261129010000_cells');
  const before = await createDatabase();
  await applyMigrations(before.url, { names: new Set(old.map(({ name }) => name)) });
  await queryOnce(
    before.url,
    `CREATE TABLE partitions.delivery_attempts_failed_p20990101 PARTITION OF partitions.delivery_attempts_failed
     FOR VALUES FROM ('2099-01-01T00:00:00.000Z') TO ('2099-01-02T00:00:00.000Z')`,
  );
  const oldFile = path.join(folder, 'old');
  const written = await writeBackup(oldFile, source(before.url));
  expect([written.cells, written.partitions.map(({ name }) => name)]).toEqual([
    [],
    expect.arrayContaining(['partitions.delivery_attempts_failed_p20990101']),
  ]);
  const { url } = await restore(oldFile);
  expect(await applyMigrations(url)).toContain('20261129010000_cells');
  const find = `SELECT to_regclass('cell_00.delivery_attempts_failed_p20990101') IS NOT NULL AS there`;
  expect(await queryOnce(url, find)).toEqual([{ there: true }]);
});
