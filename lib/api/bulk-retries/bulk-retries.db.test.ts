import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { continueBulkRetries } from '@/lib/delivery/bulk-retries/continue-bulk-retries';
import type { BulkRetry, Delivery, DeliveryCount, Endpoint } from '@/lib/delivery/schema';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { NONE, useBulkRetries } from '@/tests/fixtures/bulk-retries';
import { dueDeliveries, insertEndedDeliveries } from '@/tests/fixtures/ended-deliveries';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { call, expectInvalid } from '@/tests/http/api-request';

useDatabase();

describe('bulk retries', () => {
  const { makeEndpoint } = useEndpoints();

  let project: TestProject;

  let endpointId: string;

  beforeEach(async () => {
    await run(`UPDATE bulk_retries SET status = 'CANCELED' WHERE status = 'RUNNING'`);
    project = await makeTestProject();
    endpointId = (await makeEndpoint(project)).id;
  });

  const insert = (count: number, options: Partial<Parameters<typeof insertEndedDeliveries>[0]> = {}) =>
    insertEndedDeliveries({ projectId: project.id, endpointId, count, ...options });

  describe('a bulk retry', () => {
    const { send, start, read, runToEnd } = useBulkRetries(() => project);
    const makeAllDueAgain = () => run(`UPDATE bulk_retries SET next_batch_at = now()`);

    it('retries the failed deliveries in batches, oldest first, and counts its progress', async () => {
      const failed = await insert(120);
      await insert(3, { status: 'SUCCEEDED', response: 200 });
      const started = await start();
      expect(started).toMatchObject({ status: 'RUNNING', filter: { status: 'FAILED' }, total: 120, retried: 0 });
      await continueBulkRetries();
      expect(await read(started.id)).toMatchObject({ status: 'RUNNING', retried: 100 });
      expect(await dueDeliveries(project.id)).toEqual(failed.slice(0, 100));
      expect(await runToEnd(started.id)).toMatchObject({
        status: 'COMPLETED',
        total: 120,
        retried: 120,
        skipped: NONE,
        completedAt: expect.any(String),
      });
      expect(await dueDeliveries(project.id)).toEqual(failed);
      const rows = await select(
        `SELECT DISTINCT schedule_step, completed_at, attempt_count FROM deliveries WHERE project_id = $1 AND status = 'PENDING'`,
        project.id,
      );
      expect(rows).toEqual([{ schedule_step: 0, completed_at: null, attempt_count: 1 }]);
    });

    it('waits for one batch of another owner at most, however many bulk retries that owner has', async () => {
      const other = await makeTestProject();
      const { id } = await makeEndpoint(other);
      await insertEndedDeliveries({ projectId: other.id, endpointId: id, count: 300 });
      const path = `/api/v1/projects/${other.id}/bulk-retries`;
      for (let count = 0; count < 3; count += 1) {
        expect((await call('POST', path, { apiKey: other.key, body: {} })).status).toBe(202);
      }
      await run(`UPDATE bulk_retries SET next_batch_at = now() - interval '1 h'`);
      await insert(10);
      const mine = await start();
      await continueBulkRetries();
      await continueBulkRetries();
      expect(await read(mine.id)).toMatchObject({ status: 'COMPLETED', retried: 10 });
    });

    it('retries chosen deliveries, also those that succeeded, and skips the rest with the reason', async () => {
      const [failed = ''] = await insert(1);
      const [succeeded = ''] = await insert(1, { status: 'SUCCEEDED', response: 200 });
      const [pending = ''] = await insert(1, { status: 'PENDING' });
      await run(`UPDATE deliveries SET next_attempt_at = now() + interval '9 s' WHERE id = $1`, pending);
      const paused = await makeEndpoint(project, { enabled: false });
      const [disabled = ''] = await insert(1, { endpointId: paused.id });
      const removed = await makeEndpoint(project);
      const [deleted = ''] = await insert(1, { endpointId: removed.id });
      await send('DELETE', `/endpoints/${removed.id}`);
      const deliveryIds = [failed, succeeded, pending, disabled, deleted, newId(), failed];
      const { id, total } = await start({ deliveryIds });
      expect(total).toBe(6);
      expect(await runToEnd(id)).toMatchObject({
        status: 'COMPLETED',
        retried: 2,
        skipped: { pending: 1, disabled: 1, deleted: 1, gone: 1 },
      });
      expect(await dueDeliveries(project.id)).toEqual([failed, succeeded].sort());
    });

    it('brings forward what waits for a later attempt, and skips what may be under way', async () => {
      const waiting = await insert(3, { status: 'PENDING' });
      const queued = await insert(1, { status: 'PENDING', attempts: 0 });
      const [leased] = await insert(1, { status: 'PENDING' });
      await run(`UPDATE deliveries SET next_attempt_at = now() + interval '29 seconds' WHERE id = $1`, leased);
      const { id, total } = await start({ status: 'RETRYING' });
      expect(total).toBe(4);
      // It failed after the start, and is not what its creator saw.
      const [later] = await insert(1, { status: 'PENDING' });
      await run('UPDATE deliveries SET last_attempt_at = now() WHERE id = $1', later);
      expect(await runToEnd(id)).toMatchObject({ retried: 3, skipped: { ...NONE, pending: 1 } });
      expect(await dueDeliveries(project.id)).toEqual(waiting);
      await runToEnd((await start({ deliveryIds: queued })).id);
      expect(await dueDeliveries(project.id)).toEqual([...waiting, ...queued].sort());
    });

    it('does not retry what failed after it was created', async () => {
      await insert(1);
      const { id } = await start();
      const [later = ''] = await insert(1);
      await run(`UPDATE deliveries SET completed_at = now() + interval '1 second' WHERE id = $1`, later);
      expect(await runToEnd(id)).toMatchObject({ retried: 1, total: 1 });
      expect(await dueDeliveries(project.id)).not.toContain(later);
    });

    it('counts deliveries that retention removed meanwhile as gone', async () => {
      const [first] = await insert(3);
      const { id } = await start();
      await run('DELETE FROM deliveries WHERE id = $1', first);
      expect(await runToEnd(id)).toMatchObject({ retried: 2, skipped: { ...NONE, gone: 1 } });
    });

    it('makes at most 200 deliveries due per second', async () => {
      await insert(101);
      await start();
      const inMs = await continueBulkRetries();
      expect(inMs).toBeGreaterThan(300);
      expect(inMs).toBeLessThanOrEqual(500);
    });

    it('waits while a target has 200 due deliveries, so that new events do not wait behind it', async () => {
      await insert(5);
      await insert(200, { status: 'PENDING' });
      await run(
        `UPDATE deliveries SET next_attempt_at = now() WHERE project_id = $1 AND status = 'PENDING'`,
        project.id,
      );
      const { id } = await start();
      await continueBulkRetries();
      expect(await read(id)).toMatchObject({ status: 'RUNNING', retried: 0 });
      await run(
        `UPDATE deliveries SET next_attempt_at = now() + interval '1 hour' WHERE project_id = $1 AND status = 'PENDING'`,
        project.id,
      );
      await makeAllDueAgain();
      expect(await runToEnd(id)).toMatchObject({ status: 'COMPLETED', retried: 5 });
    });

    it('of nothing is complete at once', async () => {
      expect(await start()).toMatchObject({ status: 'COMPLETED', total: 0, completedAt: expect.any(String) });
    });

    it('can be canceled between two batches; what it has made due stays due', async () => {
      await insert(150);
      const { id } = await start();
      await continueBulkRetries();
      const canceled = await send<BulkRetry>('POST', `/bulk-retries/${id}/cancel`);
      expect(canceled.json).toMatchObject({ status: 'CANCELED', retried: 100 });
      await makeAllDueAgain();
      await continueBulkRetries();
      expect(await dueDeliveries(project.id)).toHaveLength(100);
      expect((await send<BulkRetry>('POST', `/bulk-retries/${id}/cancel`)).json).toEqual(canceled.json);
    });

    it('ends when its project is deleted, and retries nothing more', async () => {
      await insert(2);
      const { id } = await start();
      await run('UPDATE projects SET deleted_at = now() WHERE id = $1', project.id);
      await continueBulkRetries();
      expect((await select('SELECT status FROM bulk_retries WHERE id = $1', id))[0].status).toBe('CANCELED');
      expect(await dueDeliveries(project.id)).toEqual([]);
    });

    it('is one of at most three that run in its project', async () => {
      await insert(1);
      const statuses: number[] = [];
      // Those that would count at the same time are refused with 429.
      for (let round = 0; round < 4; round++) {
        const started = await Promise.all(Array.from({ length: 6 }, () => send('POST', '/bulk-retries', {})));
        statuses.push(...started.map(({ status }) => status));
      }
      expect(statuses.filter((status) => status === 202)).toHaveLength(3);
      const refused = await send('POST', '/bulk-retries', {});
      expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining('3 bulk retries')]);
    });

    it('continues after an error that affects only it', async () => {
      await insert(1);
      const { id } = await start();
      await run('ALTER TABLE deliveries ADD CONSTRAINT takes_nothing CHECK (false) NOT VALID');
      try {
        expect(await continueBulkRetries()).toBeGreaterThan(5_000);
      } finally {
        await run('ALTER TABLE deliveries DROP CONSTRAINT takes_nothing');
      }
      await makeAllDueAgain();
      expect(await runToEnd(id)).toMatchObject({ status: 'COMPLETED', retried: 1 });
    });

    it('keeps the last hundred of a project, and every one that runs', async () => {
      await insert(1);
      const { id } = await start();
      await run(
        `INSERT INTO bulk_retries (id, project_id, filter, total, status)
       SELECT gen_random_uuid(), $1, '{}', 1, 'COMPLETED' FROM generate_series(1, 120)`,
        project.id,
      );
      await start();
      const rows = await select(
        `SELECT count(*)::int AS n, count(*) FILTER (WHERE id = $2)::int AS is_kept FROM bulk_retries WHERE project_id = $1`,
        project.id,
        id,
      );
      expect(rows[0]).toEqual({ n: 102, is_kept: 1 });
    });

    it.each([
      [{ status: 'PENDING' }, 'status'],
      [{ status: 'QUEUED' }, 'status'],
      [{ deliveryIds: [] }, 'deliveryIds'],
      [{ deliveryIds: Array.from({ length: 1001 }, () => newId()) }, 'deliveryIds'],
      [{ from: 'yesterday' }, 'from'],
      [{ all: true }, 'all'],
    ])('is refused with 400 for %j', async (body, path) => {
      expectInvalid(await send('POST', '/bulk-retries', body), path);
    });
  });

  describe('who may use bulk retries', () => {
    const { send, start, runToEnd } = useBulkRetries(() => project);
    it('one of a project never reaches deliveries of another, and cannot be seen from there', async () => {
      const [foreign = ''] = await insert(1);
      const mine = project;
      const { id: foreignJob } = await start();
      project = await makeTestProject();
      expect((await send('GET', `/bulk-retries/${foreignJob}`)).status).toBe(404);
      expect((await send('POST', `/bulk-retries/${foreignJob}/cancel`)).status).toBe(404);
      const { id } = await start({ deliveryIds: [foreign] });
      expect((await start({ endpointId })).total).toBe(0);
      await run(`UPDATE bulk_retries SET status = 'CANCELED' WHERE id = $1`, foreignJob);
      expect(await runToEnd(id)).toMatchObject({ retried: 0, skipped: { ...NONE, gone: 1 } });
      expect(await dueDeliveries(mine.id)).toEqual([]);
    });
  });
});

describe('the filters of bulk retries', () => {
  const { projects, base, makeEndpoint } = useEndpoints();

  const HOUR_MS = 3_600_000;

  let endpoints: Endpoint[];

  beforeAll(async () => {
    endpoints = [await makeEndpoint(), await makeEndpoint()];
    let age = 0;
    for (const endpoint of endpoints) {
      for (const status of ['FAILED', 'SUCCEEDED', 'PENDING'] as const) {
        for (const [type, response] of [
          ['order.paid', 503],
          ['order.item.added', null],
          ['invoice.sent', 404],
        ] as const) {
          const wanted = { status, type, response, attempts: 2, agoMs: ++age * HOUR_MS };
          await insertEndedDeliveries({ projectId: projects.mine.id, endpointId: endpoint.id, count: 1, ...wanted });
        }
      }
    }
  });

  const option = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });

  const time = option([0, 2, 5, 9, 20].map((hours) => new Date(Date.now() - hours * HOUR_MS - 60_000).toISOString()));

  const filter = fc.record({
    status: fc.constantFrom('FAILED', 'RETRYING', 'UNDELIVERED', 'SUCCEEDED'),
    eventType: option(['*', 'order.*', 'order.paid', 'invoice.*', 'order']),
    responseStatus: option(['503', '4xx', '2xx', 'none']),
    endpointNumber: option([0, 1]),
    from: time,
    to: time,
  });

  async function get<T>(path: string): Promise<T> {
    const { status, json, text } = await call<T>('GET', `${base()}${path}`, { apiKey: projects.mine.key });
    expect(status, text).toBe(200);
    return json;
  }

  it('a bulk retry, the list and the count agree on what matches, whatever the filter', {
    timeout: 60_000,
  }, async () => {
    let matched = 0;
    await fc.assert(
      fc.asyncProperty(filter, async ({ endpointNumber, ...given }) => {
        const endpointId = endpointNumber === undefined ? undefined : endpoints[endpointNumber]?.id;
        const chosen = Object.entries({ ...given, endpointId }).filter(([, value]) => value !== undefined);
        const query = new URLSearchParams(chosen as [string, string][]);
        const listed = (await get<Listing<Delivery>>(`/deliveries?limit=100&${query}`)).data.map(({ id }) => id).sort();
        expect(await get<DeliveryCount>(`/delivery-count?${query}`)).toEqual({ count: listed.length, isExact: true });
        const { json } = await call<BulkRetry>('POST', `${base()}/bulk-retries`, {
          apiKey: projects.mine.key,
          body: Object.fromEntries(chosen),
        });
        expect(json).toMatchObject({ total: listed.length, filter: Object.fromEntries(chosen) });
        const before = await select('SELECT * FROM deliveries');
        await continueBulkRetries();
        expect(await dueDeliveries(projects.mine.id)).toEqual(listed);
        expect(await get<BulkRetry>(`/bulk-retries/${json.id}`)).toMatchObject({
          status: 'COMPLETED',
          retried: listed.length,
        });
        matched += listed.length;
        for (const { id, status, completed_at, next_attempt_at, schedule_step } of before) {
          await run(
            'UPDATE deliveries SET status = $2, completed_at = $3, next_attempt_at = $4, schedule_step = $5 WHERE id = $1',
            id,
            status,
            completed_at,
            next_attempt_at,
            schedule_step,
          );
        }
      }),
      { numRuns: 20 },
    );
    expect(matched).toBeGreaterThan(10);
  });
});
