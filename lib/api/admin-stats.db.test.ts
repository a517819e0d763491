import { beforeEach, describe, expect, it } from 'vitest';
import type { RetentionState, Stats } from '@/lib/admin/schema';
import { DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { lowestIdAt, newId } from '@/lib/platform/ids';
import { DAYS_AHEAD } from '@/lib/retention/partitions';
import { call } from '@/tests/api-request';
import { auditOf } from '@/tests/audit';
import { useDatabase } from '@/tests/database';
import { fillProject } from '@/tests/full-project';
import { ADMIN_TOKEN, callAsOperator } from '@/tests/operator';
import { registerPerson } from '@/tests/people';
import { makeTestProject } from '@/tests/projects';

useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN });

const stats = async () => (await callAsOperator<Stats>('GET', '/stats')).json;
const retention = async () => (await callAsOperator<RetentionState>('GET', '/retention')).json;
const run = (body: unknown) => callAsOperator('POST', '/retention/run', { body });

describe('the statistics', () => {
  it('count what there is', async () => {
    const before = await stats();
    const { id: projectId } = await makeTestProject();
    await fillProject(projectId, { events: 3 });
    const after = await stats();
    expect(after.organizations.living).toBe(before.organizations.living + 1);
    expect([after.users - before.users, after.projects - before.projects]).toEqual([1, 1]);
    expect(after.endpoints.enabled).toBe(before.endpoints.enabled + 1);
    await database().query('UPDATE endpoints SET enabled = false WHERE project_id = $1', [projectId]);
    expect((await stats()).endpoints).toEqual({
      enabled: before.endpoints.enabled,
      disabled: before.endpoints.disabled + 1,
    });
  });

  it('count the last 24 hours by status, and nothing older', async () => {
    const { id: projectId } = await makeTestProject();
    const before = (await stats()).last24Hours;
    await fillProject(projectId, { events: 3 });
    await database().query(
      `INSERT INTO events (id, project_id, type, payload, created_at) VALUES ($1, $2, 'old', '{}', now() - interval '25 h')`,
      [lowestIdAt(new Date(Date.now() - DAY_MS - 3_600_000)), projectId],
    );
    const after = (await stats()).last24Hours;
    expect(after.events - before.events).toBe(3);
    expect(after.incomingEvents - before.incomingEvents).toBe(1);
    expect(after.deliveries.failed - before.deliveries.failed).toBe(4);
    expect(after.deliveries.succeeded).toBe(before.deliveries.succeeded);
  });

  it('tell what waits and since when, mails apart from events', async () => {
    await database().query('DELETE FROM outbox');
    await database().query('DELETE FROM deliveries');
    const { id: projectId } = await makeTestProject();
    await database().query('DELETE FROM outbox');
    await fillProject(projectId, { events: 2 });
    await database().query(
      `UPDATE outbox SET status = 'DEAD', dead_at = now() WHERE id = (SELECT id FROM outbox ORDER BY id LIMIT 1)`,
    );
    await database().query(
      `UPDATE deliveries SET status = 'PENDING', next_attempt_at = now() - interval '1 minute' WHERE project_id = $1`,
      [projectId],
    );
    await database().query(
      `UPDATE deliveries SET next_attempt_at = now() + interval '1 hour' WHERE id = (SELECT id FROM deliveries WHERE project_id = $1 LIMIT 1)`,
      [projectId],
    );
    const { outbox, mail, deliveries } = await stats();
    expect(outbox).toEqual({ pending: 1, oldestPendingAt: expect.stringMatching(/Z$/), dead: 1 });
    expect(mail).toEqual({ pending: 0, oldestPendingAt: null, dead: 0 });
    expect(deliveries).toMatchObject({ pending: 3, due: 2 });
    expect(Date.parse(deliveries.oldestDueAt ?? '')).toBeLessThan(Date.now() - 30_000);
    await registerPerson();
    expect((await stats()).mail.pending).toBe(1);
    expect((await stats()).outbox.pending).toBe(1);
  });

  it('estimate the tables, partitions summed up', async () => {
    const { id: projectId } = await makeTestProject();
    await fillProject(projectId, { events: 5, attempts: 4 });
    await database().query('ANALYZE');
    const { database: sizes } = await stats();
    const rows = Object.fromEntries(sizes.tables.map(({ table, estimatedRows }) => [table, estimatedRows]));
    const { rows: counted } = await database().query('SELECT count(*)::int AS n FROM delivery_attempts');
    expect(rows.delivery_attempts).toBe(counted[0].n);
    expect(sizes.sizeBytes).toBeGreaterThan(1_000_000);
    expect(sizes.tables.every(({ sizeBytes }) => sizeBytes > 0)).toBe(true);
  });
});

describe('the state of retention', () => {
  beforeEach(() => run({ job: 'partitions' }));

  it('shows the days of each table, and rows that no day was made for', async () => {
    const { tables, jobs, partitionMaintenanceEnabled } = await retention();
    expect([jobs, partitionMaintenanceEnabled]).toEqual([['partitions'], true]);
    expect(tables.map(({ table }) => table)).toEqual([
      'delivery_attempts_succeeded',
      'delivery_attempts_failed',
      'tunnel_request_log',
    ]);
    const today = new Date().toISOString().slice(0, 10);
    for (const { days, defaultRows } of tables) {
      expect(days).toHaveLength(DAYS_AHEAD + 1);
      expect(days.at(-1)?.day).toBe(today);
      expect(defaultRows).toBeTypeOf('number');
    }
    await database().query(
      `INSERT INTO tunnel_request_log (id, project_id, tunnel_id, method, path, request_size, created_at)
       VALUES ($1, $1, $1, 'GET', '/', 0, now() + interval '60 days')`,
      [newId()],
    );
    const missed = (await retention()).tables.find(({ table }) => table === 'tunnel_request_log')?.defaultRows;
    expect(missed).toBe((tables[2]?.defaultRows ?? 0) + 1);
  });

  it('shows the last run of each job', async () => {
    await database().query(
      `INSERT INTO retention_runs (id, job, ended_at, rows_removed, error) VALUES ($1, 'main', now(), '{"events": 7}', 'stopped')`,
      [newId()],
    );
    const { lastRuns } = await retention();
    expect(lastRuns.map(({ job }) => job)).toEqual(['main', 'partitions']);
    expect(lastRuns[0]).toMatchObject({ rowsRemoved: { events: 7 }, error: 'stopped' });
    expect(lastRuns[1]).toMatchObject({ error: null, endedAt: expect.any(String) });
  });
});

describe('running a retention job', () => {
  it('makes the partitions that are missing, and leaves a run and an entry', async () => {
    await run({ job: 'partitions' });
    const { rows } = await database().query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'partitions' AND c.relname ~ '^tunnel_request_log_p\\d{8}$' ORDER BY 1 DESC LIMIT 1`,
    );
    await database().query(`DROP TABLE partitions.${rows[0]?.name}`);
    const answer = await run({ job: 'partitions' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    const { rows: runs } = await database().query('SELECT * FROM retention_runs ORDER BY id DESC LIMIT 1');
    expect(runs[0]).toMatchObject({ job: 'partitions', partitions_created: 1, error: null });
    expect(await auditOf(runs[0].id)).toEqual([
      expect.objectContaining({ action: 'retention.started', actor_type: 'OPERATOR', details: { job: 'partitions' } }),
    ]);
  });

  it('takes only jobs that there are, from the operator alone', async () => {
    for (const body of [{ job: 'everything' }, {}, { job: 'partitions', force: true }]) {
      expect((await run(body)).status).toBe(400);
    }
    const { accessToken } = await registerPerson();
    const path = '/api/v1/admin/retention/run';
    const refused = await call('POST', path, { bearer: accessToken, body: { job: 'partitions' } });
    expect(refused.status).toBe(401);
  });

  it('by two at once makes each partition once', async () => {
    await database().query(
      `DO $$ DECLARE t text; BEGIN FOR t IN SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'partitions' AND c.relname ~ '^tunnel_request_log_p\\d{8}$'
       LOOP EXECUTE 'DROP TABLE partitions.' || t; END LOOP; END $$`,
    );
    const answers = await Promise.all([run({ job: 'partitions' }), run({ job: 'partitions' })]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    const { rows } = await database().query(
      'SELECT partitions_created AS made FROM retention_runs ORDER BY id DESC LIMIT 2',
    );
    expect(rows[0].made + rows[1].made).toBe(DAYS_AHEAD + 1);
  });
});
