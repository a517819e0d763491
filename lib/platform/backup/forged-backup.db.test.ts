import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createGunzip, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { makeEmptyDatabase, queryOnce } from '@/tests/database/empty-database';
import { makeTemporaryFolder } from '@/tests/database/postgres';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { loadBackup } from './load-backup';
import { BackupError, MANIFEST_NAME, type Manifest, SECRETS_NAME } from './manifest';
import { readBackup } from './read-backup';
import { readTar, TAR_END, type TarMember, toTar } from './tar';
import { writeBackup } from './write-backup';

const db = useDatabase();
useProjects();
const folder = makeTemporaryFolder();
const file = path.join(folder, 'backup');
const empty = makeEmptyDatabase();

/** Writes a copy of the backup with other members, with sums that fit. */
async function forge(change: (member: TarMember) => Buffer): Promise<string> {
  const members: Buffer[] = [];
  for await (const member of readTar(fs.createReadStream(file).pipe(createGunzip()))) {
    members.push(toTar({ name: member.name, data: change(member) }));
  }
  const forged = path.join(folder, randomBytes(4).toString('hex'));
  fs.writeFileSync(forged, gzipSync(Buffer.concat([...members, TAR_END])));
  return forged;
}

const forgeManifest = (change: (manifest: Manifest) => object) =>
  forge(({ name, data }) =>
    name === MANIFEST_NAME ? Buffer.from(JSON.stringify(change(JSON.parse(data.toString())))) : data,
  );

/** Checks and restores a file into an empty database, as the command does. */
async function restore(forged: string): Promise<void> {
  const { manifest } = await readBackup(forged);
  const urls = { databaseUrl: empty.url, adminUrl: empty.adminUrl };
  await loadBackup(forged, manifest, urls, { folder: 'prisma/migrations' });
}

/** Expects a refusal that the command prints as one line, and an empty database. */
async function expectRefusal(forged: string, reason: RegExp): Promise<void> {
  const error = await restore(forged).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BackupError);
  expect((error as Error).message).toMatch(/^The backup is damaged: [^\n]*\. Use another copy of it\.$/);
  expect((error as Error).message).toMatch(reason);
  const find = `SELECT to_regclass('users')::text AS found`;
  const [users] = await queryOnce<{ found: string | null }>(empty.adminUrl, find);
  const count = users?.found === null ? [] : await queryOnce(empty.adminUrl, 'SELECT FROM users');
  expect(count).toHaveLength(0);
}

beforeAll(async () => {
  await empty.create();
  await database().query(
    `CREATE TABLE delivery_attempts_failed_p20990101 PARTITION OF delivery_attempts
     FOR VALUES FROM (false, '2099-01-01T00:00:00.000Z') TO (false, '2099-01-02T00:00:00.500Z')`,
  );
  await database().query(`SELECT setval(pg_get_serial_sequence('stat_batches', 'id'), 42)`);
  await writeBackup(file, { databaseUrl: db.url, secrets: '{"AUTH_SECRET": "x"}', encryptionKeys: ['k'] });
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  await empty.drop();
});

describe('a forged backup is refused with one line before any row is stored', () => {
  const NEW = { name: 'cell_00.forged', parent: 'cell_00.delivery_attempts', key: null };
  const TO = "TO (false, '2100-01-02 00:00:00+00')";

  it.each([
    `FOR VALUES FROM (false, now()) ${TO}`,
    `FOR VALUES FROM (false, 'now') ${TO}`,
    `FOR VALUES FROM (false, (pg_sleep(60)::text || '2100-01-01')) ${TO}`,
    `FOR VALUES FROM (false, query_to_xml('SELECT 1', true, true, '')) ${TO}`,
    `FOR VALUES FROM (false, current_timestamp) ${TO}`,
    'FOR VALUES IN (pg_sleep(60)::text::boolean)',
    'FOR VALUES IN (true, false)',
    'FOR VALUES WITH (MODULUS 2, REMAINDER 0)',
    'DEFAULT PARTITION BY RANGE (created_at)',
    'DEFAULT; SELECT 1',
  ])('with the bounds %s', async (bounds) => {
    const forged = await forgeManifest((manifest) => ({
      ...manifest,
      partitions: [...manifest.partitions, { ...NEW, bounds }],
    }));
    await expectRefusal(forged, /its manifest has another form/);
  });

  it.each([
    ['in another schema', { name: 'public.forged' }, /its manifest has another form/],
    ['with the expression of a key', { key: 'RANGE (lower(now()::text))' }, /its manifest has another form/],
    ['of a table without partitions', { parent: 'public.users' }, /public\.users has no partitions/],
    ['of an unknown table', { parent: 'pg_catalog.forged' }, /pg_catalog\.forged has no partitions/],
    ['with the values of another kind of table', { bounds: 'FOR VALUES IN (true)' }, /does not fit its schema/],
    ['with a day that is taken', { bounds: `FOR VALUES FROM (false, '2099-01-01 00:00:00+00') ${TO}` }, /does not fit/],
    [
      'with a day that does not exist',
      { bounds: `FOR VALUES FROM (false, '2100-13-41 00:00:00+00') ${TO}` },
      /does not fit/,
    ],
  ])('with a partition %s', async (_, change, reason) => {
    const bounds = `FOR VALUES FROM (false, '2100-01-01 00:00:00+00') ${TO}`;
    const added = { ...NEW, bounds, ...change };
    const forged = await forgeManifest((manifest) => ({ ...manifest, partitions: [...manifest.partitions, added] }));
    await expectRefusal(forged, reason);
  });

  it.each([
    ['an unknown table', 'pg_authid', /it has the unknown table "pg_authid"/],
    ['a table with SQL for its name', 'users"; SELECT 1; --', /unknown table "users\\"; SELECT 1; --"/],
    ['a table with a line end', 'users\nx', /unknown table "users\\nx"/],
  ])('with %s', async (_, table, reason) => {
    const none = { columns: ['id'], rows: 0, bytes: 0, sha256: createHash('sha256').digest('hex') };
    const forged = await forgeManifest((manifest) => ({
      ...manifest,
      tables: [...manifest.tables, { name: table, ...none }],
    }));
    await expectRefusal(forged, reason);
  });

  it.each([
    ['an unknown column', 'forged', /users has the unknown column "forged"/],
    ['rows that do not fit their table', 'id', /it does not fit its schema: /],
  ])('with %s', async (_, column, reason) => {
    const forged = await forgeManifest(({ tables, ...rest }) => ({
      ...rest,
      tables: tables.map((table) => (table.name === 'users' ? { ...table, columns: [column] } : table)),
    }));
    await expectRefusal(forged, reason);
  });

  it.each([
    ['an unknown sequence', { name: 'pg_catalog.forged', lastValue: '1' }, /unknown sequence "pg_catalog\.forged"/],
    ['a table as a sequence', { name: 'public.users', lastValue: '1' }, /unknown sequence "public\.users"/],
    ['a value that is no number', { name: 'cell_00.stat_batches_id_seq', lastValue: 'now()' }, /another form/],
  ])('with %s', async (_, sequence, reason) => {
    await expectRefusal(await forgeManifest((manifest) => ({ ...manifest, sequences: [sequence] })), reason);
  });

  it('with null in place of the secrets', async () => {
    const secretsSha256 = createHash('sha256').update('null').digest('hex');
    const forged = await forge(({ name, data }) => {
      if (name === SECRETS_NAME) return Buffer.from('null');
      return name === MANIFEST_NAME
        ? Buffer.from(JSON.stringify({ ...JSON.parse(data.toString()), secretsSha256 }))
        : data;
    });
    await expectRefusal(forged, /its secrets have another form/);
  });
});

it('a true backup is restored after them, with its partition and its sequence', async () => {
  const { manifest } = await readBackup(file);
  await restore(await forgeManifest((same) => same));
  const again = await writeBackup(`${file}-again`, { databaseUrl: empty.url, secrets: null, encryptionKeys: [] });
  expect(again.partitions).toEqual(manifest.partitions);
  expect(again.partitions.map(({ name }) => name)).toContain('cell_00.delivery_attempts_failed_p20990101');
  expect(again.sequences).toEqual([{ name: 'cell_00.stat_batches_id_seq', lastValue: '42' }]);
  expect(again.tables).toEqual(manifest.tables);
});
