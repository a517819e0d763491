import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Copy,
  copyChanged,
  copyPage,
  ENDPOINT_TABLES,
  MOVED_TABLES,
  NOTED_TABLES,
  readTables,
  SMALL_TABLES,
  type TableShape,
} from '@/lib/lifecycle/copy-rows-sql';
import { finishErasures } from '@/lib/lifecycle/finish-erasures';
import { moveOrganization } from '@/lib/lifecycle/move-organization';
import { beginMoving, lockMove } from '@/lib/lifecycle/move-sql';
import { forgetTenants } from '@/lib/orgs/tenant';
import { MOVES_CHANNEL } from '@/lib/platform/cells/cell-channel';
import { setSearchPath } from '@/lib/platform/cells/cells-sql';
import { inCell, searchPathOf } from '@/lib/platform/cells/current-cell';
import { HOUR_MS } from '@/lib/platform/clock';
import { database, inSqlTransaction, type Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { LOWEST_ID } from '@/lib/platform/sql/bounded-scan';
import { WakeListener } from '@/lib/platform/wake-listener';
import { runInBatches } from '@/lib/retention/cleanup/batches';
import { capAttempts } from '@/lib/retention/cleanup/cap-attempts';
import { cleanEvents } from '@/lib/retention/cleanup/clean-events';
import { cleanExpired } from '@/lib/retention/cleanup/clean-expired';
import { runJob } from '@/lib/retention/jobs/run-job';
import { rollUpStats } from '@/lib/stats/roll-up';
import { itOnOneServer } from '@/tests/database/one-server';
import { count, earlier, exists, run, select } from '@/tests/database/rows';
import { useCells } from '@/tests/database/use-cells';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { insertEndpoint, insertEvents, insertProject } from '@/tests/fixtures/deliveries';
import { fillProject } from '@/tests/fixtures/full-project';
import { openPortal } from '@/tests/fixtures/portal';
import { makeTestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { untilEnded, useProcesses } from '@/tests/processes/entry-process';
import { runStep, startTestRun } from '@/tests/retention/test-run';
import { testVariables } from '@/tests/setup/variables';

const variables = testVariables();
const { url } = useDatabase(variables);
useCells('cell_01');
const startMover = useProcesses('tests/cells/mover.ts', () => ({ ...variables, DATABASE_URL: url }));

const AT_ONCE = { pauseMs: 0, fenceMs: 0 };
const ORGANIZATION = 'SELECT organization_id AS id FROM projects WHERE id = $1';
const organizationOf = async (projectId: string) =>
  (await select<{ id: string }>(ORGANIZATION, projectId))[0]?.id ?? '';
const cellOf = async (organization: string) =>
  (await select<{ cell: string }>('SELECT cell FROM organizations WHERE id = $1', organization))[0]?.cell;

/** Reads all rows of projects in a cell, by table, each as JSON text. */
async function readRows(cell: string, projects: readonly string[]): Promise<Record<string, string[]>> {
  const ofProject = 'project_id = ANY($1)';
  const ofEndpoint = `endpoint_id IN (SELECT id FROM endpoints WHERE ${ofProject})`;
  const rows: Record<string, string[]> = {};
  await inCell(cell, async () => {
    for (const table of [...NOTED_TABLES, ...MOVED_TABLES, ...SMALL_TABLES, ...ENDPOINT_TABLES, 'delivery_attempts']) {
      const condition = table.startsWith('endpoint_') ? ofEndpoint : ofProject;
      const found = await select<{ row: object }>(
        `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${condition}`,
        projects,
      );
      rows[table] = found.map(({ row }) => JSON.stringify(row)).sort();
    }
  });
  return rows;
}

const NOTHING = Object.fromEntries(
  [...NOTED_TABLES, ...MOVED_TABLES, ...SMALL_TABLES, ...ENDPOINT_TABLES, 'delivery_attempts'].map((table) => [
    table,
    [],
  ]),
);

/** Makes an organization with two full projects in the first cell. */
async function makeOrganization() {
  const projects = [await inCell('cell_00', insertProject), await inCell('cell_00', insertProject)];
  const organization = await organizationOf(projects[0] ?? '');
  await run('UPDATE projects SET organization_id = $1 WHERE id = ANY($2)', organization, projects);
  for (const project of projects) await inCell('cell_00', () => fillProject(project));
  await inCell('cell_00', () =>
    run('UPDATE endpoints SET enabled = false WHERE project_id = $1', projects[0]).then(() =>
      run('INSERT INTO endpoint_permits (endpoint_id) SELECT id FROM endpoints WHERE project_id = $1', projects[1]),
    ),
  );
  return { organization, projects };
}

/** Makes a project whose cell this process remembers after two events, and what sends another one. */
async function startSending() {
  const mine = await makeTestProject();
  const organization = await organizationOf(mine.id);
  const from = (await cellOf(organization)) ?? '';
  const to = from === 'cell_00' ? 'cell_01' : 'cell_00';
  const post = () =>
    call('POST', `/api/v1/projects/${mine.id}/events`, { apiKey: mine.key, body: { type: 'a.b', data: {} } });
  // The second one is when this process remembers the cell.
  expect([(await post()).status, (await post()).status]).toEqual([202, 202]);
  return { mine, organization, from, to, post };
}

itOnOneServer('a statement of a move copies at most 500 MiB of incoming events, and one more of them', async () => {
  const { organization, projects } = await makeOrganization();
  const [project = ''] = projects;
  const ids = Array.from({ length: 5 }, newId).sort();
  for (const id of ids) {
    await inCell('cell_00', () =>
      run(
        `INSERT INTO incoming_events (id, project_id, source_id, method, headers, body, size)
         SELECT $2::uuid, project_id, source_id, method, headers, body, 300 * 1024 * 1024
         FROM incoming_events WHERE project_id = $1 LIMIT 1`,
        project,
        id,
      ),
    );
  }
  const tables = await readTables(database(), 'cell_00');
  const copy: Copy = { source: 'cell_00', table: tables.get('incoming_events') as TableShape, tables, hasMoved: false };
  const batches: number[] = [];
  const inTarget = <T>(work: (tx: Sql) => Promise<T>) =>
    inCell('cell_01', () =>
      inSqlTransaction(async (tx) => {
        await beginMoving(tx, organization);
        const query = vi.spyOn(tx, 'query');
        const result = await work(tx);
        for (const [text, values] of query.mock.calls as unknown as [string, unknown[][]][]) {
          if (text.startsWith('INSERT INTO incoming_events')) batches.push(values[0]?.length ?? 0);
        }
        query.mockRestore();
        return result;
      }),
    );
  for (let above: string | null = LOWEST_ID; above !== null; ) {
    const from: string = above;
    above = await inTarget((tx) => copyPage(tx, copy, project, from));
  }
  await inTarget((tx) => copyChanged(tx, copy, ids));
  expect(batches).toEqual([3, 2, 1, 2, 2, 1]);
  const [source, target] = [await readRows('cell_00', [project]), await readRows('cell_01', [project])];
  expect(target.incoming_events).toEqual(source.incoming_events);
});

it('every table of a cell is moved in one of the ways', async () => {
  const known = [
    ...NOTED_TABLES,
    ...MOVED_TABLES,
    ...SMALL_TABLES,
    ...ENDPOINT_TABLES,
    'delivery_attempts',
    'stat_batches',
    'cell_move_changes',
  ];
  expect([...(await readTables(database(), 'cell_00')).keys()].sort()).toEqual(known.sort());
});

describe('a move', () => {
  it('carries each row as it is, and leaves none behind; others stay', async () => {
    const mine = await makeOrganization();
    const other = await makeOrganization();
    const [before, ofOther] = [await readRows('cell_00', mine.projects), await readRows('cell_00', other.projects)];
    for (const [table, rows] of Object.entries(before)) expect(rows.length, table).toBeGreaterThan(0);
    await moveOrganization(mine.organization, 'cell_01', AT_ONCE);
    expect(await readRows('cell_01', mine.projects)).toEqual(before);
    expect(await readRows('cell_00', mine.projects)).toEqual(NOTHING);
    expect(await readRows('cell_00', other.projects)).toEqual(ofOther);
    expect(await cellOf(mine.organization)).toBe('cell_01');
    expect(await count(`SELECT FROM pg_trigger WHERE tgname LIKE 'cell_move%'`)).toBe(0);
    expect(await count('SELECT FROM cell_moves')).toBe(0);
    expect(await count('SELECT FROM cell_00.cell_move_changes')).toBe(0);
    expect(
      await count(
        `SELECT FROM audit_log WHERE action = 'organization.moved' AND target_id = $1 AND organization_id IS NULL
           AND details = '{"from": "cell_00", "to": "cell_01"}'`,
        mine.organization,
      ),
    ).toBe(1);
    await moveOrganization(mine.organization, 'cell_00', AT_ONCE);
    expect(await readRows('cell_00', mine.projects)).toEqual(before);
  });

  itOnOneServer("refreshes the planner's statistics of both cells", async () => {
    const { organization } = await makeOrganization();
    const isFresh = (cell: string) =>
      count(
        `SELECT FROM pg_class WHERE oid = '${cell}.deliveries'::regclass AND reltuples = (SELECT count(*) FROM ${cell}.deliveries)`,
      );
    await run('ANALYZE cell_00.deliveries, cell_01.deliveries');
    const project = await inCell('cell_01', insertProject);
    await inCell('cell_01', () => fillProject(project));
    expect([await isFresh('cell_00'), await isFresh('cell_01')]).toEqual([1, 0]);
    await moveOrganization(organization, 'cell_01', AT_ONCE);
    expect([await isFresh('cell_00'), await isFresh('cell_01')]).toEqual([1, 1]);
  });

  it('of an organization that works loses and doubles nothing, and takes its writes away for at most 5 s', async () => {
    const [mine, other] = [await makeTestProject(), await makeTestProject()];
    const organization = await organizationOf(mine.id);
    const from = (await cellOf(organization)) ?? '';
    const to = from === 'cell_00' ? 'cell_01' : 'cell_00';
    await run('UPDATE organizations SET cell = $2 WHERE id = $1', await organizationOf(other.id), from);
    forgetTenants();
    const listener = new WakeListener({ [MOVES_CHANNEL]: forgetTenants });
    await listener.connect();
    onTestFinished(() => listener.close());
    const steady = await startReceiver();
    const flaky = await startReceiver((response, _index, { headers }) =>
      response
        .writeHead(
          flaky.received.filter((each) => each.headers['webhook-id'] === headers['webhook-id']).length > 1 ? 200 : 500,
        )
        .end(),
    );
    await inCell(from, () => insertEndpoint({ url: steady.url, projectId: mine.id }));
    await inCell(from, () => insertEndpoint({ url: flaky.url, projectId: mine.id, retrySeconds: [2] }));
    await startWorker({ rollUpStats });

    let isSending = true;
    const accepted: string[] = [];
    const refusals = new Map<number, number>();
    let [lastAt, longestGapMs] = [performance.now(), 0];
    const body = { type: 'order.paid', data: {} };
    const send = async () => {
      while (isSending) {
        const { status, json } = await call<{ id: string }>('POST', `/api/v1/projects/${mine.id}/events`, {
          apiKey: mine.key,
          body,
        });
        if (status === 202) {
          accepted.push(json.id);
          longestGapMs = Math.max(longestGapMs, performance.now() - lastAt);
          lastAt = performance.now();
        } else refusals.set(status, (refusals.get(status) ?? 0) + 1);
        await sleep(20);
      }
    };
    const neighbor: number[] = [];
    const sendOther = async () => {
      while (isSending) {
        const path = `/api/v1/projects/${other.id}/events`;
        neighbor.push((await call('POST', path, { apiKey: other.key, body })).status);
        await sleep(20);
      }
    };
    const senders = Promise.all([send(), send(), send(), sendOther()]);
    await sleep(1_000);
    await moveOrganization(organization, to, { pauseMs: 4_000, fenceMs: 1_000 });
    await sleep(1_000);
    isSending = false;
    await senders;

    const inTarget = (sql: string) => inCell(to, () => count(sql, mine.id));
    const pending = `SELECT FROM deliveries WHERE project_id = $1 AND status = 'PENDING'`;
    await waitFor(
      'all deliveries',
      async () => (await inTarget('SELECT FROM outbox WHERE project_id = $1')) + (await inTarget(pending)) === 0,
      20_000,
    );
    expect([...refusals.keys()].filter((status) => status !== 503)).toEqual([]);
    expect(longestGapMs).toBeLessThan(5_000);
    expect(new Set(neighbor)).toEqual(new Set([202]));
    const ids = accepted.toSorted();
    const idsAt = ({ received }: typeof steady) => received.map(({ headers }) => headers['webhook-id']).sort();
    expect(idsAt(steady)).toEqual(ids);
    expect(idsAt(flaky)).toEqual([...ids, ...ids].sort());
    expect(await inTarget('SELECT FROM events WHERE project_id = $1')).toBe(ids.length);
    expect(await inTarget('SELECT FROM delivery_attempts WHERE project_id = $1')).toBe(3 * ids.length);
    await inCell(to, async () => {
      await waitFor(
        'the statistics',
        async () => !(await rollUpStats()) && (await count('SELECT FROM stat_batches')) === 0,
      );
      const sums = `SELECT sum(events)::int AS events, sum(succeeded)::int AS succeeded, sum(server_errors)::int AS failed
                    FROM stats WHERE project_id = $1 AND subject_id = $1 AND period = 'MINUTE'`;
      expect(await select(sums, mine.id)).toEqual([
        { events: ids.length, succeeded: 2 * ids.length, failed: ids.length },
      ]);
    });
    expect(await readRows(from, [mine.id])).toEqual(NOTHING);
  });

  it('keeps out what a process writes that has not heard of it: people repeat it, and workers find no row', async () => {
    const { mine, organization, from, to, post } = await startSending();
    const moving = moveOrganization(organization, to, { pauseMs: 0, fenceMs: 4_000 });
    await waitFor('the move', async () => (await cellOf(organization)) === to, 20_000);
    const late = await post();
    expect([late.status, late.headers['retry-after']]).toEqual([503, '2']);
    const body = { url: 'https://receiver.example/hook' };
    const setting = await call('POST', `/api/v1/projects/${mine.id}/endpoints`, {
      bearer: mine.owner.accessToken,
      body,
    });
    expect([setting.status, setting.headers['retry-after'], setting.json.code]).toEqual([503, '1', 'unavailable']);
    await inCell(from, async () => {
      const insert = 'INSERT INTO events (id, project_id, type, payload) VALUES (gen_random_uuid(), $1, $2, $3)';
      await expect(run(insert, mine.id, 'a.b', '{}')).rejects.toMatchObject({ code: '23M01' });
      await run(insert, await insertProject(), 'a.b', '{}');
      expect(await count('DELETE FROM events WHERE project_id = $1', mine.id)).toBe(0);
      expect(await count('SELECT FROM events WHERE project_id = $1', mine.id)).toBe(2);
    });
    forgetTenants();
    expect((await post()).status).toBe(202);
    await moving;
    expect(await inCell(to, () => count('SELECT FROM events WHERE project_id = $1', mine.id))).toBe(3);
  });

  it('empties the cell that it has left after the fence has ended, also where the clock of this machine is ahead', async () => {
    const organization = await organizationOf(await inCell('cell_00', insertProject));
    const read = Date.now.bind(Date);
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => read() + HOUR_MS);
    onTestFinished(() => clock.mockRestore());
    const fenceMs = 3_000;
    const startedAt = performance.now();
    await moveOrganization(organization, 'cell_01', { pauseMs: 0, fenceMs });
    expect(performance.now() - startedAt).toBeGreaterThan(fenceMs);
  });

  it('answers 503 to each change that the cell it has left does not store, and 2xx when it is repeated', async () => {
    const mine = await makeTestProject();
    const organization = await organizationOf(mine.id);
    const from = (await cellOf(organization)) ?? '';
    const to = from === 'cell_00' ? 'cell_01' : 'cell_00';
    await inCell(from, () => fillProject(mine.id));
    // An event that waits for its fan-out cannot be sent to an endpoint.
    await inCell(from, () => run('DELETE FROM outbox WHERE project_id = $1', mine.id));
    const find = async (table: string, column = 'id') => {
      const rows = await inCell(from, () =>
        select<{ found: string }>(
          `SELECT ${column}::text AS found FROM ${table} WHERE project_id = $1 LIMIT 1`,
          mine.id,
        ),
      );
      return rows[0]?.found ?? '';
    };
    const url = 'https://receiver.example/other';
    const other = await inCell(from, () => insertEndpoint({ url, projectId: mine.id }));
    const by = { bearer: mine.owner.accessToken };
    const token = await openPortal(mine.id, await find('customers', 'uid'), by);
    const changes: [method: string, path: string, body?: object][] = [
      ['PATCH', `alerts/${await find('alerts')}`, { name: 'At night' }],
      ['POST', `alerts/${await find('alerts')}/rotate-secret`],
      ['POST', `alerts/${await find('alerts')}/test`],
      ['DELETE', `alerts/${await find('alerts')}`],
      ['POST', `deliveries/${await find('deliveries')}/retry`],
      ['POST', `events/${await find('events')}/deliveries`, { endpointId: other.id }],
      ['POST', `incoming-events/${await find('incoming_events')}/replay`, {}],
      ['DELETE', `subscriptions/${await find('subscriptions')}`],
      ['DELETE', `endpoints/${other.id}`],
      ['DELETE', `tunnels/${await find('tunnels')}`],
      ['DELETE', `event-types/${await find('event_types', 'name')}`],
      ['DELETE', `sources/${await find('sources')}`],
      ['DELETE', `customers/${await find('customers', 'uid')}/portal-sessions`],
      ['DELETE', `customers/${await find('customers', 'uid')}`],
    ];
    const change = async () => {
      const answers: Record<string, number> = {};
      answers['own session'] = (await call('DELETE', '/api/v1/portal/session', { bearer: token })).status;
      for (const [method, path, body] of changes) {
        const sent = { ...by, ...(body === undefined ? {} : { body }) };
        answers[`${method} ${path}`] = (await call(method, `/api/v1/projects/${mine.id}/${path}`, sent)).status;
      }
      return answers;
    };
    const moving = moveOrganization(organization, to, { pauseMs: 0, fenceMs: 6_000 });
    await waitFor('the move', async () => (await cellOf(organization)) === to, 20_000);
    const startedAt = new Date();
    expect(Object.entries(await change()).filter(([, status]) => status !== 503)).toEqual([]);
    const audited = 'SELECT FROM audit_log WHERE organization_id = $1 AND created_at > $2';
    expect(await count(audited, organization, startedAt)).toBe(0);
    await moving;
    forgetTenants();
    expect(Object.entries(await change()).filter(([, status]) => status >= 300)).toEqual([]);
  });

  it('takes no event into the cell that it has left, also from a process that hears of it when that is empty', async () => {
    const { mine, organization, from, to, post } = await startSending();
    await moveOrganization(organization, to, AT_ONCE);
    const late = await post();
    expect([late.status, late.json.code, late.headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    expect(await readRows(from, [mine.id])).toEqual(NOTHING);
    expect((await post()).status).toBe(202);
    expect(await inCell(to, () => count('SELECT FROM events WHERE project_id = $1', mine.id))).toBe(3);
  });

  it('claims nothing while the work pauses, and goes on by itself when the pause is not renewed', async () => {
    const mine = await makeTestProject();
    const organization = await organizationOf(mine.id);
    const from = (await cellOf(organization)) ?? '';
    const receiver = await startReceiver();
    const endpoint = await inCell(from, () => insertEndpoint({ url: receiver.url, projectId: mine.id }));
    const stop = new Error('stopped');
    const target = from === 'cell_00' ? 'cell_01' : 'cell_00';
    const onProgress = (line: string) => {
      if (line === 'Copying stats') throw stop;
    };
    await expect(moveOrganization(organization, target, { ...AT_ONCE, onProgress })).rejects.toBe(stop);
    const pause = (time: string) =>
      run(`UPDATE cell_moves SET paused_until = ${time} WHERE organization_id = $1`, organization);
    await pause(`now() + interval '1 hour'`);
    await startWorker();
    await inCell(from, () => insertEvents(mine.id, 1));
    await sleep(2_500);
    expect(receiver.received).toHaveLength(0);
    await pause('now()');
    await waitFor('the delivery', () => inCell(from, isSettled(endpoint.id, 1)), 15_000);
    expect(receiver.received).toHaveLength(1);
  });

  it('holds up no statement about rows of many organizations while its last step has the lock', async () => {
    const { organization, projects } = await makeOrganization();
    const [project = ''] = projects;
    const stop = new Error('stopped');
    const onProgress = (line: string) => {
      if (line === 'Copying stats') throw stop;
    };
    await expect(moveOrganization(organization, 'cell_01', { ...AT_ONCE, onProgress })).rejects.toBe(stop);
    await run(
      `UPDATE cell_moves SET paused_until = now() + interval '1 hour' WHERE organization_id = $1`,
      organization,
    );
    await inSqlTransaction(async (tx) => {
      await setSearchPath(tx, searchPathOf('cell_00'));
      await lockMove.run(tx, { organization });
      await inCell('cell_00', async () => {
        const insert = 'INSERT INTO events (id, project_id, type, payload) VALUES (gen_random_uuid(), $1, $2, $3)';
        await expect(run(insert, project, 'a.b', '{}')).rejects.toMatchObject({ code: '23M01', detail: project });
        await run(insert, await insertProject(), 'a.b', '{}');
        const claim = 'UPDATE outbox SET attempts = attempts + 1 WHERE project_id = $1 RETURNING id';
        expect(await select(claim, project)).toEqual([]);
      });
    });
  });

  it('does not wait for rows that a worker holds, which follow', async () => {
    const { organization, projects } = await makeOrganization();
    const before = await readRows('cell_00', projects);
    const worker = await inCell('cell_00', () => database().connect());
    await worker.query('BEGIN');
    await worker.query('SELECT FROM outbox WHERE project_id = ANY($1) FOR UPDATE', [projects]);
    const moving = moveOrganization(organization, 'cell_01', AT_ONCE);
    await waitFor('the move', async () => (await cellOf(organization)) === 'cell_01', 20_000);
    const take = 'UPDATE outbox SET attempts = attempts + 1 WHERE project_id = ANY($1)';
    expect((await worker.query(take, [projects])).rowCount).toBe(0);
    await worker.query('COMMIT');
    worker.release();
    await moving;
    expect(await readRows('cell_01', projects)).toEqual(before);
    expect(await readRows('cell_00', projects)).toEqual(NOTHING);
  });

  it('of an organization that is deleted meanwhile leaves nothing of it in either cell', async () => {
    const { organization, projects } = await makeOrganization();
    const stop = new Error('stopped');
    const onProgress = (line: string) => {
      if (line === 'Copying stats') throw stop;
    };
    await expect(moveOrganization(organization, 'cell_01', { ...AT_ONCE, onProgress })).rejects.toBe(stop);
    await run('UPDATE organizations SET deleted_at = now() WHERE id = $1', organization);
    await waitFor(
      'the erasure',
      async () => !(await finishErasures()) && !(await exists('organizations', organization)),
      20_000,
    );
    for (const cell of ['cell_00', 'cell_01']) expect(await readRows(cell, projects)).toEqual(NOTHING);
    await expect(moveOrganization(organization, 'cell_01', AT_ONCE)).rejects.toThrow('There is no such organization.');
    expect(
      await count(`SELECT FROM pg_trigger WHERE tgname LIKE '%' || replace($1::text, '-', '') || '%'`, organization),
    ).toBe(0);
    expect(await count('SELECT FROM cell_00.cell_move_changes WHERE organization_id = $1', organization)).toBe(0);
  });

  it('is taken back while it copies: what was copied is deleted, and nothing else', async () => {
    const { organization, projects } = await makeOrganization();
    const before = await readRows('cell_00', projects);
    const stop = new Error('stopped');
    const onProgress = (line: string) => {
      if (line === 'Copying stats') throw stop;
    };
    await expect(moveOrganization(organization, 'cell_01', { ...AT_ONCE, onProgress })).rejects.toBe(stop);
    expect((await readRows('cell_01', projects)).events).not.toEqual([]);
    await expect(moveOrganization(organization, 'cell_02', AT_ONCE)).rejects.toThrow('It moves to cell_01');
    await moveOrganization(organization, 'cell_00', AT_ONCE);
    expect(await readRows('cell_01', projects)).toEqual(NOTHING);
    expect(await readRows('cell_00', projects)).toEqual(before);
    expect(await count('SELECT FROM cell_moves WHERE organization_id = $1', organization)).toBe(0);
    await expect(moveOrganization(organization, 'cell_00', AT_ONCE)).rejects.toThrow('It is in cell_00 already.');
  });

  it('that is forgotten notes nothing after an hour, and a later one copies anew', async () => {
    const { organization, projects } = await makeOrganization();
    const stop = new Error('stopped');
    const onProgress = (line: string) => {
      if (line === 'Copying stats') throw stop;
    };
    await expect(moveOrganization(organization, 'cell_01', { ...AT_ONCE, onProgress })).rejects.toBe(stop);
    const change = (name: string) =>
      inCell('cell_00', () => run('UPDATE customers SET name = $2 WHERE project_id = $1', projects[0], name));
    const noted = () => count('SELECT FROM cell_00.cell_move_changes WHERE organization_id = $1', organization);
    const before = await noted();
    await change('Noted');
    expect(await noted()).toBeGreaterThan(before);
    await run(`UPDATE cell_moves SET seen_at = now() - interval '61 minutes' WHERE organization_id = $1`, organization);
    const last = await noted();
    await change('Not noted');
    expect(await noted()).toBe(last);
    const rows = await readRows('cell_00', projects);
    await moveOrganization(organization, 'cell_01', AT_ONCE);
    expect(await readRows('cell_01', projects)).toEqual(rows);
    expect(await readRows('cell_00', projects)).toEqual(NOTHING);
  });

  it('takes along what is written, changed and deleted while rows are copied, and projects that are added', async () => {
    const { organization, projects } = await makeOrganization();
    const [first = ''] = projects;
    let added = '';
    const steps: Record<string, () => Promise<unknown>> = {
      'Copying events': () => fillProject(first),
      'Copying stats': async () => {
        await run('UPDATE customers SET name = $2 WHERE project_id = $1', first, 'Renamed');
        await run(`DELETE FROM subscriptions WHERE project_id = $1`, projects[1]);
        await run(
          `WITH gone AS (DELETE FROM deliveries WHERE id = (
             SELECT id FROM deliveries WHERE project_id = $1 AND status <> 'PENDING' LIMIT 1) RETURNING id)
           DELETE FROM delivery_attempts WHERE delivery_id IN (SELECT id FROM gone)`,
          first,
        );
        await run(
          `UPDATE deliveries SET status = 'PENDING', next_attempt_at = now() + interval '1 hour', completed_at = NULL
                   WHERE id = (SELECT id FROM deliveries WHERE project_id = $1 AND status = 'FAILED' LIMIT 1)`,
          first,
        );
        added = await insertProject();
        await run('UPDATE projects SET organization_id = $1 WHERE id = $2', organization, added);
        await fillProject(added);
      },
    };
    const pending: Promise<unknown>[] = [];
    const onProgress = (line: string) => {
      const step = steps[line];
      delete steps[line];
      if (step !== undefined) pending.push(inCell('cell_00', step));
    };
    const moving = moveOrganization(organization, 'cell_01', { pauseMs: 6_000, fenceMs: 0, onProgress });
    await waitFor('the writes', () => Object.keys(steps).length === 0, 20_000);
    await Promise.all(pending);
    const all = [...projects, added];
    // While one of them rolled up, the other one could not.
    await inCell('cell_00', rollUpStats);
    const before = await readRows('cell_00', all);
    await moving;
    expect(await readRows('cell_01', all)).toEqual(before);
    expect(await readRows('cell_00', all)).toEqual(NOTHING);
  });

  it('carries names that were exchanged, or given to another row, while rows were copied', async () => {
    const project = await inCell('cell_00', insertProject);
    const [a, b, c, d] = [newId(), newId(), newId(), newId()];
    const insert = `INSERT INTO customers (id, project_id, uid) SELECT id, $1, uid FROM unnest($2::uuid[], $3::text[]) AS c(id, uid)`;
    const name = (id: string, uid: string) => run('UPDATE customers SET uid = $2 WHERE id = $1', id, uid);
    await inCell('cell_00', () => run(insert, project, [a, b, c], ['a', 'b', 'c']));
    const change = async () => {
      await name(a, 'none');
      await name(b, 'a');
      await name(a, 'b');
      await run('UPDATE customers SET deleted_at = now() WHERE id = $1', c);
      await run(insert, project, [d], ['c']);
    };
    let changed = Promise.resolve();
    const onProgress = (line: string) => {
      if (line === 'Copying stats') changed = inCell('cell_00', change);
    };
    await moveOrganization(await organizationOf(project), 'cell_01', { pauseMs: 2_000, fenceMs: 0, onProgress });
    await changed;
    const named = await select<{ uid: string }>(
      'SELECT uid FROM cell_01.customers WHERE project_id = $1 ORDER BY id',
      project,
    );
    expect(named.map(({ uid }) => uid)).toEqual(['b', 'a', 'c', 'c']);
  });

  it('ends although a delivery that waits was made again in the new cell', async () => {
    const { organization, projects } = await makeOrganization();
    const { id: endpoint } = await inCell('cell_00', () =>
      insertEndpoint({ url: 'https://receiver.example', projectId: projects[0] ?? '' }),
    );
    const [event] = await inCell('cell_00', () => insertEvents(projects[0] ?? '', 1));
    const insertPending = (cell: string) =>
      inSqlTransaction(async (tx) => {
        await beginMoving(tx, organization);
        await tx.query(
          `INSERT INTO ${cell}.deliveries (id, project_id, event_id, endpoint_id, status, next_attempt_at)
           VALUES ($1, $2, $1, $3, 'PENDING', now())`,
          [event, projects[0], endpoint],
        );
      });
    const stop = new Error('stopped');
    const onProgress = (line: string) => {
      if (line === 'Moving what waits') throw stop;
    };
    await expect(moveOrganization(organization, 'cell_01', { ...AT_ONCE, onProgress })).rejects.toBe(stop);
    await insertPending('cell_00');
    await insertPending('cell_01');
    const before = await readRows('cell_01', projects);
    await moveOrganization(organization, 'cell_01', AT_ONCE);
    expect(await readRows('cell_01', projects)).toEqual(before);
    expect(await readRows('cell_00', projects)).toEqual(NOTHING);
  });

  it('that is killed at any time goes on, and carries each row', async () => {
    const { organization, projects } = await makeOrganization();
    const before = await readRows('cell_00', projects);
    let kills = 0;
    for (let delayMs = 500; ; delayMs += 75) {
      const mover = startMover([organization, 'cell_01']);
      const timer = setTimeout(() => mover.kill('SIGKILL'), delayMs);
      const end = await untilEnded(mover);
      clearTimeout(timer);
      // One that was killed at its very end leaves nothing to do.
      if (end.stderr.includes('It is in cell_01 already.')) break;
      if (end.code !== null) {
        expect(end).toMatchObject({ code: 0, stderr: '' });
        break;
      }
      kills += 1;
    }
    expect(kills).toBeGreaterThan(3);
    expect(await readRows('cell_01', projects)).toEqual(before);
    expect(await readRows('cell_00', projects)).toEqual(NOTHING);
  });
});

describe('retention while an organization moves', () => {
  const cleaning = { steps: [cleanEvents, cleanExpired] };

  // Moves that other tests have left would keep rows.
  beforeEach(() => run('DELETE FROM cell_moves'));

  /** Moves an organization to the second cell, and does something when the tables before one are copied: by default, its events. */
  async function moveAround(organization: string, work: () => Promise<unknown>, table = 'incoming_events') {
    const lines: string[] = [];
    const blocker = await database().connect();
    await blocker.query('BEGIN');
    let blocking: Promise<unknown> = Promise.resolve();
    const onProgress = (line: string) => {
      lines.push(line);
      if (line === 'Copying customers') {
        blocking = blocker.query(`LOCK TABLE cell_01.${table} IN SHARE ROW EXCLUSIVE MODE`);
      }
    };
    const moving = moveOrganization(organization, 'cell_01', { ...AT_ONCE, onProgress });
    try {
      await waitFor('the copy', async () => lines.includes(`Copying ${table}`), 20_000);
      await blocking;
      await work();
    } finally {
      await blocker.query('COMMIT');
      blocker.release();
      await moving;
    }
  }

  /** Makes an organization with an expired event that waits for its fan-out and for an endpoint. */
  async function makeWaiting() {
    const made = await makeOrganization();
    const [projectId = ''] = made.projects;
    await inCell('cell_00', async () => {
      const endpoint = await insertEndpoint({ url: 'https://receiver.example', projectId });
      const [event] = await insertEvents(projectId, 1);
      await run(`UPDATE events SET ${earlier('created_at', '400 days')} WHERE id = $1`, event);
      await run(
        `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, next_attempt_at)
         VALUES ($1, $2, $1, $3, 'PENDING', now() + interval '1 hour')`,
        event,
        projectId,
        endpoint.id,
      );
    });
    return made;
  }

  it('keeps an expired event in the target whose delivery and outbox row follow at the switch', async () => {
    const { organization, projects } = await makeWaiting();
    const before = await readRows('cell_00', projects);
    await moveAround(organization, () => runJob('main', cleaning));
    expect(await readRows('cell_01', projects)).toEqual(before);
  });

  it('keeps a deleted endpoint, source and destination in the target whose deliveries are copied later', async () => {
    const { organization, projects } = await makeOrganization();
    for (const table of ['endpoints', 'sources', 'destinations']) {
      const remove = `UPDATE ${table} SET deleted_at = now() - interval '2 days' WHERE project_id = ANY($1)`;
      await inCell('cell_00', () => run(remove, projects));
    }
    const before = await readRows('cell_00', projects);
    await moveAround(organization, () => runJob('main', cleaning));
    expect(await readRows('cell_01', projects)).toEqual(before);
  });

  it('removes from the source what has expired, and from the target when the move has ended', async () => {
    const { organization, projects } = await makeWaiting();
    const expired = `SELECT FROM events WHERE project_id = ANY($1) AND created_at < now() - interval '399 days'`;
    const insertExpired = (cell: string, project = '') =>
      inCell(cell, async () => {
        const [event] = await insertEvents(project, 1);
        await run('DELETE FROM outbox WHERE event_id = $1', event);
        await run(`UPDATE events SET ${earlier('created_at', '400 days')} WHERE id = $1`, event);
      });
    const other = await inCell('cell_01', insertProject);
    await insertExpired('cell_00', projects[0]);
    await insertExpired('cell_01', other);
    const countIn = (cell: string, project = '') => inCell(cell, () => count(expired, [project]));
    await moveAround(organization, async () => {
      expect(await countIn('cell_00', projects[0])).toBe(2);
      await runJob('main', cleaning);
      expect([await countIn('cell_00', projects[0]), await countIn('cell_01', other)]).toEqual([1, 1]);
    });
    expect([await countIn('cell_01', projects[0]), await countIn('cell_01', other)]).toEqual([1, 1]);
    await runJob('main', cleaning);
    expect([await countIn('cell_01', projects[0]), await countIn('cell_01', other)]).toEqual([1, 0]);
  });

  it('removes attempts from the target that the cap removes from the source when they are copied', async () => {
    const { organization, projects } = await makeOrganization();
    let before = {};
    const work = () =>
      inCell('cell_00', async () => {
        await runStep(capAttempts, { job: 'cap', policy: { maxAttemptsPerDelivery: 1 } });
        before = await readRows('cell_00', projects);
      });
    await moveAround(organization, work, 'tunnel_request_log');
    expect(await readRows('cell_01', projects)).toEqual(before);
  });

  it('ends a batch that is under way in the target before rows are copied there', async () => {
    const organization = await organizationOf(await inCell('cell_00', insertProject));
    const ofTest = await startTestRun();
    const lines: string[] = [];
    let moving = Promise.resolve();
    await inCell('cell_01', () =>
      runInBatches(ofTest, async () => {
        moving = moveOrganization(organization, 'cell_01', { ...AT_ONCE, onProgress: (line) => lines.push(line) });
        const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
        await waitFor('the move to wait', async () => (await count(waiting)) === 1, 8_000);
        expect(lines).toEqual([]);
        return false;
      }),
    );
    await moving;
    expect(lines.at(-1)).toBe('Done');
  });

  it('of a version that does not know of moves loses no delivery: what it removes in the target is copied again', async () => {
    const { organization, projects } = await makeWaiting();
    const before = await readRows('cell_00', projects);
    await moveAround(organization, () =>
      inSqlTransaction(async (tx) => {
        await tx.query('DELETE FROM cell_01.subscriptions WHERE project_id = ANY($1)', [projects]);
        await tx.query('DELETE FROM cell_01.endpoints WHERE project_id = ANY($1)', [projects]);
        await tx.query('DELETE FROM cell_01.events WHERE project_id = ANY($1)', [projects]);
      }),
    );
    const after = await readRows('cell_01', projects);
    expect({ ...after, subscriptions: before.subscriptions }).toEqual(before);
  });
});
