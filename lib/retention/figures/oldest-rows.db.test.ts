import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { createPartitionsAhead } from '@/lib/retention/partitions/create-partitions';
import { useDatabase } from '@/tests/database/use-database';
import { insertEvents, insertProject } from '@/tests/fixtures/deliveries';
import { fillProject } from '@/tests/fixtures/full-project';
import { findOldestRows } from './oldest-rows';

useDatabase();

const now = new Date('2026-03-10T12:00:00.000Z');
const hour = (days: number, hours: number) => addMs(now, -days * DAY_MS + hours * 3_600_000);

beforeEach(() =>
  database().query('TRUNCATE events, incoming_events, deliveries, delivery_attempts, outbox, tunnel_request_log'),
);

async function addAttempt(createdAt: Date, succeeded: boolean) {
  await database().query(
    `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, succeeded, created_at)
     VALUES ($1, $1, $1, 1, $2, 5, $3, $2)`,
    [newId(), createdAt, succeeded],
  );
}

describe('the oldest rows', () => {
  it('are null without rows', async () => {
    expect(await findOldestRows()).toEqual({
      events: null,
      incomingEvents: null,
      deadOutbox: null,
      succeededAttempts: null,
      failedAttempts: null,
      tunnelRequests: null,
    });
  });

  it('are found by created_at and not by id, in the outbox only dead ones, by dead_at', async () => {
    const projectId = await insertProject();
    await fillProject(projectId);
    const [first, second] = await insertEvents(projectId, 2);
    await database().query('UPDATE events SET created_at = $2 WHERE id = $1', [second, hour(9, 0)]);
    await database().query('UPDATE incoming_events SET created_at = $1', [hour(8, 0)]);
    await database().query('UPDATE outbox SET created_at = $1', [hour(7, 0)]);
    await database().query(`UPDATE outbox SET status = 'DEAD', dead_at = $2 WHERE event_id = $1`, [first, hour(6, 0)]);
    expect(await findOldestRows()).toMatchObject({
      events: hour(9, 0),
      incomingEvents: hour(8, 0),
      deadOutbox: hour(6, 0),
    });
  });

  it('are those of the oldest day with rows, for successful and failed attempts separately', async () => {
    await createPartitionsAhead(hour(5, 0));
    await createPartitionsAhead(now);
    await addAttempt(hour(4, 1), true);
    await addAttempt(hour(3, 1), true);
    await addAttempt(hour(3, 2), true);
    await addAttempt(hour(5, 0), false);
    await database().query('DELETE FROM delivery_attempts WHERE created_at = $1', [hour(4, 1)]);
    expect(await findOldestRows()).toMatchObject({ succeededAttempts: hour(3, 1), failedAttempts: hour(5, 0) });
  });

  it('may be in the default partition', async () => {
    await createPartitionsAhead(now);
    await addAttempt(hour(0, 1), true);
    await addAttempt(hour(300, 0), true);
    await addAttempt(hour(-300, 0), false);
    await addAttempt(hour(0, 2), false);
    expect(await findOldestRows()).toMatchObject({ succeededAttempts: hour(300, 0), failedAttempts: hour(0, 2) });
  });

  it('are found while partitions are dropped', async () => {
    for (let day = 16; day > 0; day -= 8) await createPartitionsAhead(hour(365 + day, 0));
    for (let day = 16; day > 0; day -= 1) await addAttempt(hour(365 + day, 0), true);
    const { rows } = await database().query<{ name: string }>(
      `SELECT DISTINCT tableoid::regclass::text AS name FROM delivery_attempts ORDER BY name`,
    );
    const found = [];
    for (const { name } of rows.slice(0, -1)) {
      const [, oldest] = await Promise.all([database().query(`DROP TABLE ${name}`), findOldestRows()]);
      found.push(oldest.succeededAttempts);
    }
    expect(rows.length).toBe(16);
    for (const oldest of found) expect(oldest?.getTime()).toBeLessThanOrEqual(hour(366, 0).getTime());
  });
});
