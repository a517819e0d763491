import { beforeEach, describe, expect, it } from 'vitest';
import { continueBulkRetries } from '@/lib/delivery/bulk-retries/continue-bulk-retries';
import { deliveryIdOf } from '@/lib/delivery/delivery-id';
import { continueEventReplays } from '@/lib/delivery/event-replays/continue-event-replays';
import { continueReplays } from '@/lib/incoming/replays/continue-replays';
import type { Job } from '@/lib/jobs/schema';
import { config } from '@/lib/platform/config/config';
import { storingDatabase } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import type { Listing } from '@/lib/platform/pagination';
import { count, run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { startWorker } from '@/tests/delivery/worker';
import { auditOf } from '@/tests/fixtures/audit';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { insertEndedDeliveries } from '@/tests/fixtures/ended-deliveries';
import { anHourAgo, insertPastEvents } from '@/tests/fixtures/event-replays';
import { insertIncomingEvents } from '@/tests/fixtures/incoming-events';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { sourceTools } from '@/tests/fixtures/sources';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';
import { endProcess, useWorkerProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';

const variables = testVariables();
const { url: databaseUrl } = useDatabase(variables);
const startWorkerProcess = useWorkerProcesses(() => ({ ...variables, DATABASE_URL: databaseUrl }));

const URL = 'http://127.0.0.1:9/hook';
/** What one batch does: the poison is in the second one. */
const BATCH = 100;
const WAITS = [10, 20, 40, 80, 160, 320, 600, 600, 600, 600, 600, 600];

let project: TestProject;
beforeEach(async () => {
  for (const { table } of KINDS) await run(`UPDATE ${table} SET status = 'CANCELED' WHERE status = 'RUNNING'`);
  project = await makeTestProject();
});
const send = <T>(verb: string, path: string, body?: object) =>
  call<T>(verb, `/api/v1/projects/${project.id}${path}`, {
    apiKey: project.key,
    ...(body === undefined ? {} : { body }),
  });

interface Kind {
  noun: string;
  table: string;
  path: string;
  action: string;
  continueJobs: () => Promise<number | null>;
  /** Makes what a job works through: two batches. @returns the body that starts it, and the id of the last delivery */
  prepare: () => Promise<{ body: object; last: string }>;
}

const KINDS: Kind[] = [
  {
    noun: 'a bulk retry',
    table: 'bulk_retries',
    path: '/bulk-retries',
    action: 'bulk_retry.failed',
    continueJobs: continueBulkRetries,
    prepare: async () => {
      const { id: endpointId } = await insertEndpoint({ url: URL, projectId: project.id });
      const ids = await insertEndedDeliveries({ projectId: project.id, endpointId, count: 2 * BATCH });
      return { body: { endpointId }, last: ids.at(-1) as string };
    },
  },
  {
    noun: 'an event replay',
    table: 'event_replays',
    path: '/event-replays',
    action: 'event_replay.failed',
    continueJobs: continueEventReplays,
    prepare: async () => {
      const { id: endpointId } = await insertEndpoint({ url: URL, projectId: project.id });
      const events = await insertPastEvents(project.id, 2 * BATCH);
      return { body: { endpointId, from: anHourAgo() }, last: deliveryIdOf(events.at(-1) as string, endpointId) };
    },
  },
  {
    noun: 'a replay of incoming events',
    table: 'incoming_event_replays',
    path: '/incoming-event-replays',
    action: 'replay.failed',
    continueJobs: continueReplays,
    prepare: async () => {
      const { makeSource, makeDestination } = sourceTools(() => project);
      const source = await makeSource();
      const destination = await makeDestination(source, { url: URL });
      const events = await insertIncomingEvents({ id: source.id, projectId: project.id }, 2 * BATCH);
      return { body: { sourceId: source.id }, last: deliveryIdOf(events.at(-1) as string, destination.id) };
    },
  },
];

/** Makes each change of a delivery fail. @returns what ends that */
async function poison(delivery: string, statement: string): Promise<() => Promise<unknown>> {
  await run(
    `CREATE OR REPLACE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NEW; END $$`,
  );
  await run(
    `CREATE TRIGGER poison BEFORE INSERT OR UPDATE ON deliveries FOR EACH ROW WHEN (NEW.id = '${delivery}') EXECUTE FUNCTION poison()`,
  );
  return () => run('DROP TRIGGER poison ON deliveries');
}

/** Gives the target of a project more due deliveries than any kind of job lets it have. */
const crowd = (projectId: string) =>
  run(
    `INSERT INTO deliveries SELECT (jsonb_populate_record(NULL::deliveries, to_jsonb(d) || jsonb_build_object('id', gen_random_uuid(),
            'status', 'PENDING', 'next_attempt_at', now(), 'completed_at', NULL))).*
     FROM (SELECT * FROM deliveries WHERE project_id = $1 LIMIT 1) d, generate_series(1, 1001)`,
    projectId,
  );

describe.each(KINDS)('$noun whose batch fails', ({ table, path, action, continueJobs, prepare }) => {
  const start = async (body: object) => (await send<{ id: string }>('POST', path, body)).json.id;
  const read = async (id: string) => (await send<Job['bulkRetry'] & Job>('GET', `${path}/${id}`)).json;
  const jobOf = async (id: string) => {
    const { json } = await send<Listing<Job>>('GET', '/jobs');
    return json.data.find((job) => job.id === id);
  };
  /** Does the next batch of a job as if its time had come. */
  const tryNow = async (id: string) => {
    // As if all had been sent: no job waits for its target.
    await run(
      `UPDATE deliveries SET next_attempt_at = now() + interval '1 hour' WHERE project_id = $1 AND status = 'PENDING'`,
      project.id,
    );
    await run(`UPDATE ${table} SET next_batch_at = now() WHERE id = $1`, id);
    await continueJobs();
  };
  const runToEnd = (id: string) =>
    waitFor('the end of the job', async () => {
      await tryNow(id);
      return (await read(id)).status !== 'RUNNING';
    });
  const secondsLeft = async (id: string) =>
    (await select(`SELECT extract(epoch FROM next_batch_at - now())::float8 AS s FROM ${table} WHERE id = $1`, id))[0]
      .s;
  const madeDue = () => count(`SELECT FROM deliveries WHERE project_id = $1 AND status = 'PENDING'`, project.id);

  it('is tried less and less often, fails after 13 tries within 70 minutes, keeps what it has done, and can be started again', async () => {
    const { body, last } = await prepare();
    const heal = await poison(last, `RAISE EXCEPTION 'key sk_live_42 in SELECT 1'`);
    try {
      const id = await start(body);
      await tryNow(id);
      const reason = 'The database refused a change.';
      for (const [index, wait] of WAITS.entries()) {
        await tryNow(id);
        expect(await read(id)).toMatchObject({
          status: 'RUNNING',
          failedTries: index + 1,
          error: reason,
          completedAt: null,
        });
        expect(Math.abs((await secondsLeft(id)) - wait)).toBeLessThan(2);
        expect(await jobOf(id)).toMatchObject({
          status: 'RUNNING',
          done: BATCH,
          failedTries: index + 1,
          error: reason,
        });
      }
      await tryNow(id);
      expect(await jobOf(id)).toMatchObject({
        status: 'FAILED',
        done: BATCH,
        total: 2 * BATCH,
        failedTries: 13,
        error: reason,
        completedAt: expect.any(String),
      });
      expect(await madeDue()).toBe(BATCH);
      const audited = (await auditOf(id)).filter((entry) => entry.action === action);
      expect(audited).toEqual([
        expect.objectContaining({
          actor_type: 'SYSTEM',
          target_id: id,
          organization_id: project.owner.organizationId,
          details: { projectId: project.id, reason },
        }),
      ]);
      await heal();
      const again = await start(body);
      await runToEnd(again);
      expect(await read(again)).toMatchObject({ status: 'COMPLETED', failedTries: 0, error: null });
      expect(await madeDue()).toBe(2 * BATCH);
      expect(await read(id)).toMatchObject({ status: 'FAILED' });
    } finally {
      await run('DROP TRIGGER IF EXISTS poison ON deliveries');
    }
  });

  it('starts counting again once a batch succeeds', async () => {
    const { body, last } = await prepare();
    const heal = await poison(last, `RAISE query_canceled`);
    const id = await start(body);
    await tryNow(id);
    await tryNow(id);
    expect(await read(id)).toMatchObject({ failedTries: 1, error: 'The database took too long.' });
    await heal();
    await runToEnd(id);
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', failedTries: 0, error: null });
    expect(await count('SELECT FROM audit_log WHERE target_id = $1 AND action = $2', id, action)).toBe(0);
  });

  it('is also tried less and less often, and ends, when each try loses its connection to the database', async () => {
    const { body, last } = await prepare();
    const heal = await poison(last, `PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1)`);
    const id = await start(body);
    await tryNow(id);
    const error = 'The worker was stopped, or lost its connection to the database.';
    // A try is known to have never ended when the next one begins.
    for (const [failedTries, wait] of [...WAITS, WAITS.at(-1) as number].entries()) {
      await tryNow(id);
      expect(await read(id)).toMatchObject({ status: 'RUNNING', failedTries, error: failedTries === 0 ? null : error });
      expect(Math.abs((await secondsLeft(id)) - wait)).toBeLessThan(3);
    }
    await heal();
    await tryNow(id);
    expect(await jobOf(id)).toMatchObject({
      status: 'FAILED',
      done: BATCH,
      failedTries: 13,
      error,
      completedAt: expect.any(String),
    });
    expect(await madeDue()).toBe(BATCH);
    const audited = (await auditOf(id)).filter((entry) => entry.action === action);
    expect(audited).toEqual([
      expect.objectContaining({ actor_type: 'SYSTEM', details: { projectId: project.id, reason: error } }),
    ]);
  });

  it('goes on when workers were stopped during twelve tries and the next batch succeeds', async () => {
    const { body } = await prepare();
    const id = await start(body);
    await run(`UPDATE ${table} SET failed_tries = 11, try_began_at = now() - interval '10 minutes' WHERE id = $1`, id);
    await tryNow(id);
    expect(await read(id)).toMatchObject({ status: 'RUNNING', failedTries: 0, error: null });
    await runToEnd(id);
    expect(await read(id)).toMatchObject({ status: 'COMPLETED', failedTries: 0 });
    expect(await madeDue()).toBe(2 * BATCH);
  });

  it('keeps the count of failed tries while it waits for its target, which is no failed try', async () => {
    const { body } = await prepare();
    const id = await start(body);
    await run(`UPDATE ${table} SET failed_tries = 5, error = 'An internal error occurred.' WHERE id = $1`, id);
    await tryNow(id);
    expect(await read(id)).toMatchObject({ failedTries: 0 });
    await run(`UPDATE ${table} SET failed_tries = 5, next_batch_at = now() WHERE id = $1`, id);
    await crowd(project.id);
    for (let waits = 0; waits < 3; waits += 1) {
      await run(`UPDATE ${table} SET next_batch_at = now() WHERE id = $1`, id);
      await continueJobs();
      expect(await secondsLeft(id)).toBeLessThan(2);
      expect(await read(id)).toMatchObject({ status: 'RUNNING', failedTries: 5 });
    }
  });

  it('waits five minutes when its owner may store no more, counts no failed try, and then continues', async () => {
    const setLimit = (bytes: number) => {
      setOnce('config', { ...config(), OWNER_MAX_STORED_BYTES: bytes });
      setOnce('intake-owners', undefined);
    };
    const { body } = await prepare();
    const id = await start(body);
    await run(
      `INSERT INTO stored_bytes (project_id, day, events) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 2000000)`,
      project.id,
    );
    try {
      setLimit(1_000_000);
      await run(`UPDATE ${table} SET failed_tries = 5 WHERE id = $1`, id);
      await tryNow(id);
      expect(await jobOf(id)).toMatchObject({ status: 'RUNNING', done: 0, failedTries: 5 });
      expect(Math.abs((await secondsLeft(id)) - 300)).toBeLessThan(3);
      expect(await madeDue()).toBe(0);
      setLimit(3_000_000);
      await tryNow(id);
      expect(await jobOf(id)).toMatchObject({ done: BATCH, failedTries: 0 });
      expect(await madeDue()).toBe(BATCH);
    } finally {
      setLimit(0);
    }
  });

  it('keeps no other job of its project waiting', async () => {
    const failing = await prepare();
    const heal = await poison(failing.last, `RAISE EXCEPTION 'no'`);
    const failingId = await start(failing.body);
    await tryNow(failingId);
    const other = await start((await prepare()).body);
    await run(`UPDATE ${table} SET next_batch_at = now() - interval '1 hour' WHERE id = $1`, failingId);
    await continueJobs();
    expect(await read(failingId)).toMatchObject({ failedTries: 1 });
    await continueJobs();
    expect(await jobOf(other)).toMatchObject({ failedTries: 0, done: BATCH });
    await heal();
  });
});

it('a job whose try kills its worker has failed that try, and the next worker waits', async () => {
  const [kind] = KINDS as [Kind];
  const { body, last } = await kind.prepare();
  await poison(last, `PERFORM pg_sleep(6)`);
  try {
    const { id } = (await send<{ id: string }>('POST', kind.path, body)).json;
    const read = async () => (await send<Job>('GET', `${kind.path}/${id}`)).json;
    const worker = await startWorkerProcess();
    const ofSleeping = async (what: string) =>
      (
        await storingDatabase().query(
          `SELECT ${what} FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
        )
      ).rowCount ?? 0;
    await waitFor('the second batch', async () => (await ofSleeping('')) > 0, 60_000);
    await endProcess(worker, 'SIGKILL');
    await ofSleeping('pg_terminate_backend(pid)');
    await waitFor('the end of its session', async () => (await ofSleeping('')) === 0);
    expect(await read()).toMatchObject({ status: 'RUNNING', failedTries: 0 });
    // The next worker leaves it alone until then.
    await kind.continueJobs();
    expect(await read()).toMatchObject({ failedTries: 0 });
    await run('DROP TRIGGER poison ON deliveries');
    await run(
      `UPDATE deliveries SET next_attempt_at = now() + interval '1 hour' WHERE project_id = $1 AND status = 'PENDING'`,
      project.id,
    );
    await poison(last, `RAISE EXCEPTION 'no'`);
    await run(`UPDATE ${kind.table} SET next_batch_at = now() WHERE id = $1`, id);
    await kind.continueJobs();
    expect(await read()).toMatchObject({ status: 'RUNNING', failedTries: 2 });
  } finally {
    await run('DROP TRIGGER IF EXISTS poison ON deliveries');
  }
});

it('a worker continues the jobs of one kind while those of another always fail', async () => {
  const done = { bulkRetries: 0, eventReplays: 0 };
  await startWorker({
    continueReplays: () => Promise.reject(new Error('no')),
    continueBulkRetries: () => {
      done.bulkRetries += 1;
      return Promise.reject(new Error('neither'));
    },
    continueEventReplays: () => {
      done.eventReplays += 1;
      return Promise.resolve(null);
    },
  });
  await waitFor('several rounds', () => done.bulkRetries >= 3 && done.eventReplays >= 3);
});
