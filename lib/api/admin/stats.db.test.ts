import { describe, expect, it } from 'vitest';
import type { Stats } from '@/lib/admin/schema';
import { DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { lowestIdAt } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { fillProject } from '@/tests/fixtures/full-project';
import { ADMIN_TOKEN, callAsOperator } from '@/tests/fixtures/operator';
import { registerPerson } from '@/tests/fixtures/people';
import { makeTestProject } from '@/tests/fixtures/projects';

useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN });

const stats = async () => (await callAsOperator<Stats>('GET', '/stats')).json;

describe('the statistics', () => {
  it('count organizations, users, projects, and endpoints that are enabled, paused or disabled', async () => {
    const before = await stats();
    const { id: projectId } = await makeTestProject();
    await fillProject(projectId, { events: 3 });
    const after = await stats();
    expect(after.organizations.living).toBe(before.organizations.living + 1);
    expect([after.users - before.users, after.projects - before.projects]).toEqual([1, 1]);
    expect(after.endpoints.enabled).toBe(before.endpoints.enabled + 1);
    const { enabled, paused, disabled } = before.endpoints;
    await database().query('UPDATE endpoints SET enabled = false WHERE project_id = $1', [projectId]);
    expect((await stats()).endpoints).toEqual({ enabled, paused: paused + 1, disabled });
    await database().query("UPDATE endpoints SET disabled_reason = 'gone' WHERE project_id = $1", [projectId]);
    expect((await stats()).endpoints).toEqual({ enabled, paused, disabled: disabled + 1 });
  });

  it('count deliveries of the last 24 hours by status, and nothing older', async () => {
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

  it('show the backlogs and their oldest rows, mails separate from events', async () => {
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
      `UPDATE deliveries SET next_attempt_at = now() + interval '1 hour', attempt_count = 1 WHERE id = (SELECT id FROM deliveries WHERE project_id = $1 LIMIT 1)`,
      [projectId],
    );
    const { outbox, mail, deliveries } = await stats();
    expect(outbox).toEqual({ pending: 1, oldestPendingAt: expect.stringMatching(/Z$/), dead: 1 });
    expect(mail).toEqual({ pending: 0, oldestPendingAt: null, dead: 0 });
    expect(deliveries).toMatchObject({ pending: 3, queued: 2, retrying: 1, due: 2 });
    expect(Date.parse(deliveries.oldestDueAt ?? '')).toBeLessThan(Date.now() - 30_000);
    await registerPerson();
    expect((await stats()).mail.pending).toBe(1);
    expect((await stats()).outbox.pending).toBe(1);
  });

  it('estimate the size of tables including their partitions', async () => {
    const { id: projectId } = await makeTestProject();
    await fillProject(projectId, { events: 5, attempts: 4 });
    const { rows: counted } = await database().query('SELECT count(*)::int AS n FROM delivery_attempts');
    // Rows of other connections reach the statistics seconds later and are added to the result of ANALYZE.
    const estimate = async () => {
      await database().query('ANALYZE delivery_attempts');
      return (await stats()).database.tables.find(({ table }) => table === 'delivery_attempts')?.estimatedRows;
    };
    await expect.poll(estimate, { timeout: 20_000, interval: 500 }).toBe(counted[0].n);
    const { database: sizes } = await stats();
    expect(sizes.sizeBytes).toBeGreaterThan(1_000_000);
    expect(sizes.tables.every(({ sizeBytes }) => sizeBytes > 0)).toBe(true);
  });
});
