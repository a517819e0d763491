import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import { continueEventReplays } from '@/lib/delivery/event-replays/continue-event-replays';
import { readEndpoint } from '@/lib/delivery/event-replays/read-endpoint';
import { selectMatchingOfEndpoint } from '@/lib/delivery/event-replays/replayed-events-sql';
import type { EventReplay } from '@/lib/delivery/schema';
import { readHeavily, shareConnections, shareWaits } from '@/lib/platform/connection-shares';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import {
  insertCustomer,
  insertEndpoint,
  insertEndpoints,
  insertEvents,
  readDeliveries,
} from '@/tests/fixtures/deliveries';
import { anHourAgo, eventsSentTo, insertPastEvents, useEventReplays } from '@/tests/fixtures/event-replays';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call, expectInvalid } from '@/tests/http/api-request';

useDatabase();

const URL = 'http://127.0.0.1:9/hook';
const NONE = { pending: 0, disabled: 0, deleted: 0, gone: 0 };

let project: TestProject;
beforeEach(async () => {
  await run(`UPDATE event_replays SET status = 'CANCELED' WHERE status = 'RUNNING'`);
  project = await makeTestProject();
});
const { send, start, preview, read, runToEnd } = useEventReplays(() => project);
const endpointOf = async (options: object = {}) =>
  (await insertEndpoint({ url: URL, projectId: project.id, ...options })).id;
const end = (status: string, ids: string[], at = `now() - interval '1 minute'`) =>
  run(
    `UPDATE deliveries SET status = $2::"DeliveryStatus", completed_at = ${at}, attempt_count = 1, schedule_step = 3
     WHERE id = ANY($1::uuid[])`,
    ids,
    status,
  );
const setFilter = (endpointId: string, filter: object) =>
  run('UPDATE endpoints SET filter = $2 WHERE id = $1', endpointId, JSON.stringify(filter));

describe('a replay of what is missing', () => {
  it('finds the events of an endpoint with hundreds of patterns, at any depth, without reading these', async () => {
    await insertPastEvents(project.id, 2, { type: 'order.item.added' });
    await insertPastEvents(project.id, 3, { type: 'invoice' });
    await insertPastEvents(project.id, 4, { type: 'other.thing' });
    const others = Array.from({ length: 300 }, (_, n) => `unused.kind${n}.*`);
    const endpointId = await endpointOf({ eventTypes: [...others, 'order.*', 'invoice', 'invoice.*', 'other.*', '*'] });
    await run(
      `UPDATE subscriptions SET enabled = false WHERE endpoint_id = $1 AND event_type IN ('other.*', '*')`,
      endpointId,
    );
    expect((await readEndpoint(database(), project.id, endpointId)).patterns).toBeNull();
    expect(await preview({ endpointId })).toEqual({ count: 5, isExact: true });
    const { id } = await start({ endpointId });
    expect(await runToEnd(id)).toMatchObject({ status: 'COMPLETED', total: 5, sent: 5 });
    await run(`UPDATE subscriptions SET enabled = true WHERE endpoint_id = $1 AND event_type = '*'`, endpointId);
    expect(await preview({ endpointId })).toEqual({ count: 4, isExact: true });
  });

  it('reads the patterns of an endpoint with few', async () => {
    const eventTypes = Array.from({ length: 20 }, (_, n) => `order.kind${n}.*`);
    const endpointId = await endpointOf({ eventTypes });
    const { patterns } = await readEndpoint(database(), project.id, endpointId);
    expect(patterns?.sort()).toEqual(eventTypes.sort());
  });

  it('sends the events without a delivery that an endpoint is subscribed to, and counts what it looked at', async () => {
    const events = await insertPastEvents(project.id, 120, { type: 'order.paid' });
    await insertPastEvents(project.id, 5, { type: 'invoice.sent' });
    const endpointId = await endpointOf({ eventTypes: ['order.*'] });
    const started = await start({ endpointId });
    expect(started).toMatchObject({
      status: 'RUNNING',
      select: 'MISSING',
      endpointId,
      total: 120,
      checked: 0,
      sent: 0,
    });
    await continueEventReplays();
    expect(await read(started.id)).toMatchObject({ status: 'RUNNING', checked: 100, sent: 100 });
    expect(await runToEnd(started.id)).toMatchObject({
      status: 'COMPLETED',
      total: 120,
      checked: 120,
      sent: 120,
      skipped: NONE,
      completedAt: expect.any(String),
    });
    expect(await eventsSentTo(endpointId)).toEqual(events);
    const due = `SELECT DISTINCT status, attempt_count, next_attempt_at <= now() AS is_due FROM deliveries WHERE endpoint_id = $1`;
    expect(await select(due, endpointId)).toEqual([{ status: 'PENDING', attempt_count: 0, is_due: true }]);
  });

  it('leaves out what filters refuse, other customers’ events, and what has a delivery, whatever became of it', async () => {
    const customerId = await insertCustomer(project.id);
    const endpointId = await endpointOf({ customerId });
    await setFilter(endpointId, { path: 'data.total', op: 'gt', value: 100 });
    const [wanted = '', failed = ''] = await insertPastEvents(project.id, 2, { customerId, data: '{"total":101}' });
    await insertPastEvents(project.id, 1, { customerId, data: '{"total":100}' });
    await insertPastEvents(project.id, 1, { data: '{"total":101}' });
    await insertPastEvents(project.id, 1, { customerId: await insertCustomer(project.id), data: '{"total":101}' });
    await run(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status) VALUES ($1, $2, $3, $4, 'FAILED')`,
      deliveryIdOf(failed, endpointId),
      project.id,
      failed,
      endpointId,
    );
    expect(await preview({ customer: customerId })).toEqual({ count: 1, isExact: true });
    const { id } = await start({ customer: customerId });
    expect(await runToEnd(id)).toMatchObject({ total: 3, checked: 3, sent: 1 });
    expect(await eventsSentTo(endpointId)).toEqual([wanted, failed].sort());
    const made = (await readDeliveries(endpointId)).find(({ id }) => id === deliveryIdOf(wanted, endpointId));
    expect(made).toMatchObject({ customer_id: customerId });
  });

  it('without an endpoint goes to every endpoint of the project, also when one event has more than a batch', async () => {
    const endpoints: string[] = [];
    for (let count = 0; count < 130; count += 1) endpoints.push(await endpointOf());
    await insertPastEvents(project.id, 2);
    const { id } = await start();
    expect(await runToEnd(id)).toMatchObject({ total: 2, checked: 2, sent: 260 });
    for (const endpointId of endpoints) expect(await eventsSentTo(endpointId)).toHaveLength(2);
  });

  it('skips events that are still being sent, and sends dead letters', async () => {
    const endpointId = await endpointOf();
    await insertEvents(project.id, 2);
    const [dead = ''] = await insertEvents(project.id, 1);
    await run(`UPDATE outbox SET status = 'DEAD', dead_at = now() WHERE event_id = $1`, dead);
    const { id } = await start({ endpointId });
    expect(await runToEnd(id)).toMatchObject({ total: 3, checked: 3, sent: 1, skipped: { ...NONE, pending: 2 } });
    expect(await eventsSentTo(endpointId)).toEqual([dead]);
  });

  it('takes the events of its period and type alone', async () => {
    const endpointId = await endpointOf();
    const [first = '', second = '', third = ''] = await insertPastEvents(project.id, 3, { type: 'a' });
    for (const [id, at] of [
      [first, '03:00'],
      [second, '04:00'],
      [third, '05:00'],
    ]) {
      await run(
        `UPDATE events SET created_at = date_trunc('day', now()) - interval '1 day' + $2::interval WHERE id = $1`,
        id,
        at,
      );
    }
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    // The index of ids begins with their time, so that of these rows moves with it.
    for (const [id, hour] of [
      [first, 3],
      [second, 4],
      [third, 5],
    ] as const) {
      const ms = Date.parse(`${day}T0${hour}:00:00Z`).toString(16).padStart(12, '0');
      await run('UPDATE events SET id = $2 WHERE id = $1', id, `${ms.slice(0, 8)}-${ms.slice(8)}${id.slice(13)}`);
    }
    const period = { from: `${day}T03:30:00Z`, to: `${day}T04:00:00Z` };
    expect(await preview({ endpointId, ...period })).toEqual({ count: 1, isExact: true });
    expect(await preview({ endpointId, from: `${day}T00:00:00Z` })).toEqual({ count: 3, isExact: true });
    expect(await preview({ endpointId, ...period, eventType: 'b.*' })).toEqual({ count: 0, isExact: true });
    expect((await start({ endpointId, ...period, eventType: 'a' })).total).toBe(1);
  });
});

describe('a replay of what failed, or of all', () => {
  let endpointId: string;
  let ids: { failed: string; succeeded: string; later: string; pending: string; missing: string };
  beforeEach(async () => {
    endpointId = await endpointOf();
    const events = await insertPastEvents(project.id, 5);
    await runToEnd((await start({ endpointId })).id);
    const [failed = '', succeeded = '', later = '', pending = '', missing = ''] = events.map((id) =>
      deliveryIdOf(id, endpointId),
    );
    ids = { failed, succeeded, later, pending, missing };
    await run('DELETE FROM deliveries WHERE id = $1', missing);
    await end('FAILED', [failed]);
    await end('SUCCEEDED', [succeeded]);
    // It ended after the start, and is not what its creator saw.
    await end('FAILED', [later], `now() + interval '1 minute'`);
    await run(`UPDATE deliveries SET next_attempt_at = now() + interval '1 hour' WHERE id = $1`, pending);
  });
  const due = async () =>
    (
      await select<{ id: string }>(
        `SELECT id FROM deliveries WHERE endpoint_id = $1 AND status = 'PENDING' AND next_attempt_at <= now() ORDER BY id`,
        endpointId,
      )
    ).map(({ id }) => id);

  it.each([
    ['FAILED', () => [ids.failed], 0],
    ['ALL', () => [ids.failed, ids.succeeded, ids.missing], 1],
  ] as const)(
    '%s: makes the same deliveries due again, with their schedules restarted',
    async (selected, expected, pending) => {
      for (const to of [{ endpointId }, {}]) {
        expect(await preview({ select: selected, ...to })).toEqual({ count: expected().length, isExact: true });
      }
      const { id } = await start({ select: selected, endpointId });
      expect(await runToEnd(id)).toMatchObject({ checked: 5, sent: expected().length, skipped: { ...NONE, pending } });
      expect(await due()).toEqual([...expected()].sort());
      const again = await select('SELECT schedule_step, completed_at FROM deliveries WHERE id = $1', ids.failed);
      expect(again).toEqual([{ schedule_step: 0, completed_at: null }]);
    },
  );

  it('of every endpoint skips those that are paused or deleted, and says how many', async () => {
    await run('UPDATE endpoints SET enabled = false WHERE id = $1', endpointId);
    expect(await runToEnd((await start({ select: 'FAILED' })).id)).toMatchObject({
      sent: 0,
      skipped: { ...NONE, disabled: 1 },
    });
    await run('UPDATE endpoints SET deleted_at = now() WHERE id = $1', endpointId);
    expect(await runToEnd((await start({ select: 'FAILED' })).id)).toMatchObject({
      sent: 0,
      skipped: { ...NONE, deleted: 1 },
    });
  });
});

describe('a running replay', () => {
  it('ends when its endpoint is paused or deleted, and counts the events that were left', async () => {
    await insertPastEvents(project.id, 150);
    for (const [change, skipped] of [
      ['enabled = false', { ...NONE, disabled: 50 }],
      ['deleted_at = now()', { ...NONE, deleted: 50 }],
    ] as const) {
      const endpointId = await endpointOf();
      const { id } = await start({ endpointId });
      await continueEventReplays();
      await run(`UPDATE endpoints SET ${change} WHERE id = $1`, endpointId);
      expect(await runToEnd(id)).toMatchObject({ status: 'COMPLETED', total: 150, checked: 150, sent: 100, skipped });
    }
  });

  it('ends when its project is deleted, and sends nothing more', async () => {
    const endpointId = await endpointOf();
    await insertPastEvents(project.id, 2);
    const { id } = await start();
    await run('UPDATE projects SET deleted_at = now() WHERE id = $1', project.id);
    await continueEventReplays();
    expect(await select('SELECT status FROM event_replays WHERE id = $1', id)).toEqual([{ status: 'CANCELED' }]);
    expect(await eventsSentTo(endpointId)).toEqual([]);
  });

  it('counts events that retention removed meanwhile as gone', async () => {
    await endpointOf();
    const [first] = await insertPastEvents(project.id, 3);
    const { id } = await start();
    await run('DELETE FROM events WHERE id = $1', first);
    expect(await runToEnd(id)).toMatchObject({ sent: 2, skipped: { ...NONE, gone: 1 } });
  });

  it('can be canceled between two batches; what it has made due stays due', async () => {
    const endpointId = await endpointOf();
    await insertPastEvents(project.id, 150);
    const { id } = await start();
    await continueEventReplays();
    const canceled = await send<EventReplay>('POST', `/${id}/cancel`);
    expect(canceled.json).toMatchObject({ status: 'CANCELED', sent: 100 });
    await run('UPDATE event_replays SET next_batch_at = now()');
    await continueEventReplays();
    expect(await eventsSentTo(endpointId)).toHaveLength(100);
    expect((await send<EventReplay>('POST', `/${id}/cancel`)).json).toEqual(canceled.json);
  });

  it('makes at most 200 deliveries due per second, and waits while an endpoint has 200 due deliveries', async () => {
    const endpointId = await endpointOf();
    await insertPastEvents(project.id, 300);
    const { id } = await start({ endpointId });
    const inMs = await continueEventReplays();
    expect(inMs).toBeGreaterThan(100);
    expect(inMs).toBeLessThanOrEqual(500);
    for (let batch = 0; batch < 3; batch += 1) {
      await run('UPDATE event_replays SET next_batch_at = now()');
      await continueEventReplays();
    }
    expect(await read(id)).toMatchObject({ status: 'RUNNING', sent: 200 });
    await run(`UPDATE deliveries SET next_attempt_at = now() + interval '1 hour' WHERE endpoint_id = $1`, endpointId);
    expect(await runToEnd(id)).toMatchObject({ status: 'COMPLETED', sent: 300 });
  });

  it('looks at 500 endpoints of events in a batch, also disabled ones, and finds those after them', async () => {
    await insertEndpoints(Array(300).fill(URL), project.id);
    await run('UPDATE endpoints SET enabled = false WHERE project_id = $1', project.id);
    const endpointId = await endpointOf();
    const events = await insertPastEvents(project.id, 3);
    const { id } = await start();
    await continueEventReplays();
    expect(await read(id)).toMatchObject({ status: 'RUNNING', checked: 1, sent: 1 });
    expect(await runToEnd(id)).toMatchObject({ checked: 3, sent: 3, skipped: NONE });
    expect(await eventsSentTo(endpointId)).toEqual(events);
    expect(await preview({ select: 'ALL' })).toEqual({ count: 0, isExact: true });
  });

  it('searches nothing while its one endpoint has 200 due deliveries', async () => {
    const endpointId = await endpointOf();
    await insertPastEvents(project.id, 250);
    const { id } = await start({ endpointId });
    const search = vi.spyOn(selectMatchingOfEndpoint, 'all');
    onTestFinished(() => search.mockRestore());
    const batch = async () => {
      search.mockClear();
      await run('UPDATE event_replays SET next_batch_at = now()');
      await continueEventReplays();
      return search.mock.calls.length > 0;
    };
    expect([await batch(), await batch(), await batch()]).toEqual([true, true, false]);
    await run(`UPDATE deliveries SET next_attempt_at = now() + interval '1 hour' WHERE endpoint_id = $1`, endpointId);
    expect(await batch()).toBe(true);
    expect(await read(id)).toMatchObject({ sent: 250 });
  });

  it('waits for one batch of another owner at most, however many replays that owner has', async () => {
    const mine = project;
    project = await makeTestProject();
    await endpointOf();
    await insertPastEvents(project.id, 300);
    for (let count = 0; count < 3; count += 1) await start();
    await run(`UPDATE event_replays SET next_batch_at = now() - interval '1 h'`);
    project = mine;
    await endpointOf();
    await insertPastEvents(project.id, 10);
    const { id } = await start();
    await continueEventReplays();
    await continueEventReplays();
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', sent: 10 });
  });

  it('ends a batch when filters have taken 20 ms, and goes on where it was', async () => {
    const endpointId = await endpointOf();
    const conditions = Array.from({ length: 40 }, (_, index) => ({
      path: 'data.text',
      op: 'contains',
      value: `${'a'.repeat(40)}${index}`,
    }));
    await setFilter(endpointId, { not: { any: conditions } });
    const data = JSON.stringify({ text: 'a'.repeat(200_000) });
    const events = await insertPastEvents(project.id, 40, { data });
    const { id } = await start();
    await continueEventReplays();
    const { checked } = await read(id);
    expect(checked).toBeLessThan(40);
    expect(await runToEnd(id)).toMatchObject({ checked: 40, sent: 40 });
    expect(await eventsSentTo(endpointId)).toEqual(events);
  });
});

describe('a request for a replay', () => {
  it('is refused for events that are not stored any more, an unknown or disabled endpoint, and an unknown customer', async () => {
    const from = anHourAgo();
    const old = new Date(Date.now() - 91 * 86_400_000).toISOString();
    expectInvalid(await send('POST', '', { from: old }), 'from');
    expectInvalid(await send('POST', '', {}), 'from');
    expect((await send('POST', '', { from, endpointId: newId() })).status).toBe(404);
    expectInvalid(await send('POST', '', { from, customer: 'nobody' }), 'customer');
    expectInvalid(await send('POST', '', { from, customer: 'nobody', endpointId: newId() }), 'customer');
    expectInvalid(await send('POST', '', { from, select: 'SOME' }), 'select');
    const endpointId = await endpointOf();
    await run('UPDATE endpoints SET enabled = false WHERE id = $1', endpointId);
    for (const dryRun of [true, false]) {
      const { status, json } = await send('POST', '', { from, endpointId, dryRun });
      expect([status, json.code]).toEqual([409, 'conflict']);
    }
  });

  it('is refused while three replays of the project run', async () => {
    await endpointOf();
    await insertPastEvents(project.id, 1);
    for (let count = 0; count < 3; count += 1) await start();
    const refused = await send('POST', '', { from: anHourAgo() });
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining('3 event replays')]);
  });

  it('is complete at once for nothing, and the last hundred of a project are kept', async () => {
    expect(await start()).toMatchObject({ status: 'COMPLETED', total: 0, completedAt: expect.any(String) });
    await run(
      `INSERT INTO event_replays (id, project_id, owner_id, selection, created_from, created_to, total, status)
       SELECT gen_random_uuid(), $1, $1, 'ALL', now(), now(), 1, 'COMPLETED' FROM generate_series(1, 120)`,
      project.id,
    );
    await start();
    expect(await select('SELECT count(*)::int AS n FROM event_replays WHERE project_id = $1', project.id)).toEqual([
      { n: 100 },
    ]);
  });

  it('reaches nothing of another project', async () => {
    const foreign = await endpointOf();
    const { id } = await start();
    project = await makeTestProject();
    expect((await send('GET', `/${id}`)).status).toBe(404);
    expect((await send('POST', `/${id}/cancel`)).status).toBe(404);
    expect((await send('POST', '', { from: anHourAgo(), endpointId: foreign })).status).toBe(404);
  });
});

describe('a preview', () => {
  it('ends after a second with what it has counted until then', async () => {
    await endpointOf();
    await insertPastEvents(project.id, 1);
    await inSqlTransaction(async (tx) => {
      await tx.query('LOCK TABLE subscriptions IN ACCESS EXCLUSIVE MODE');
      expect(await preview()).toEqual({ count: 0, isExact: false });
    });
    expect(await preview()).toEqual({ count: 1, isExact: true });
  });

  /** Holds the place of previews for another owner. @returns ends that */
  function holdPlace(): () => Promise<void> {
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    const share = { network: '192.0.2.1', isReading: true, ownerId: newId() };
    const holding = shareConnections(share, () => readHeavily(() => held, 'preview'));
    return () => {
      end();
      return holding;
    };
  }

  it('that waits for those of others keeps no count of deliveries waiting', async () => {
    const end = holdPlace();
    const before = shareWaits().preview.waited;
    const waiting = preview();
    await expect.poll(() => shareWaits().preview.waited).toBe(before + 1);
    const path = `/api/v1/projects/${project.id}/delivery-count`;
    expect((await call('GET', path, { apiKey: project.key })).status).toBe(200);
    await end();
    expect(await waiting).toEqual({ count: 0, isExact: true });
  });

  it('that reads much lets others read between its readings', async () => {
    await insertEndpoints(Array(300).fill(URL), project.id);
    await insertPastEvents(project.id, 4);
    const end = holdPlace();
    const before = shareWaits().preview.waited;
    const waiting = preview();
    await expect.poll(() => shareWaits().preview.waited).toBe(before + 1);
    const endOther = holdPlace();
    await end();
    await expect.poll(() => shareWaits().preview.waited).toBe(before + 3);
    await endOther();
    expect((await waiting).count).toBeGreaterThanOrEqual(1_000);
  });
});
