import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '@/lib/platform/clock';
import { type Config, config } from '@/lib/platform/config/config';
import { database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { listRules } from '@/lib/retention/list-rules';
import type { DataClass, OrganizationRetention, OwnData } from '@/lib/retention/schema';
import { run } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { fillProject } from '@/tests/fixtures/full-project';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';

useDatabase();

let mine: TestProject;
let untouched: Config;

beforeEach(async () => {
  untouched ??= config();
  setOnce('config', untouched);
  mine = await makeTestProject();
});

const read = (bearer: string, { owner } = mine) =>
  call<OrganizationRetention>('GET', `/api/v1/orgs/${owner.organizationId}/retention`, { bearer });
const readMine = async () => (await read(mine.owner.accessToken)).json;

async function classOf(data: DataClass): Promise<OwnData> {
  setOnce('own-rows', undefined);
  const found = (await readMine()).classes.find((candidate) => candidate.data === data);
  if (found === undefined) throw new Error(`There is no class ${data}.`);
  return found;
}

const age = (table: string, days: number) =>
  run(`UPDATE ${table} SET created_at = now() - $2 * interval '1 day' WHERE project_id = $1`, mine.id, days);

async function addAttempts(succeeded: boolean, daysAgo: number, count = 1): Promise<void> {
  await run(
    `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
     SELECT gen_random_uuid(), $1, (SELECT id FROM deliveries WHERE project_id = $1 AND event_id IS NOT NULL LIMIT 1),
            100 * $3::int + n, now(), 5, $2, now() - $3 * interval '1 day'
     FROM generate_series(1, $4::int) n`,
    mine.id,
    succeeded,
    daysAgo,
    count,
  );
}

describe('the retention of an organization', () => {
  it('shows the rules of the deployment with their variables, and no rows while there are none', async () => {
    const { classes, partitionMaintenanceEnabled } = await readMine();
    expect(partitionMaintenanceEnabled).toBe(true);
    const rules = listRules(config()).map(({ data, days, perDelivery }) => ({ data, days, perDelivery }));
    expect(classes).toMatchObject(rules);
    for (const { data, rows, oldestAt } of classes) {
      expect([rows, oldestAt], data).toEqual([data === 'attemptsPerDelivery' ? null : 0, null]);
    }
  });

  it('counts only its own rows of each class, with the oldest', async () => {
    const stranger = await makeTestProject();
    await fillProject(stranger.id, { events: 5, attempts: 2 });
    await fillProject(mine.id, { events: 3, attempts: 4 });
    await run(`UPDATE outbox SET status = 'DEAD', dead_at = now() WHERE project_id = $1`, mine.id);
    await age('incoming_events', 12);
    const counts = Object.fromEntries((await readMine()).classes.map(({ data, rows }) => [data, rows]));
    expect(counts).toEqual({
      succeededAttempts: 6,
      failedAttempts: 6,
      attemptsPerDelivery: null,
      events: 3,
      incomingEvents: 1,
      deadOutbox: 3,
      tunnelRequests: 1,
    });
    const ageDays = async (data: DataClass) => {
      const { oldestAt } = await classOf(data);
      return (Date.now() - Date.parse(oldestAt ?? '')) / DAY_MS;
    };
    expect(await ageDays('incomingEvents')).toBeCloseTo(12, 1);
    // Attempt n of a full project is n days old, and the even ones succeed.
    expect(await ageDays('succeededAttempts')).toBeCloseTo(4, 1);
    expect(await ageDays('failedAttempts')).toBeCloseTo(3, 1);
  });

  it('is counted once a minute, however often it is read', async () => {
    await fillProject(mine.id, { events: 2 });
    const before = await readMine();
    await fillProject(mine.id, { events: 3 });
    expect(await readMine()).toEqual(before);
    expect((await classOf('events')).rows).toBe(5);
  });

  it('counts attempts of many deliveries by time, and those of few regardless of time', async () => {
    await fillProject(mine.id, { events: 2, attempts: 0 });
    await addAttempts(true, 13, 2);
    expect((await classOf('succeededAttempts')).rows).toBe(2);
    const endpoint = await database().query('SELECT id FROM endpoints WHERE project_id = $1', [mine.id]);
    const ids = Array.from({ length: 600 }, newId);
    await run(
      `INSERT INTO events (id, project_id, type, payload) SELECT id, $1, 'bulk', '{}' FROM unnest($2::uuid[]) AS x(id)`,
      mine.id,
      ids,
    );
    await run(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, last_attempt_at)
       SELECT id, $1, id, $2, 'SUCCEEDED', now() FROM unnest($3::uuid[]) AS x(id)`,
      mine.id,
      endpoint.rows[0].id,
      ids,
    );
    await run(
      `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded)
       SELECT gen_random_uuid(), $1, id, 1, now(), 5, true FROM unnest($2::uuid[]) AS x(id)`,
      mine.id,
      ids,
    );
    expect((await classOf('succeededAttempts')).rows).toBe(600);
  });
});

describe('the next removal', () => {
  it('of attempts waits for the end of their UTC day, unless partition maintenance is off', async () => {
    await fillProject(mine.id, { events: 1, attempts: 0 });
    await addAttempts(true, 3);
    const byDay = await classOf('succeededAttempts');
    expect(byDay.leavesByDay).toBe(true);
    const oldest = Date.parse(byDay.oldestAt ?? '');
    const dayEnd = (Math.floor(oldest / DAY_MS) + 1) * DAY_MS;
    expect(Date.parse(byDay.nextRemovalAt ?? '')).toBeGreaterThanOrEqual(dayEnd + 14 * DAY_MS);
    setOnce('config', { ...config(), PARTITION_MAINTENANCE_ENABLED: false });
    const exact = await classOf('succeededAttempts');
    expect(exact.leavesByDay).toBe(false);
    expect(Date.parse(exact.nextRemovalAt ?? '') - oldest - 14 * DAY_MS).toBeLessThanOrEqual(4 * 3_600_000);
  });
});

describe('the schedule', () => {
  it('shows the last run of each job, without removed rows and errors', async () => {
    await run('DELETE FROM retention_runs');
    await run(
      `INSERT INTO retention_runs (id, job, ended_at, rows_removed, error)
       VALUES ($1, 'main', now(), '{"events": 777777}', 'tenant 4711 is broken')`,
      newId(),
    );
    const { text, json } = await read(mine.owner.accessToken);
    expect(json.jobs.map(({ job, cron }) => [job, cron])).toEqual([
      ['main', '0 2 * * *'],
      ['cap', '*/30 * * * *'],
      ['burst', '0 */4 * * *'],
    ]);
    expect(json.jobs[0]?.lastRun).toEqual({
      startedAt: expect.any(String),
      endedAt: expect.any(String),
      failed: true,
    });
    expect(json.jobs[1]?.lastRun).toBeNull();
    for (const { nextRunAt } of json.jobs) expect(Date.parse(nextRunAt ?? '')).toBeGreaterThan(Date.now());
    expect(text).not.toContain('777777');
    expect(text).not.toContain('4711');
  });
});
