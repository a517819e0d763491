import type { Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LowWatermarks } from '@/lib/delivery/engine/claims/low-watermarks';
import { Dispatcher } from '@/lib/delivery/engine/dispatch/dispatcher';
import { STORE_BATCH_ROWS, storeDeliveries } from '@/lib/delivery/engine/record/store-deliveries';
import { loadTargets, preparedTargets } from '@/lib/delivery/engine/targets';
import { selectTargets } from '@/lib/delivery/engine/targets-sql';
import type { Job, Target } from '@/lib/delivery/engine/types';
import { database, hotDatabase } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { noteActive, Pace } from '@/lib/platform/pace';
import { Yielder } from '@/lib/platform/yielder';
import { itOnOneServer } from '@/tests/database/one-server';
import { count } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { insertEndpoint, insertEndpoints, insertEvents, insertProject } from '@/tests/fixtures/deliveries';
import { readOutbox, takeFrom } from '@/tests/fixtures/outbox';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { FanOut, fanOutEntry } from './fan-out';
import { FilterSlices, FilterTurns, QuickFilters } from './filter-turns';
import { MAX_NAMED_TARGETS, patternsOf, takeFew, takeMany } from './outbox-sql';
import { OutboxTurns } from './outbox-turns';
import { StoreQueue } from './store-queue';
import { takeEntries, takeQuarantined } from './take-entries';

useDatabase();

beforeEach(() => database().query('DELETE FROM outbox'));

/** What a slow filter takes of the thread. */
const FILTER_MS = 10;

const URL = 'http://receiver.test/';

function makeFanOut(onSend: (target: Target) => void = () => undefined, onFree: () => void = () => undefined): FanOut {
  const dispatcher = new Dispatcher({
    concurrency: 20,
    targetConcurrency: 4,
    ownerOf: (projectId) => projectId,
    send: async (_, target) => {
      onSend(target);
      return { durationMs: 1, succeeded: true, responseStatus: 200 };
    },
    mayStart: () => true,
    onRoom: () => undefined,
    onRelease: () => undefined,
    onStoreDue: () => undefined,
  });
  return new FanOut(dispatcher, new StoreQueue((projectId) => projectId), {
    onFree,
    onQuarantineFree: () => undefined,
    watermarks: new LowWatermarks(),
  });
}

itOnOneServer('a take reads no whole table, also with a plan that is made while the outbox is empty', async () => {
  await database().query('ANALYZE outbox');
  for (const { text } of [takeFew, takeMany]) {
    const plan = await hotDatabase().query(`EXPLAIN (GENERIC_PLAN) ${text}`);
    expect(JSON.stringify(plan.rows)).not.toMatch(/Seq Scan on (?:outbox|events|endpoints|subscriptions)/);
  }
});

itOnOneServer('a take finds the subscriptions that match a type and their endpoints, and reads no others', async () => {
  await database().query('ANALYZE endpoints, subscriptions');
  for (const { text } of [takeFew, takeMany]) {
    const { rows } = await hotDatabase().query(`EXPLAIN (GENERIC_PLAN) ${text}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Cond: \(+project_id = [^\n]*event_type = /);
    expect(plan).toMatch(/on endpoints\s[^\n]*\n\s*Index Cond: \(id = /);
  }
});

describe('a subscription', () => {
  const isMatch = async (pattern: string, type: string) => {
    const sql = `SELECT $1 IN (SELECT pattern FROM ${patternsOf('e')}) AS matches FROM (SELECT $2::text AS type) e`;
    return (await database().query(sql, [pattern, type])).rows[0].matches as boolean;
  };

  it.each([
    ['order.created', 'order.created', true],
    ['order.created', 'order.createdx', false],
    ['*', 'anything', true],
    ['order.*', 'order.created', true],
    ['order.*', 'order.line.added', true],
    ['order.*', 'order', false],
    ['order.*', 'order.', false],
    ['order.*', 'orders.created', false],
    ['order.*', 'my.order.created', false],
    ['order.line.*', 'order.line.added', true],
    ['order.line.*', 'order.linex.added', false],
    ['a_c.*', 'abc.d', false],
    ['a%', 'abc', false],
    ['Order.*', 'order.created', false],
  ])('to %s and an event %s: %s', async (pattern, type, expected) => {
    expect(await isMatch(pattern, type)).toBe(expected);
  });

  it('matches all types below its prefix and no others, for any names', async () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '_', '-'), minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(name, name, async (prefix, type) => {
        const expected = type.startsWith(`${prefix}.`) && type.length > prefix.length + 1;
        expect(await isMatch(`${prefix}.*`, type)).toBe(expected);
      }),
    );
  });
});

describe('an event', () => {
  it('goes to each endpoint once, even if several of its subscriptions match', async () => {
    const both = await insertEndpoint({ url: URL, eventTypes: ['order.*', 'order.created', '*'] });
    const { projectId } = both;
    const one = await insertEndpoint({ url: URL, projectId, eventTypes: ['order.created'] });
    await insertEndpoint({ url: URL, projectId, eventTypes: ['invoice.*'] });
    await insertEndpoint({ url: URL });
    const [eventId] = await insertEvents(projectId, 1, { type: 'order.created' });
    const { entries } = await takeFrom(projectId);
    expect(entries).toMatchObject([{ source: { eventId }, projectId, deliveries: 2 }]);
    expect(entries[0]?.targets.map(({ id }) => id)).toEqual([both.id, one.id].sort());
  });

  it('is read from the database once, however many endpoints it goes to', async () => {
    const { projectId } = await insertEndpoint({ url: URL });
    for (let more = 0; more < 4; more += 1) await insertEndpoint({ url: URL, projectId });
    await insertEvents(projectId, 2, { data: JSON.stringify({ text: 'x'.repeat(100_000) }) });
    let bytes = 0;
    const client = await database().connect();
    const stream = (client as unknown as { connection: { stream: Socket } }).connection.stream;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    const { entries } = await takeEntries(client, [{ key: projectId, most: 100 }]);
    client.release(true);
    expect(entries.map(({ targets }) => targets.length)).toEqual([5, 5]);
    expect(bytes).toBeGreaterThan(200_000);
    expect(bytes).toBeLessThan(220_000);
  });

  it.each([
    ['a disabled endpoint', 1, 'UPDATE endpoints SET enabled = false WHERE id = $1'],
    ['a deleted endpoint', 1, 'UPDATE endpoints SET deleted_at = now() WHERE id = $1'],
    ['a disabled subscription', 1, 'UPDATE subscriptions SET enabled = false WHERE endpoint_id = $1'],
    ['a deleted project', 0, 'UPDATE projects SET deleted_at = now() WHERE id = $1'],
    [
      'a deleted organization',
      0,
      'UPDATE organizations SET deleted_at = now() WHERE id = (SELECT organization_id FROM projects WHERE id = $1)',
    ],
  ])('goes nowhere for %s, and counts %i subscription that was looked at', async (_, lookedAt, sql) => {
    const endpoint = await insertEndpoint({ url: URL });
    await insertEvents(endpoint.projectId, 1);
    await database().query(sql, [/projects|organizations/.test(sql) ? endpoint.projectId : endpoint.id]);
    const taken = await takeFrom(endpoint.projectId);
    expect(taken.rows).toEqual(new Map([[endpoint.projectId, { count: 1, deliveries: lookedAt }]]));
    expect(taken.entries).toMatchObject([{ targets: [], deliveries: 0, message: null }]);
  });

  it('is removed from the outbox even if it has no subscriber or is deleted', async () => {
    const projectId = await insertProject();
    const [, gone] = await insertEvents(projectId, 2);
    await database().query('DELETE FROM events WHERE id = $1', [gone]);
    await startWorker();
    await waitFor('an empty outbox', async () => (await readOutbox()).length === 0);
    expect((await database().query('SELECT FROM deliveries WHERE project_id = $1', [projectId])).rowCount).toBe(0);
  });

  it('is leased by only one of several workers', async () => {
    const endpoint = await insertEndpoint({ url: URL });
    await insertEvents(endpoint.projectId, 300);
    const done = await Promise.all([1, 2, 3, 4].map(() => takeFrom(endpoint.projectId)));
    const ids = done.flatMap(({ entries }) => entries.map(({ entry }) => entry.id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(300);
    const { rows } = await database().query('SELECT DISTINCT attempts, available_at > now() AS is_leased FROM outbox');
    expect(rows).toEqual([{ attempts: 1, is_leased: true }]);
  });
});

describe('a take', () => {
  it('gives each project one row before any gets a second one, and no more than its room', async () => {
    const a = await insertEndpoint({ url: URL });
    const b = await insertEndpoint({ url: URL });
    await insertEvents(a.projectId, 20);
    await insertEvents(b.projectId, 2);
    const turns = [a, b].map(({ projectId }) => ({ key: projectId, most: 10 }));
    const taken = await takeEntries(database(), turns, { bytes: 1_000_000, deliveries: 3 });
    expect(taken.rows).toEqual(
      new Map([
        [a.projectId, { count: 2, deliveries: 2 }],
        [b.projectId, { count: 1, deliveries: 1 }],
      ]),
    );
    expect(taken.isTruncated).toBe(true);
    const rest = await takeEntries(database(), turns);
    expect(rest.rows).toEqual(
      new Map([
        [a.projectId, { count: 10, deliveries: 10 }],
        [b.projectId, { count: 1, deliveries: 1 }],
      ]),
    );
    expect(rest.isTruncated).toBe(false);
  });

  it('returns no more bytes and deliveries than the limits, and always one event', async () => {
    const { projectId } = await insertEndpoint({ url: URL });
    for (let more = 0; more < 4; more += 1) await insertEndpoint({ url: URL, projectId });
    await insertEvents(projectId, 6, { data: JSON.stringify({ text: 'x'.repeat(1_000) }) });
    const turns = [{ key: projectId, most: 100 }];
    const count = async (limits: { bytes: number; deliveries: number }) =>
      (await takeEntries(database(), turns, limits)).entries.length;
    expect(await count({ bytes: 2_500, deliveries: 1_000 })).toBe(2);
    expect(await count({ bytes: 1_000_000, deliveries: 12 })).toBe(2);
    expect(await count({ bytes: 0, deliveries: 0 })).toBe(1);
    expect(await count({ bytes: 1_000_000, deliveries: 1_000 })).toBe(1);
  });
});

describe('events to disabled endpoints', () => {
  it('fill a take by the subscriptions that match them, as deliveries would', async () => {
    const { id, projectId } = await insertEndpoint({ url: URL, eventTypes: ['order.*', 'order.paid', '*'] });
    await insertEndpoint({ url: URL, projectId, eventTypes: ['order.refunded'] });
    await insertEvents(projectId, 6, { type: 'order.paid' });
    const turns = [{ key: projectId, most: 100 }];
    const limits = { bytes: 1_000_000, deliveries: 6 };
    await database().query('UPDATE endpoints SET enabled = false WHERE id = $1', [id]);
    const taken = await takeEntries(database(), turns, limits);
    expect(taken.rows).toEqual(new Map([[projectId, { count: 2, deliveries: 6 }]]));
    expect(taken.isTruncated).toBe(true);
    await database().query('DELETE FROM subscriptions WHERE endpoint_id = $1', [id]);
    expect((await takeEntries(database(), turns, limits)).rows).toEqual(
      new Map([[projectId, { count: 4, deliveries: 0 }]]),
    );
  });
});

describe('an incoming event', () => {
  it('goes to the enabled destinations of its source, byte for byte', async () => {
    const receiver = await startReceiver();
    const projectId = await insertProject();
    const sourceId = newId();
    const incomingId = newId();
    const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
    await database().query(
      'INSERT INTO sources (id, project_id, name, token_hash, token_encrypted) VALUES ($1, $2, $3, $4, $5)',
      [sourceId, projectId, 'Stripe', Buffer.from(sourceId), Buffer.alloc(1)],
    );
    const insertDestination = async (enabled: boolean) => {
      const id = newId();
      await database().query(
        'INSERT INTO destinations (id, project_id, source_id, url, enabled) VALUES ($1, $2, $3, $4, $5)',
        [id, projectId, sourceId, receiver.url, enabled],
      );
      return id;
    };
    const destinationId = await insertDestination(true);
    await insertDestination(false);
    await database().query(
      `INSERT INTO incoming_events (id, project_id, source_id, method, content_type, headers, body, size)
       VALUES ($1, $2, $3, 'POST', 'application/x-shop', $5, $4, 4)`,
      [incomingId, projectId, sourceId, body, JSON.stringify([['content-type', 'application/x-shop']])],
    );
    await database().query(
      `INSERT INTO outbox (id, kind, project_id, incoming_event_id) VALUES ($1, 'INCOMING_EVENT', $2, $3)`,
      [newId(), projectId, incomingId],
    );
    await startWorker();
    const read = async () =>
      (await database().query('SELECT * FROM deliveries WHERE incoming_event_id = $1', [incomingId])).rows;
    await waitFor('the forward', async () => (await read())[0]?.status === 'SUCCEEDED');
    expect(await read()).toMatchObject([{ destination_id: destinationId, endpoint_id: null, event_id: null }]);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers).toMatchObject({
      'content-type': 'application/x-shop',
      'content-length': '4',
      'x-eds-source-id': sourceId,
      'x-eds-incoming-event-id': incomingId,
    });
  });
});

describe('the fan-out of an event', () => {
  it('an event also goes to the targets that a take does not name, even if all others are recorded first', async () => {
    const count = MAX_NAMED_TARGETS + 1;
    const projectId = await insertEndpoints(Array.from({ length: count }, (_, at) => `http://receiver.test/${at}`));
    await insertEvents(projectId, 1);
    const { entries } = await takeEntries(database(), [{ key: projectId, most: 1 }]);
    const [taken] = entries;
    if (taken === undefined) throw new Error('nothing taken');
    const targets = new Map<string, Target>();
    const ids = taken.targets.map(({ id }) => id);
    for (const [id, loaded] of await loadTargets(database(), ids))
      if ('target' in loaded) targets.set(id, loaded.target);
    const sent: Job[] = [];
    const dispatcher = {
      pump: () => undefined,
      ownerOf: () => projectId,
      admission: { maySendUnstored: () => true },
      add: (_: Target, job: Job) => {
        sent.push(job);
        return true;
      },
    } as unknown as Dispatcher;

    const blocker = await database().connect();
    await blocker.query('BEGIN; LOCK TABLE subscriptions IN ACCESS EXCLUSIVE MODE');
    const fanningOut = fanOutEntry(dispatcher, taken, targets, new Yielder(), new QuickFilters(projectId));
    await waitFor('the named targets', async () => sent.length === MAX_NAMED_TARGETS);
    for (let from = 0; from < sent.length; from += STORE_BATCH_ROWS) {
      await storeDeliveries(database(), sent.slice(from, from + STORE_BATCH_ROWS), 30);
    }
    await blocker.query('COMMIT');
    blocker.release();
    const unsent = await fanningOut;
    expect(unsent).toHaveLength(1);
    await storeDeliveries(database(), unsent, 0);

    const stored = await database().query('SELECT count(*)::int FROM deliveries WHERE project_id = $1', [projectId]);
    expect(stored.rows[0].count).toBe(count);
  });
});

describe('an event whose fan-out fails', () => {
  /** Prepares a target whose filter fails for the first of two events, and counts the events that it tries. */
  async function insertFailing() {
    const endpoint = await insertEndpoint({ url: URL });
    const found = (await loadTargets(hotDatabase(), [endpoint.id])).get(endpoint.id);
    if (found === undefined || !('target' in found)) throw new Error('no target');
    let tries = 0;
    const matches = () => {
      tries += 1;
      if (tries === 1) throw new RangeError('too deep for the test');
      return false;
    };
    found.target.filter = { matches, explain: () => [] };
    await insertEvents(endpoint.projectId, 2);
    return endpoint.projectId;
  }

  it('is rescheduled, and those after it are fanned out', async () => {
    const projectId = await insertFailing();
    const fanOut = makeFanOut();
    fanOut.enqueueNotified([projectId]);
    await fanOut.takeBatch(['light']);
    await waitFor('the others', async () => (await readOutbox()).length === 1);
    expect(await readOutbox()).toMatchObject([{ attempts: 1, last_error: 'too deep for the test' }]);
  });

  it('leaves the quarantine to others at once', async () => {
    await insertFailing();
    await database().query('UPDATE outbox SET attempts = 4');
    const fanOut = makeFanOut();
    await fanOut.takeFromQuarantine(4);
    await fanOut.takeFromQuarantine(4);
    await waitFor('the other', async () => (await readOutbox()).length === 1);
    expect(await readOutbox()).toMatchObject([{ attempts: 5, last_error: 'too deep for the test' }]);
  });
});

describe('the filters of many short events', () => {
  it('take a bounded share of the worker while others are active, and yield to other work', async () => {
    const endpoint = await insertEndpoint({ url: URL });
    await insertEvents(endpoint.projectId, 100);
    const loaded = await loadTargets(hotDatabase(), [endpoint.id]);
    const found = loaded.get(endpoint.id);
    if (found === undefined || !('target' in found)) throw new Error('no target');
    let spentMs = 0;
    const matches = () => {
      for (const end = performance.now() + FILTER_MS; performance.now() < end; );
      spentMs += FILTER_MS;
      return false;
    };
    found.target.filter = { matches, explain: () => [] };
    let turns = 0;
    const activity = setInterval(() => {
      noteActive(endpoint.projectId);
      noteActive('other');
      turns += 1;
    }, 1);
    const fanOut = makeFanOut();
    const startedAt = performance.now();
    for (let take = 0; take < 10; take++) {
      fanOut.enqueueNotified([endpoint.projectId]);
      await fanOut.takeBatch(['light', 'heavy']);
    }
    clearInterval(activity);
    const seconds = (performance.now() - startedAt) / 1_000;
    // Its burst, its share, and the last event.
    expect(spentMs).toBeLessThan(200 + 100 * (seconds + 1) + 2 * FILTER_MS);
    expect(turns).toBeGreaterThan(spentMs / FILTER_MS / 2);
  });
});

describe('the preparation of targets', () => {
  const MANY = 800;

  it('delays no row of another owner in the batch', async () => {
    const many = await insertEndpoints(Array.from({ length: MANY }, (_, index) => `${URL}${index}`));
    const one = await insertEndpoint({ url: URL });
    await insertEvents(many, 1);
    await insertEvents(one.projectId, 1);
    const { rows } = await database().query('SELECT id FROM endpoints WHERE project_id = $1', [many]);
    const countPrepared = () => rows.filter(({ id }) => preparedTargets().peek(id) !== undefined).length;
    let preparedBefore: number | null = null;
    const fanOut = makeFanOut(({ id }) => {
      if (id === one.id) preparedBefore = countPrepared();
    });
    fanOut.enqueueNotified([many, one.projectId]);
    await fanOut.takeBatch(['light']);
    await waitFor('the fan-out', () => countPrepared() === MANY && preparedBefore !== null);
    expect(preparedBefore).toBeLessThan(MANY / 2);
  });

  it('waits while another owner has the slice, and begins after it', async () => {
    const endpoint = await insertEndpoint({ url: URL });
    await insertEvents(endpoint.projectId, 1);
    const other = new FilterSlices('other');
    await other.begin();
    const reads = vi.spyOn(hotDatabase(), 'query');
    const countReads = () =>
      reads.mock.calls.filter(([query]) => JSON.stringify(query).includes('previous_secret')).length;
    const fanOut = makeFanOut();
    fanOut.enqueueNotified([endpoint.projectId]);
    await fanOut.takeBatch(['light']);
    await waitFor('the read', () => countReads() === 1);
    await Promise.all(reads.mock.results.map(({ value }) => value));
    await new Promise((resolve) => setImmediate(resolve));
    expect(preparedTargets().peek(endpoint.id)).toBeUndefined();
    other.end();
    await waitFor('the fan-out', () => preparedTargets().peek(endpoint.id) !== undefined);
    reads.mockRestore();
  });

  it('counts for the filters of its owner, and not for those of others', async () => {
    const endpoint = await insertEndpoint({ url: URL });
    const other = await insertEndpoint({ url: URL });
    await insertEvents(endpoint.projectId, 1);
    const rests = vi.spyOn(Pace.prototype, 'restAfter');
    const fanOut = makeFanOut();
    fanOut.enqueueNotified([endpoint.projectId]);
    await fanOut.takeBatch(['light']);
    await waitFor('the fan-out', async () => (await readOutbox()).length === 0 || rests.mock.calls.length > 0);
    expect(rests).toHaveBeenCalledWith(endpoint.projectId, expect.any(Number));
    expect(rests).not.toHaveBeenCalledWith(other.projectId, expect.any(Number));
    rests.mockRestore();
  });
});

describe('batches that are fanned out in the background', () => {
  afterEach(() => void vi.restoreAllMocks());

  /** Holds all reads of targets. @returns ends that */
  function holdTargets(): () => void {
    let resume: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const query = hotDatabase().query.bind(hotDatabase());
    vi.spyOn(hotDatabase(), 'query').mockImplementation((async (config: { text: string }) => {
      if (config.text === selectTargets.text) await held;
      return query(config);
    }) as never);
    return resume;
  }

  it('delay no event with few targets, and only those with many wait while there are eight', async () => {
    const insertMany = () => insertEndpoints(Array.from({ length: 101 }, () => URL));
    const [known, ...others] = await Promise.all(Array.from({ length: 9 }, insertMany));
    const few = await insertEndpoint({ url: URL });
    await loadTargets(hotDatabase(), [few.id]);
    const sent = new Set<string>();
    let ended = 0;
    const fanOut = makeFanOut(
      ({ id }) => sent.add(id),
      () => void ended++,
    );
    const take = async (projectId = '') => {
      await insertEvents(projectId, 1);
      fanOut.enqueueDue([projectId]);
      return fanOut.takeBatch(['light', 'heavy']);
    };
    await take(known);
    // It is called for the owner and for the batch.
    await waitFor('a first event of many targets', async () => ended === 2);

    const resume = holdTargets();
    for (const projectId of others) expect(await take(projectId)).toBe(true);
    expect(await take(known)).toBe(false);
    expect(await take(few.projectId)).toBe(true);
    await waitFor('the event with one target', async () => sent.has(few.id));
    resume();
    await waitFor('the other events', async () => ended === 2 + 2 * others.length);
    expect(await fanOut.takeBatch(['light', 'heavy'])).toBe(true);
  });

  it('keep 32 MiB of the messages of all owners, and everybody still gets a turn', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(500_000) });
    const owners: string[] = [];
    for (let owner = 0; owner < 6; owner += 1) {
      const { projectId } = await insertEndpoint({ url: URL });
      await insertEvents(projectId, 16, { data: large });
      owners.push(projectId);
    }
    const small = await insertEndpoint({ url: URL });
    await insertEvents(small.projectId, 16);
    await loadTargets(hotDatabase(), [small.id]);
    let ended = 0;
    const fanOut = makeFanOut(
      () => undefined,
      () => void ended++,
    );
    const resume = holdTargets();
    const takeOf = async (projectId: string) => {
      fanOut.enqueueDue([projectId]);
      expect(await fanOut.takeBatch(['light', 'heavy'])).toBe(true);
      return count('SELECT FROM outbox WHERE attempts > 0 AND project_id = $1', projectId);
    };
    const taken: number[] = [];
    for (const owner of owners) taken.push(await takeOf(owner));
    expect(Math.min(...taken)).toBeGreaterThan(0);
    expect(taken.reduce((sum, rows) => sum + rows) * large.length).toBeLessThan(32 * 1024 * 1024);
    expect(await takeOf(small.projectId)).toBe(16);
    resume();
    await waitFor('the end of the batches', () => ended === 2 * owners.length);
    expect(await takeOf(owners.at(-1) ?? '')).toBeGreaterThan((taken.at(-1) ?? 0) + 1);
  });
});

describe('takes in turn', () => {
  it('a project gets a turn although older projects fill each take', async () => {
    const older: string[] = [];
    for (let count = 0; count < 3; count += 1) older.push((await insertEndpoint({ url: URL })).projectId);
    const { projectId: victim } = await insertEndpoint({ url: URL });
    for (const projectId of older) await insertEvents(projectId, 10);
    await insertEvents(victim, 1);
    const projectTurns = new OutboxTurns((projectId) => projectId);
    for (const projectId of [...older, victim]) projectTurns.add(projectId);
    const room = { ofOwner: () => 10, ofTurn: () => 10 };
    const served = new Set<string>();
    for (let take = 0; take < 4; take += 1) {
      const [light, heavy] = (['light', 'heavy'] as const).map((load) => projectTurns.next(load, room));
      const turns = light?.length ? light : (heavy ?? []);
      const taken = await takeEntries(database(), turns, { bytes: 1_000_000, deliveries: 2 });
      for (const turn of turns) {
        const rows = taken.rows.get(turn.key) ?? { count: 0, deliveries: 0 };
        projectTurns.finish(turn.key, rows, rows.count >= turn.most || taken.isTruncated);
        if (rows.count > 0) served.add(turn.key);
      }
    }
    expect(served).toContain(victim);
  });

  it('a small event is taken beside large ones that fill the take', async () => {
    const urls = Array.from({ length: 11 }, (_, at) => `${URL}${at}`);
    const large = [await insertEndpoints(urls), await insertEndpoints(urls)];
    const { projectId: small } = await insertEndpoint({ url: URL });
    for (const projectId of [...large, small]) await insertEvents(projectId, 2);
    const turns = [...large, small].map((key) => ({ key, most: 2 }));
    const taken = await takeEntries(database(), turns, { bytes: 1_000_000, deliveries: 11 });
    expect([...taken.rows]).toEqual([
      [large[0], { count: 1, deliveries: 11 }],
      [small, { count: 1, deliveries: 1 }],
    ]);
    expect(taken.isTruncated).toBe(true);
  });

  it('rows of the quarantine are taken in turn of their projects, however many one project has', async () => {
    const [many, one] = [await insertEndpoint({ url: URL }), await insertEndpoint({ url: URL })];
    await insertEvents(many.projectId, 6);
    await insertEvents(one.projectId, 1);
    await database().query('UPDATE outbox SET attempts = CASE WHEN project_id = $1 THEN 5 ELSE 2 END', [
      many.projectId,
    ]);
    const taken: string[] = [];
    for (let take = 0; take < 2; take += 1) {
      const { entries } = await takeQuarantined(database(), 1, taken.at(-1) ?? null);
      taken.push(...entries.map(({ projectId }) => projectId));
    }
    expect(taken.toSorted()).toEqual([many.projectId, one.projectId].toSorted());
    const last = await takeQuarantined(database(), 1, one.projectId);
    expect(last.entries.map(({ projectId }) => projectId)).toEqual([many.projectId]);
  });

  it('rows of the quarantine without a subscriber do not block the next ones', async () => {
    await insertEvents(await insertProject(), 20);
    await database().query('DELETE FROM outbox WHERE attempts > 0');
    await database().query(
      'UPDATE outbox SET attempts = 2 WHERE project_id NOT IN (SELECT project_id FROM subscriptions)',
    );
    const fanOut = makeFanOut();
    await fanOut.takeFromQuarantine(2);
    await fanOut.takeFromQuarantine(2);
    const { rows } = await database().query('SELECT count(*)::int FROM outbox WHERE attempts >= 2');
    expect(rows[0].count).toBe(0);
  });
  it('rows of the quarantine wait for earlier ones until the first lease of those ends, however often it is renewed', async () => {
    const first = await insertEndpoint({ url: URL });
    await insertEvents(first.projectId, 1);
    await database().query('UPDATE outbox SET attempts = 2');
    const turns = vi.spyOn(FilterTurns.prototype, 'run').mockImplementation((_, entry) => {
      entry.leaseEndsAt += 60_000;
      return new Promise(() => undefined);
    });
    const fanOut = makeFanOut();
    void fanOut.takeFromQuarantine(2);
    await waitFor('the filters of the first row', () => turns.mock.calls.length === 1);
    const second = await insertProject();
    await insertEvents(second, 1);
    await database().query('UPDATE outbox SET attempts = 2 WHERE project_id = $1', [second]);
    const countSecond = async () => (await readOutbox()).filter(({ attempts }) => attempts === 2).length;
    await fanOut.takeFromQuarantine(2);
    expect(await countSecond()).toBe(1);
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 11_000);
    await fanOut.takeFromQuarantine(2);
    clock.mockRestore();
    turns.mockRestore();
    expect(await countSecond()).toBe(0);
  });
});
