import { beforeEach, describe, expect, it } from 'vitest';
import { continueReplays } from '@/lib/incoming/replays/continue-replays';
import type { Replay, Source } from '@/lib/incoming/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { insertIncomingEvents } from '@/tests/fixtures/incoming-events';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();

let project: TestProject;
let source: Source;
beforeEach(async () => {
  await database().query(`UPDATE incoming_event_replays SET status = 'CANCELED' WHERE status = 'RUNNING'`);
  project = await makeTestProject();
  source = await makeSource();
});

const { send, makeSource, makeDestination: makeDestinationOf } = sourceTools(() => project);
const makeDestination = (url = 'http://127.0.0.1:9/hook', body: object = {}) =>
  makeDestinationOf(source, { url }, body);
const insertEvents = (count: number, options: Parameters<typeof insertIncomingEvents>[2] = {}) =>
  insertIncomingEvents({ id: source.id, projectId: project.id }, count, options);
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

describe('a replay', () => {
  it('needs a next batch only while one is running', async () => {
    expect(await continueReplays()).toBeNull();
    await makeDestination();
    await insertEvents(120);
    await startReplay();
    expect(await continueReplays()).toEqual(expect.any(Number));
  });

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
    const { rows } = await database().query('SELECT count(*)::int AS n FROM deliveries WHERE project_id = $1', [
      project.id,
    ]);
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

  it('counts each incoming event once when several workers continue it at once', async () => {
    await makeDestination();
    await insertEvents(250);
    const { id } = (await startReplay()).json;
    await waitFor('the end', async () => {
      await Promise.all(Array.from({ length: 4 }, continueReplays));
      return (await readReplay(id)).status === 'COMPLETED';
    });
    expect(await readReplay(id)).toMatchObject({ replayed: 250, total: 250 });
  });

  it('ends with the newest existing event, even if its end is in the future', async () => {
    await makeDestination();
    await insertEvents(2);
    const { id, to } = (await startReplay({ to: new Date(Date.now() + 86_400_000).toISOString() })).json;
    expect(Date.parse(to)).toBeLessThanOrEqual(Date.now());
    await database().query(
      `INSERT INTO incoming_events (id, project_id, source_id, method, headers, body, size, created_at)
       VALUES ($1, $2, $3, 'POST', '[]', 'x', 1, now() + interval '1 minute')`,
      [newId(), project.id, source.id],
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
    await database().query('UPDATE projects SET deleted_at = now() WHERE id = $1', [project.id]);
    await continueReplays();
    const { rows } = await database().query('SELECT status FROM incoming_event_replays WHERE id = $1', [id]);
    expect(rows[0].status).toBe('FAILED');
    expect((await database().query('SELECT FROM deliveries WHERE project_id = $1', [project.id])).rowCount).toBe(0);
  });

  it('waits while a destination has a thousand due deliveries', async () => {
    const { id: destinationId } = await makeDestination();
    await insertEvents(2);
    const [waiting] = await insertEvents(1, { agoMs: 3_600_000 });
    await database().query(
      `INSERT INTO deliveries (id, project_id, incoming_event_id, destination_id, next_attempt_at)
       SELECT gen_random_uuid(), $1, $2, $3, now() FROM generate_series(1, 1000)`,
      [project.id, waiting, destinationId],
    );
    const { id } = (await startReplay({ from: new Date(Date.now() - 60_000).toISOString() })).json;
    await continueReplays();
    expect(await readReplay(id)).toMatchObject({ status: 'RUNNING', replayed: 0 });
    await database().query(`UPDATE deliveries SET next_attempt_at = now() + interval '1 hour' WHERE project_id = $1`, [
      project.id,
    ]);
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
    await database().query('ALTER TABLE deliveries ADD CONSTRAINT takes_nothing CHECK (false) NOT VALID');
    try {
      expect(await continueReplays()).toBeGreaterThan(5_000);
    } finally {
      await database().query('ALTER TABLE deliveries DROP CONSTRAINT takes_nothing');
    }
    await database().query('UPDATE incoming_event_replays SET next_batch_at = now() WHERE id = $1', [id]);
    expect(await runToEnd(id)).toMatchObject({ status: 'COMPLETED', replayed: 1 });
  });
});
