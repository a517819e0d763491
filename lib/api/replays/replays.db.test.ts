import { beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '@/lib/delivery/schema';
import { continueReplays } from '@/lib/incoming/replays/continue-replays';
import type { Replay, ReplayedIncomingEvent, Source } from '@/lib/incoming/schema';
import { purgeProject } from '@/lib/lifecycle/purge-project';
import { lockProjectIfLive } from '@/lib/orgs/locks';
import { inSqlTransaction } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { untilLockWait } from '@/tests/database/lock-waits';
import { count, run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { countProjectRows } from '@/tests/fixtures/full-project';
import { insertIncomingEvents } from '@/tests/fixtures/incoming-events';
import { asPerson } from '@/tests/fixtures/people';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { call, expectProblem } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();

let project: TestProject;

let source: Source;

const { send, makeSource, makeDestination: makeDestinationOf } = sourceTools(() => project);

const makeDestination = (url = 'http://127.0.0.1:9/hook', body: object = {}) =>
  makeDestinationOf(source, { url }, body);

const insertEvents = (count: number, options: Parameters<typeof insertIncomingEvents>[2] = {}) =>
  insertIncomingEvents({ id: source.id, projectId: project.id }, count, options);

describe('a replay', () => {
  beforeEach(async () => {
    await run(`UPDATE incoming_event_replays SET status = 'CANCELED' WHERE status = 'RUNNING'`);
    project = await makeTestProject();
    source = await makeSource();
  });
  const startReplay = (body: object = {}) =>
    send<Replay>('POST', '/incoming-event-replays', { sourceId: source.id, ...body });
  const readReplay = async (id: string) => (await send<Replay>('GET', `/incoming-event-replays/${id}`)).json;
  const runToEnd = async (id: string) => {
    await waitFor('the end of the replay', async () => {
      await continueReplays();
      return (await readReplay(id)).status !== 'RUNNING';
    });
    return readReplay(id);
  };

  it('sends everything that matches, in batches, and counts its progress', async () => {
    await makeDestination();
    await insertEvents(120);
    await insertEvents(3, { verified: false });
    await insertEvents(2, { agoMs: 3_600_000 });
    const from = new Date(Date.now() - 60_000).toISOString();
    const started = await startReplay({ from });
    expect([started.status, started.json]).toEqual([
      202,
      expect.objectContaining({ status: 'RUNNING', total: 120, replayed: 0, from, completedAt: null }),
    ]);
    await continueReplays();
    expect(await readReplay(started.json.id)).toMatchObject({ status: 'RUNNING', replayed: 100 });
    expect(await runToEnd(started.json.id)).toMatchObject({
      status: 'COMPLETED',
      replayed: 120,
      completedAt: expect.any(String),
    });
    const rows = await select('SELECT count(*)::int AS n FROM deliveries WHERE project_id = $1', project.id);
    expect(rows[0].n).toBe(120);
  });

  it('is finished by a worker, and sends each incoming event once', async () => {
    const receiver = await startReceiver();
    await makeDestination(receiver.url);
    await insertEvents(150);
    const { id } = (await startReplay()).json;
    await startWorker({ continueReplays });
    await startWorker({ continueReplays });
    await waitFor('the forwards', () => receiver.received.length >= 150);
    expect(await readReplay(id)).toMatchObject({ status: 'COMPLETED', replayed: 150 });
    expect(new Set(receiver.received.map(({ headers }) => headers['x-eds-incoming-event-id'])).size).toBe(150);
    expect(receiver.received).toHaveLength(150);
  });

  it('ends with the newest existing event, even if its end is in the future', async () => {
    await makeDestination();
    await insertEvents(2);
    const { id, to } = (await startReplay({ to: new Date(Date.now() + 86_400_000).toISOString() })).json;
    expect(Date.parse(to)).toBeLessThanOrEqual(Date.now());
    await run(
      `INSERT INTO incoming_events (id, project_id, source_id, method, headers, body, size, created_at)
       VALUES ($1, $2, $3, 'POST', '[]', 'x', 1, now() + interval '1 minute')`,
      newId(),
      project.id,
      source.id,
    );
    expect(await runToEnd(id)).toMatchObject({ status: 'COMPLETED', total: 2, replayed: 2 });
  });

  it('of nothing is complete at once', async () => {
    await makeDestination();
    expect((await startReplay()).json).toMatchObject({ status: 'COMPLETED', total: 0 });
  });

  it('can be canceled; what it has queued stays', async () => {
    await makeDestination();
    await insertEvents(120);
    const { id } = (await startReplay()).json;
    await continueReplays();
    const canceled = await send<Replay>('POST', `/incoming-event-replays/${id}/cancel`);
    expect(canceled.json).toMatchObject({ status: 'CANCELED', replayed: 100 });
    await continueReplays();
    expect(await readReplay(id)).toEqual(canceled.json);
    expect((await send<Replay>('POST', `/incoming-event-replays/${id}/cancel`)).json).toEqual(canceled.json);
  });

  it('fails when its last destination is disabled while it runs', async () => {
    const { id: destinationId } = await makeDestination();
    await insertEvents(2);
    const { id } = (await startReplay()).json;
    await send('PATCH', `/sources/${source.id}/destinations/${destinationId}`, { enabled: false });
    expect(await runToEnd(id)).toMatchObject({ status: 'FAILED', error: 'No destination is enabled.', replayed: 0 });
  });

  it('fails when its project is deleted while it runs, and adds no delivery', async () => {
    await makeDestination();
    await insertEvents(2);
    const { id } = (await startReplay()).json;
    await run('UPDATE projects SET deleted_at = now() WHERE id = $1', project.id);
    await continueReplays();
    expect((await select('SELECT status FROM incoming_event_replays WHERE id = $1', id))[0].status).toBe('FAILED');
    expect(await count('SELECT FROM deliveries WHERE project_id = $1', project.id)).toBe(0);
  });

  it('waits while a destination has a thousand due deliveries', async () => {
    const { id: destinationId } = await makeDestination();
    await insertEvents(2);
    const [waiting] = await insertEvents(1, { agoMs: 3_600_000 });
    await run(
      `INSERT INTO deliveries (id, project_id, incoming_event_id, destination_id, next_attempt_at)
       SELECT gen_random_uuid(), $1, $2, $3, now() FROM generate_series(1, 1000)`,
      project.id,
      waiting,
      destinationId,
    );
    const { id } = (await startReplay({ from: new Date(Date.now() - 60_000).toISOString() })).json;
    await continueReplays();
    expect(await readReplay(id)).toMatchObject({ status: 'RUNNING', replayed: 0 });
    await run(`UPDATE deliveries SET next_attempt_at = now() + interval '1 hour' WHERE project_id = $1`, project.id);
    expect(await runToEnd(id)).toMatchObject({ status: 'COMPLETED', replayed: 2 });
  });

  it('is one of at most five that run in its project', async () => {
    await makeDestination();
    await insertEvents(1);
    const statuses: number[] = [];
    // Those that would count at the same time are refused with 429.
    for (let round = 0; round < 6; round++) {
      const started = await Promise.all(Array.from({ length: 8 }, () => startReplay()));
      statuses.push(...started.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 202)).toHaveLength(5);
    const refused = await startReplay();
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining('5 replays')]);
  });

  it('continues after an error that affects only it', async () => {
    await makeDestination();
    await insertEvents(1);
    const { id } = (await startReplay()).json;
    await run('ALTER TABLE deliveries ADD CONSTRAINT takes_nothing CHECK (false) NOT VALID');
    try {
      expect(await continueReplays()).toBeGreaterThan(5_000);
    } finally {
      await run('ALTER TABLE deliveries DROP CONSTRAINT takes_nothing');
    }
    await run('UPDATE incoming_event_replays SET next_batch_at = now() WHERE id = $1', id);
    expect(await runToEnd(id)).toMatchObject({ status: 'COMPLETED', replayed: 1 });
  });
});

describe('the replay of one incoming event', () => {
  beforeEach(async () => {
    project = await makeTestProject();
    source = await makeSource();
  });
  const replayOne = (id: string, body?: object) =>
    send<ReplayedIncomingEvent>('POST', `/incoming-events/${id}/replay`, body);
  const deliveries = async () => (await send<{ data: Delivery[] }>('GET', '/deliveries?limit=100')).json.data;
  it('sends it again to each enabled destination, including one that was created later', async () => {
    const receiver = await startReceiver();
    const [id = ''] = await insertEvents(1);
    await makeDestination(receiver.url);
    await makeDestination(receiver.url, { enabled: false });
    const replayed = await replayOne(id);
    expect([replayed.status, replayed.json.deliveryIds.length]).toEqual([202, 1]);
    await startWorker();
    await waitFor('the forward', async () => (await deliveries())[0]?.status === 'SUCCEEDED');
    expect(await deliveries()).toMatchObject([
      { id: replayed.json.deliveryIds[0], incomingEventId: id, attemptCount: 1 },
    ]);
    expect((await replayOne(id)).json.deliveryIds).toEqual(replayed.json.deliveryIds);
    await waitFor('the second forward', async () => (await deliveries())[0]?.attemptCount === 2);
    expect(receiver.received).toHaveLength(2);
  });

  it('reaches only the destination that was named', async () => {
    const [id = ''] = await insertEvents(1);
    const [one] = [await makeDestination(), await makeDestination()];
    await replayOne(id, { destinationId: one.id });
    expect((await deliveries()).map(({ destinationId }) => destinationId)).toEqual([one.id]);
  });

  it('is refused when the signature did not verify', async () => {
    await makeDestination();
    const [forged = ''] = await insertEvents(1, { verified: false });
    const [signed = ''] = await insertEvents(1, { verified: true });
    expectProblem(await replayOne(forged), 409, 'conflict');
    expect((await replayOne(signed)).status).toBe(202);
    expect(await deliveries()).toHaveLength(1);
  });

  it('is refused without an enabled destination', async () => {
    const [id = ''] = await insertEvents(1);
    expectProblem(await replayOne(id), 409, 'conflict');
    const disabled = await makeDestination(undefined, { enabled: false });
    expect((await replayOne(id)).status).toBe(409);
    expect((await replayOne(id, { destinationId: disabled.id })).status).toBe(409);
    expect((await replayOne(id, { destinationId: newId() })).status).toBe(404);
    expect((await replayOne(newId())).status).toBe(404);
  });

  it('does not change a delivery that waits for its first attempt', async () => {
    const [id = ''] = await insertEvents(1);
    await makeDestination();
    await replayOne(id);
    await run(`UPDATE deliveries SET next_attempt_at = now() + interval '1 hour' WHERE incoming_event_id = $1`, id);
    const [before] = await deliveries();
    await replayOne(id);
    expect((await deliveries())[0]?.nextAttemptAt).toBe(before?.nextAttemptAt);
  });
});

describe('a replay of an incoming event', () => {
  const ROUNDS = 5;
  let eventIds: string[];
  beforeEach(async () => {
    project = await makeTestProject();
    await makeSourceWithEvents();
  });
  const { send, makeSource, makeDestination } = sourceTools(() => project);
  const replay = (id = '') => send<ReplayedIncomingEvent>('POST', `/incoming-events/${id}/replay`);
  async function makeSourceWithEvents(): Promise<void> {
    source = await makeSource();
    for (let count = 0; count < 3; count++) await makeDestination(source, { url: 'http://127.0.0.1:9/hook' });
    eventIds = await insertIncomingEvents({ id: source.id, projectId: project.id }, 6);
  }
  /**
   * Replays events from several senders at once, and runs `remove` beside them. Each sender stops when it is refused.
   * @returns the statuses of the refusals, without repeats
   */
  async function refusalsDuring(remove: () => Promise<void>): Promise<number[]> {
    let accepted = 0;
    const sendUntilRefused = async (id: string): Promise<number> => {
      for (;;) {
        const { status } = await replay(id);
        if (status !== 202) return status;
        accepted += 1;
      }
    };
    const senders = Promise.all(eventIds.map(sendUntilRefused));
    await waitFor('accepted replays', () => accepted >= eventIds.length);
    await remove();
    return [...new Set(await senders)];
  }
  it('locks its project before the event, so it cannot deadlock with a transaction that removes events', async () => {
    const [id = ''] = eventIds;
    const replayed = await inSqlTransaction(async (tx) => {
      await lockProjectIfLive(tx, project.id);
      const pending = replay(id);
      await untilLockWait(pending);
      await tx.query('DELETE FROM incoming_events WHERE id = $1', [id]);
      return { pending };
    });
    expect((await replayed.pending).status).toBe(404);
    expect((await replay(eventIds[1])).status).toBe(202);
  });

  it('runs beside the deletion of its source without an error of the server', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) await makeSourceWithEvents();
      const refusals = await refusalsDuring(async () => {
        expect((await send('DELETE', `/sources/${source.id}`)).status).toBe(204);
      });
      expect(refusals).toEqual([409]);
    }
  });

  it('runs beside the erasure of its project without an error of the server, and leaves no delivery', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) {
        project = await makeTestProject();
        await makeSourceWithEvents();
      }
      const { id, owner } = project;
      const refusals = await refusalsDuring(async () => {
        expect((await call('DELETE', `/api/v1/projects/${id}`, asPerson(owner))).status).toBe(204);
        const pace = { endsAt: performance.now() + 20_000, isPaced: false };
        while ((await purgeProject(id, pace)) !== 'gone') expect(performance.now()).toBeLessThan(pace.endsAt);
      });
      expect([401, 404, 409]).toEqual(expect.arrayContaining(refusals));
      expect((await countProjectRows(id)).deliveries).toBe(0);
    }
  });
});
