import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { lockProject } from '@/lib/orgs/projects';
import { settleBackground } from '@/lib/platform/background';
import { setCellNodes } from '@/lib/platform/cells/cell-nodes';
import { readCells } from '@/lib/platform/cells/cells';
import { inCell, setKnownCells } from '@/lib/platform/cells/current-cell';
import { closeDatabase, hotDatabase, inSqlTransaction } from '@/lib/platform/db';
import { applyMigrations } from '@/lib/platform/migrate/apply-migrations';
import { closePrisma } from '@/lib/platform/prisma/client';
import { runCells } from '@/scripts/cells/run-cells';
import { createClusterDatabase } from '@/tests/database/citus';
import { queryOnce } from '@/tests/database/empty-database';
import { countLockWaits } from '@/tests/database/lock-waits';
import { count, run, select } from '@/tests/database/rows';
import { fillProject } from '@/tests/fixtures/full-project';
import { makeTestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';
import { setTestConfig } from '@/tests/setup/variables';

const NAME = 'test_distribute';
const ROLE = 'event_delivery_test';
const { adminUrl, nodeUrls } = inject('postgres');
let url = '';
const cells = (...args: string[]) => runCells(args, { DATABASE_URL: url });

beforeAll(async () => {
  // The service's role is no superuser, and Citus reaches machines by both.
  await queryOnce(adminUrl, `DROP ROLE IF EXISTS ${ROLE}`);
  await queryOnce(adminUrl, `CREATE ROLE ${ROLE} LOGIN PASSWORD 'secret'`);
  const made = await createClusterDatabase({ adminUrl, nodeUrls }, NAME, ROLE);
  url = Object.assign(new URL(made), { username: ROLE, password: 'secret' }).href;
  for (const each of [adminUrl, ...nodeUrls]) {
    const database = Object.assign(new URL(each), { pathname: `/${NAME}` }).href;
    await queryOnce(database, `INSERT INTO pg_dist_authinfo VALUES (0, '${ROLE}', 'password=secret')`);
  }
  await applyMigrations(url);
  setTestConfig({ DATABASE_URL: url });
  await closePrisma();
  await closeDatabase();
  setCellNodes([], false);
  setKnownCells(['cell_00']);
});

afterAll(async () => {
  await settleBackground();
  await closePrisma();
  await closeDatabase();
  for (const each of [adminUrl, ...nodeUrls]) await queryOnce(each, `DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`);
  await queryOnce(adminUrl, `DROP ROLE ${ROLE}`);
});

const TABLES = ['events', 'deliveries', 'delivery_attempts', 'stats', 'endpoints', 'alerts', 'cell_move_changes'];
const countRows = () =>
  Promise.all(TABLES.map(async (table) => [table, await inCell('cell_00', () => count(`SELECT FROM ${table}`))]));

it('a database with rows is distributed: its cells are on machines, with the same rows, and work', async () => {
  const project = await makeTestProject();
  await fillProject(project.id);
  const before = await countRows();
  expect(await cells('list')).not.toContain('MACHINE');
  expect(await cells('distribute')).toBe('Placed cell_00: npm run cells -- list');
  expect(await cells('distribute')).toBe('Each cell has a machine already.');
  await closePrisma();
  await closeDatabase();
  await readCells();
  expect(await countRows()).toEqual(before);
  const sent = await call('POST', `/api/v1/projects/${project.id}/events`, {
    apiKey: project.key,
    body: { type: 'order.paid', data: {} },
  });
  expect(sent.status, sent.text).toBe(202);
  const [node] = await inCell('cell_00', () => hotDatabase().query('SHOW port')).then(({ rows }) => rows);
  expect(nodeUrls.map((each) => new URL(each).port)).toContain(node.port);
});

it('the lock of a project keeps no change of another one waiting, and those of its own until the transaction ends', async () => {
  const [project, other] = [await makeTestProject(), await makeTestProject()];
  const addCustomer = ({ id, key }: typeof project) =>
    call('POST', `/api/v1/projects/${id}/customers`, { apiKey: key, body: { uid: 'acme' } });
  const { own } = await inSqlTransaction(async (tx) => {
    await lockProject(tx, project.id);
    expect((await addCustomer(other)).status).toBe(201);
    const waiting = addCustomer(project);
    await waitFor('a lock wait', async () => (await countLockWaits()) === 1);
    return { own: waiting };
  });
  expect((await own).status).toBe(201);
});

it('a new cell is placed on a machine, and both are listed with theirs and their size', async () => {
  await cells('add', 'cell_01');
  const ports = nodeUrls.map((each) => new URL(each).port).join('|');
  const line = (cell: string) => `${cell} +yes +\\d+ +\\d+\\.\\d MB +\\S+:(${ports})`;
  expect(await cells('list')).toMatch(new RegExp(`^CELL .* MACHINE\n${line('cell_00')}\n${line('cell_01')}$`));
  const machines = await select('SELECT DISTINCT nodeport FROM citus_shards s WHERE citus_table_type = $1', 'schema');
  expect(machines).toHaveLength(Math.min(2, nodeUrls.length));
});

it('a later migration changes the tables of each cell, and those that each machine has a copy of', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'event-delivery-test-'));
  fs.cpSync('prisma/migrations', folder, { recursive: true });
  const added = path.join(folder, '20990101000000_added');
  fs.mkdirSync(added);
  fs.writeFileSync(
    path.join(added, 'migration.sql'),
    `ALTER TABLE projects ADD COLUMN added int; -- one; two
     CREATE TABLE public.added_uses (key_id uuid PRIMARY KEY REFERENCES public.api_keys ON DELETE CASCADE);
     CREATE FUNCTION public.note_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.added := 1; RETURN NEW; END $$;`,
  );
  fs.writeFileSync(
    path.join(added, 'cell.sql'),
    `ALTER TABLE events ADD COLUMN added int; CREATE TABLE added (project_id uuid REFERENCES public.projects, added int);
     CREATE TRIGGER note BEFORE INSERT ON added FOR EACH ROW EXECUTE FUNCTION public.note_added();`,
  );
  expect(await applyMigrations(url, { folder })).toEqual(['20990101000000_added']);
  fs.rmSync(folder, { recursive: true });
  for (const cell of ['cell_00', 'cell_01']) {
    await inCell(cell, () => run('INSERT INTO added (project_id) SELECT id FROM projects LIMIT 1'));
    expect(await inCell(cell, () => select('SELECT e.added FROM events e LIMIT 1'))).toHaveLength(
      cell === 'cell_00' ? 1 : 0,
    );
    expect(await inCell(cell, () => select('SELECT added FROM added'))).toEqual([{ added: 1 }]);
  }
});
