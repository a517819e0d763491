import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadMessages } from '@/lib/delivery/engine/messages';
import { selectMessages } from '@/lib/delivery/engine/messages-sql';
import { projectOfTurn, turnKeyOf } from '@/lib/events/turn-key';
import { database, hotDatabase, type Sql } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { itOnOneServer } from '@/tests/database/one-server';
import { useDatabase } from '@/tests/database/use-database';
import { makeDispatcher } from '@/tests/delivery/dispatcher';
import {
  insertCustomer,
  insertEndpoint,
  insertEvents,
  insertProject,
  readDeliveries,
  type TestEndpoint,
} from '@/tests/fixtures/deliveries';
import { claimBacklog, failUndeliverable } from './claim-backlog';
import { endLeases, findPendingProjects, leaseDue, pollDueWork, searchTargets } from './claim-sql';
import { claimDue, DueWorkPoller, releaseLeases } from './due-work-poller';
import { BEGINNING, LowWatermarks } from './low-watermarks';

useDatabase();

beforeEach(() => database().query('TRUNCATE deliveries, outbox'));

/** Stores deliveries of new events that became due `ago`, or that will if it is negative. */
async function insertDue(endpoint: TestEndpoint, count: number, ago = '1 second', data = '{"total":1}'): Promise<void> {
  const eventIds = await insertEvents(endpoint.projectId, count, { data });
  await database().query(
    `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, next_attempt_at)
     SELECT d.id, $3, d.event_id, $4, now() - $5::interval FROM unnest($1::uuid[], $2::uuid[]) AS d(id, event_id)`,
    [eventIds.map(newId), eventIds, endpoint.projectId, endpoint.id, ago],
  );
}

const makeEndpoint = () => insertEndpoint({ url: 'http://receiver.test/' });
const claim = async (...wanted: [TestEndpoint, number][]) =>
  (await claimDue(database(), new Map(wanted.map(([{ id }, room]) => [id, room])), 1_000_000)).jobs;

describe('a claim', () => {
  it('leases the oldest due deliveries of each target, up to its room', async () => {
    const a = await makeEndpoint();
    const b = await makeEndpoint();
    await insertDue(a, 3, '1 second');
    await insertDue(a, 2, '1 hour');
    await insertDue(b, 1);
    await insertDue(b, 5, '-1 hour');
    const claimed = await claim([a, 2], [b, 10]);
    expect(claimed.filter(({ targetId }) => targetId === a.id)).toHaveLength(2);
    expect(claimed.filter(({ targetId }) => targetId === b.id)).toHaveLength(1);
    const left = await claim([a, 10], [b, 10]);
    expect(left).toHaveLength(3);
    expect(await claim([a, 10], [b, 10])).toEqual([]);
  });

  it('leases a delivery to only one of many workers', async () => {
    const endpoint = await makeEndpoint();
    await insertDue(endpoint, 200);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim([endpoint, 50])));
    const ids = claims.flat().map(({ deliveryId }) => deliveryId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(50);
  });

  it('is undone by a release, unless the attempt has been recorded', async () => {
    const endpoint = await makeEndpoint();
    await insertDue(endpoint, 2);
    const jobs = await claim([endpoint, 10]);
    await database().query('UPDATE deliveries SET attempt_count = 1 WHERE id = $1', [jobs[0]?.deliveryId]);
    await releaseLeases(database(), jobs);
    expect((await claim([endpoint, 10])).map(({ deliveryId }) => deliveryId)).toEqual([jobs[1]?.deliveryId]);
  });

  it('leases no more bytes than asked for, and always one delivery', async () => {
    const endpoint = await makeEndpoint();
    await insertDue(endpoint, 3);
    const take = (bytes: number) => claimDue(database(), new Map([[endpoint.id, 10]]), bytes);
    expect(await take(1)).toMatchObject({ jobs: [expect.anything()], isTruncated: true });
    const rest = await take(2 * '{"total":1}'.length);
    expect([rest.jobs.length, rest.isTruncated]).toEqual([2, false]);
  });

  it('leases the oldest delivery and the smallest ones, so that large ones of others keep nothing out', async () => {
    const large = await makeEndpoint();
    const small = await makeEndpoint();
    const data = JSON.stringify({ text: 'x'.repeat(10_000) });
    await insertDue(large, 5, '1 minute', data);
    await insertDue(small, 1, '1 second');
    const wanted = new Map([large, small].map(({ id }) => [id, 10] as const));
    const claimed = await claimDue(database(), wanted, 10_000);
    expect(claimed.jobs.map(({ targetId }) => targetId).sort()).toEqual([large.id, small.id].sort());
    expect(claimed.isTruncated).toBe(true);
  });

  it('returns the position in the schedule, and its message can be read', async () => {
    const endpoint = await makeEndpoint();
    await insertDue(endpoint, 1);
    await database().query('UPDATE deliveries SET attempt_count = 4, schedule_step = 2');
    const [claimed] = await claim([endpoint, 1]);
    expect(claimed).toMatchObject({ attemptNumber: 5, scheduleStep: 2, targetId: endpoint.id, entry: null });
    const messages = await loadMessages(database(), claimed === undefined ? [] : [claimed.source]);
    const body = messages.get(claimed?.source.eventId ?? '')?.body.toString();
    expect(JSON.parse(body ?? '')).toMatchObject({
      type: 'order.created',
      data: { total: 1 },
    });
  });
});

describe('a poll', () => {
  it('finds each target with due deliveries, and when the next delivery becomes due', async () => {
    const due = await makeEndpoint();
    const later = await makeEndpoint();
    await insertDue(due, 2);
    const startedAt = Date.now();
    await insertDue(later, 1, '-10 seconds');
    const seen = await new DueWorkPoller().poll(database());
    expect(seen.targets).toEqual([{ targetId: due.id, projectId: due.projectId }]);
    expect(seen.nextDueMs).toBeGreaterThan(10_000 - (Date.now() - startedAt) - 1);
    expect(seen.nextDueMs).toBeLessThanOrEqual(10_000);
  });

  it('finds the other targets when one has more due deliveries than a poll reads', async () => {
    const flooded = await makeEndpoint();
    const other = await makeEndpoint();
    const third = await makeEndpoint();
    await insertDue(flooded, 2_000, '1 hour');
    await insertDue(other, 1);
    await insertDue(third, 1, '-1 hour');
    const { targets } = await new DueWorkPoller().poll(database());
    expect(new Set(targets.map(({ targetId }) => targetId))).toEqual(new Set([flooded.id, other.id]));
  });

  it('searches beyond such a target again only after an interval', async () => {
    const flooded = await makeEndpoint();
    const other = await makeEndpoint();
    await insertDue(flooded, 600, '1 hour');
    await insertDue(other, 1, '30 minutes');
    await insertDue(flooded, 200);
    const poller = new DueWorkPoller(new LowWatermarks(), 300);
    const poll = async () => (await poller.poll(database())).targets.map(({ targetId }) => targetId);
    expect(await poll()).toContain(other.id);
    expect(await poll()).toEqual([flooded.id]);
    await sleep(300);
    expect(await poll()).toContain(other.id);
  });

  it('finds the turns with due events: of a project itself, and of each of its customers', async () => {
    const projectId = await insertProject();
    const [due, leased] = [await insertCustomer(projectId), await insertCustomer(projectId)];
    await insertEvents(projectId, 2);
    for (const customerId of [due, leased]) await insertEvents(projectId, 2, { customerId });
    await database().query(`UPDATE outbox SET available_at = now() + interval '1 minute' WHERE customer_id = $1`, [
      leased,
    ]);
    const { turns } = await new DueWorkPoller().poll(database());
    expect(turns.sort()).toEqual([projectId, turnKeyOf(projectId, due)]);
  });

  it('finds what one owner has due at once, however many projects and customers of others have more', async () => {
    const projects = [await insertProject(), await insertProject(), await insertProject()].sort();
    const [crowded = '', beside = '', other = ''] = projects;
    const poller = new DueWorkPoller(new LowWatermarks(), 1_000, (projectId) =>
      projectId === other ? 'other' : 'crowded',
    );
    const insertDueOf = (projectId: string, count: number) =>
      database().query(
        `INSERT INTO outbox (id, kind, project_id, customer_id)
         SELECT gen_random_uuid(), 'EVENT', $1, gen_random_uuid() FROM generate_series(1, $2)`,
        [projectId, count],
      );
    await insertDueOf(crowded, 1_200);
    await insertDueOf(beside, 1);
    await insertDueOf(other, 1);
    const found = new Map<string, number>();
    for (let poll = 1; poll <= 5; poll += 1) {
      const { turns, againInMs } = await poller.poll(database());
      for (const projectId of poll === 1 ? projects : [other]) {
        expect(turns.filter((key) => projectOfTurn(key) === projectId).length).toBeGreaterThan(0);
      }
      for (const key of turns) found.set(key, (found.get(key) ?? 0) + 1);
      expect(againInMs !== null).toBe(poll < 5);
    }
    expect(found.size).toBe(1_202);
  });
});

it('a poll finds at once the targets of one owner, however many targets of another owner have older and newer deliveries', async () => {
  const makeOwned = async (projectId: string, age: string, targets: number) => {
    const { rows } = await database().query<{ id: string }>(
      `WITH made AS (INSERT INTO endpoints (id, project_id, url, retry_seconds)
         SELECT gen_random_uuid(), $1, 'http://receiver.test/', '{}' FROM generate_series(1, $2::int) RETURNING id)
       SELECT id FROM made`,
      [projectId, targets],
    );
    const ids = rows.map(({ id }) => id);
    const [eventId] = await insertEvents(projectId, 1);
    await database().query(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, next_attempt_at)
       SELECT gen_random_uuid(), $1, $2, id, now() - $4::interval FROM unnest($3::uuid[]) AS id`,
      [projectId, eventId, ids, age],
    );
    return ids;
  };
  const [crowded, beside, other] = [await insertProject(), await insertProject(), await insertProject()];
  const owners = (projectId: string) => (projectId === other ? 'other' : 'crowded');
  const hostile = [...(await makeOwned(crowded, '1 hour', 11_000)), ...(await makeOwned(beside, '1 second', 600))];
  const [victim = ''] = await makeOwned(other, '30 minutes', 1);
  const poller = new DueWorkPoller(new LowWatermarks(), 0, owners);
  const found = new Set<string>();
  for (let poll = 1; poll <= 10; poll += 1) {
    const { targets, againInMs } = await poller.poll(database());
    expect(targets).toContainEqual({ targetId: victim, projectId: other });
    expect(againInMs).not.toBeNull();
    for (const { targetId } of targets) found.add(targetId);
  }
  // The owner with many gets to all of them: a search goes on where the last one ended.
  expect(hostile.every((id) => found.has(id))).toBe(true);
});

it('a poll finds at once what has just become due, however many older deliveries are due', async () => {
  const flooded = await makeEndpoint();
  const other = await makeEndpoint();
  await insertDue(flooded, 600, '1 hour');
  const poller = new DueWorkPoller(new LowWatermarks(), 30_000);
  await poller.poll(database());
  await insertDue(other, 1);
  const { targets } = await poller.poll(database());
  expect(targets.map(({ targetId }) => targetId)).toContain(other.id);
});

it('no estimate makes the planner read all due deliveries for one target, or all targets for a poll', async () => {
  const client = await database().connect();
  const planOf = async (sql: string) => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const id = `'${newId()}'`;
  const since = `'-infinity'`;
  const claimed = [`ARRAY[${id}]::uuid[]`, 'ARRAY[1]', since, '1', '1'];
  const withValues = (sql: string, values: string[]) =>
    sql.replace(/\$(\d)/g, (_whole, nth: string) => values[Number(nth) - 1] ?? '');
  try {
    const without = async (index: string) => {
      await client.query('ROLLBACK; BEGIN; SET LOCAL enable_seqscan = off');
      await client.query(`DROP INDEX ${index}`);
    };
    const [byTime, byTarget, byProject] = [
      'deliveries_due_idx',
      'deliveries_target_due_idx',
      'deliveries_project_due_idx',
    ];
    await without(byProject);
    const searched = [`ARRAY[${id}]::uuid[]`, `ARRAY[${id}]::uuid[]`, 'ARRAY[1]', since];
    for (const plan of [withValues(searchTargets.text, searched), withValues(findPendingProjects.text, [id, since])]) {
      expect(await planOf(plan)).not.toMatch(`${byTime}|${byTarget}`);
    }
    await without(byTarget);
    expect(await planOf(withValues(leaseDue.text, claimed))).not.toMatch(`${byTime}|${byProject}`);
    await without(byTime);
    expect(await planOf(withValues(pollDueWork.text, [id, since, since]))).not.toMatch(`${byTarget}|${byProject}`);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

it('a poll finds other due work while the search for targets takes too long', async () => {
  const flooded = await makeEndpoint();
  await insertDue(flooded, 600, '1 hour');
  // Two statements in one text are one transaction.
  const endless = 'SET LOCAL statement_timeout = 50; SELECT pg_sleep(60)';
  const query = (config: { text: string }) =>
    database().query(config.text === searchTargets.text ? { text: endless } : config);
  const { targets } = await new DueWorkPoller().poll({ query } as unknown as Sql);
  expect(targets.map(({ targetId }) => targetId)).toEqual([flooded.id]);
});

describe('disabled and deleted targets', () => {
  it('have their due deliveries failed, and keep those that are due later', async () => {
    const endpoint = await makeEndpoint();
    await insertDue(endpoint, 3);
    await insertDue(endpoint, 1, '-1 hour');
    const fail = async (most: number) => {
      const disabled = new Map([[endpoint.id, { kind: 'endpoint', obstacle: 'disabled', most } as const]]);
      return (await failUndeliverable(database(), disabled)).get(endpoint.id);
    };
    expect(await fail(2)).toEqual({ failed: 2, mayHaveMore: true });
    expect(await fail(2)).toEqual({ failed: 1, mayHaveMore: false });
    expect(await fail(2)).toEqual({ failed: 0, mayHaveMore: false });
    const deliveries = await readDeliveries(endpoint.id);
    expect(deliveries.filter(({ status }) => status === 'PENDING')).toHaveLength(1);
    for (const delivery of deliveries.filter(({ status }) => status === 'FAILED')) {
      expect(delivery).toMatchObject({ last_error: 'Endpoint is disabled', attempt_count: 0, next_attempt_at: null });
    }
  });

  it('have one statement, each with its number and its reason', async () => {
    const [many, few, live] = [await makeEndpoint(), await makeEndpoint(), await makeEndpoint()];
    for (const [endpoint, count] of [[many, 5] as const, [few, 1] as const, [live, 1] as const]) {
      await insertDue(endpoint, count);
    }
    let statements = 0;
    const query = (config: { text: string }) => {
      statements += 1;
      return database().query(config);
    };
    const obstructed = new Map([
      [many.id, { kind: 'endpoint', obstacle: 'disabled', most: 2 } as const],
      [few.id, { kind: 'endpoint', obstacle: 'deleted', most: 3 } as const],
    ]);
    const failed = await failUndeliverable({ query } as unknown as Sql, obstructed);
    expect(statements).toBe(1);
    expect([...failed]).toEqual([
      [many.id, { failed: 2, mayHaveMore: true }],
      [few.id, { failed: 1, mayHaveMore: false }],
    ]);
    expect(await readDeliveries(few.id)).toMatchObject([{ status: 'FAILED', last_error: 'Endpoint is deleted' }]);
    expect(await readDeliveries(live.id)).toMatchObject([{ status: 'PENDING' }]);
  });
});

describe('a worker', () => {
  const since = { deliveries: BEGINNING };
  /** Claims as often as the worker does at once. */
  const claimAll = async ({ dispatcher }: ReturnType<typeof makeDispatcher>) => {
    for (;;) {
      const { isMore, nextInMs } = await claimBacklog(dispatcher, since);
      if (!isMore) return nextInMs;
    }
  };

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('rests while it fails the deliveries of a disabled target, and claims those of others meanwhile', async () => {
    const [disabled, live] = [await makeEndpoint(), await makeEndpoint()];
    await insertDue(disabled, 700);
    await insertDue(live, 3);
    await database().query('UPDATE endpoints SET enabled = false WHERE id = $1', [disabled.id]);
    const countFailed = async () =>
      (await readDeliveries(disabled.id)).filter(({ status }) => status === 'FAILED').length;
    vi.useFakeTimers({ toFake: ['performance'] });
    const made = makeDispatcher();
    const { backlog } = made.dispatcher;
    backlog.set(disabled.id, disabled.projectId, true);
    expect(await claimAll(made)).toBeCloseTo(50);
    expect(await countFailed()).toBe(400);
    backlog.set(live.id, live.projectId, true);
    await claimAll(made);
    expect(made.sending).toHaveLength(3);
    vi.advanceTimersByTime(51);
    expect(await claimAll(made)).toBeGreaterThan(40);
    expect(await countFailed()).toBe(600);
    vi.advanceTimersByTime(51);
    await claimAll(made);
    expect(await countFailed()).toBe(700);
  });

  it('fails as many deliveries of the disabled targets of each owner, however many targets one has', async () => {
    const few = await makeEndpoint();
    const projectId = await insertProject();
    const many = await Promise.all(
      Array.from({ length: 20 }, () => insertEndpoint({ url: 'http://receiver.test/', projectId })),
    );
    await insertDue(few, 150);
    for (const endpoint of many) await insertDue(endpoint, 10);
    const ids = [few, ...many].map(({ id }) => id);
    await database().query('UPDATE endpoints SET enabled = false WHERE id = ANY($1)', [ids]);
    const { dispatcher } = makeDispatcher();
    for (const { id, projectId } of [few, ...many]) dispatcher.backlog.set(id, projectId, true);
    await claimBacklog(dispatcher, since);
    const countFailed = async (endpoints: TestEndpoint[]) =>
      (await Promise.all(endpoints.map(({ id }) => readDeliveries(id))))
        .flat()
        .filter(({ status }) => status === 'FAILED').length;
    expect(await countFailed([few])).toBe(100);
    expect(await countFailed(many)).toBe(100);
  });

  it.each([
    ['are released', true],
    ['may not be released', false],
  ])('that stops during a claim ends the claim when its deliveries %s', async (_, areReleased) => {
    const endpoint = await makeEndpoint();
    await insertDue(endpoint, 2);
    const { dispatcher } = makeDispatcher();
    dispatcher.backlog.set(endpoint.id, endpoint.projectId, true);
    const query = hotDatabase().query.bind(hotDatabase());
    vi.spyOn(hotDatabase(), 'query').mockImplementation((async (config: { text: string }) => {
      dispatcher.stop();
      if (config.text === endLeases.text && !areReleased) throw new Error('deadlock detected');
      return query(config);
    }) as never);
    expect(await claimBacklog(dispatcher, since)).toMatchObject({ isMore: true });
    expect(await claim([endpoint, 2])).toHaveLength(areReleased ? 2 : 0);
  });

  /** Claims a delivery whose message cannot be read at first, because of these errors. */
  const claimThrough = async (...errors: Error[]) => {
    const endpoint = await makeEndpoint();
    await insertDue(endpoint, 1);
    const made = makeDispatcher();
    made.dispatcher.backlog.set(endpoint.id, endpoint.projectId, true);
    const query = hotDatabase().query.bind(hotDatabase());
    vi.spyOn(hotDatabase(), 'query').mockImplementation((async (config: { text: string }) => {
      const error = config.text === selectMessages.text ? errors.shift() : undefined;
      if (error !== undefined) throw error;
      return query(config);
    }) as never);
    return { made, claimed: claimBacklog(made.dispatcher, since) };
  };

  it('sends what it has claimed although the database is unreachable for a moment before it has read the message', async () => {
    const gone = () => Object.assign(new Error('terminating connection'), { code: '57P01' });
    const { made, claimed } = await claimThrough(gone(), gone());
    expect(await claimed).toMatchObject({ isMore: true });
    expect(made.sending).toHaveLength(1);
  });

  it('leaves what it has claimed to the end of its lease when the message cannot be read, so that others do not wait', async () => {
    const { made, claimed } = await claimThrough(Object.assign(new Error('invalid byte sequence'), { code: '22021' }));
    await expect(claimed).rejects.toThrow('invalid byte sequence');
    expect(made.sending).toHaveLength(0);
    expect((await claimBacklog(made.dispatcher, since)).isMore).toBe(false);
  });
});

// On a cluster the lock is waited for on another server.
itOnOneServer(
  'leases end in the order of ids, so that a bulk retry that locks the same deliveries fails neither',
  async () => {
    const endpoint = await makeEndpoint();
    await insertDue(endpoint, 2);
    const jobs = (await claim([endpoint, 2])).toSorted((a, b) => b.deliveryId.localeCompare(a.deliveryId));
    const [last, first] = jobs.map(({ deliveryId }) => deliveryId);
    // A scan of the table finds it after the other one.
    await database().query('UPDATE deliveries SET stored_attempts = 0 WHERE id = $1', [first]);
    const worker = await database().connect();
    const retry = await database().connect();
    const lock = (id: string | undefined) => retry.query('SELECT FROM deliveries WHERE id = $1 FOR UPDATE', [id]);
    try {
      await worker.query('BEGIN; SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off');
      await retry.query('BEGIN');
      await lock(first);
      const release = releaseLeases(worker, jobs);
      const waits = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%next_attempt_at = now()%'`;
      while ((await database().query(waits)).rowCount === 0) await sleep(10);
      await lock(last);
      await retry.query('COMMIT');
      await release;
      await worker.query('COMMIT');
    } finally {
      retry.release();
      worker.release();
    }
    expect(await claim([endpoint, 2])).toHaveLength(2);
  },
);
