import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { startReceiver, waitFor } from '@/tests/http/receiver';
import { endProcess, untilReady, useProcesses } from '@/tests/processes/entry-process';
import { call, sendUntilStopped, setUpProject } from '@/tests/processes/traffic';
import { testVariables } from '@/tests/setup/variables';
import { startBalancer } from './start-balancer';
import { useWebProcesses } from './web-processes';

const EVERY_SECOND = '* * * * * *';
/** Every process of a deployment has the same public address, which its access tokens name. */
const variables = { ...testVariables(), APP_BASE_URL: 'http://localhost:3000' };
const db = useDatabase(variables);
const environment = () => ({ ...variables, DATABASE_URL: db.url });
const startWebs = useWebProcesses(environment);
const startWorker = useProcesses('scripts/worker.ts', environment);
const startRetention = useProcesses('scripts/retention.ts', environment);

afterEach(() =>
  database().query('TRUNCATE organizations, users, events, deliveries, outbox, mails, retention_runs CASCADE'),
);

/** Starts two of each part behind a balancer. Retention runs its main job and the cap each second. */
async function startAll() {
  const crons = { DATA_RETENTION_CRON: EVERY_SECOND, DATA_RETENTION_LIMIT_CRON: EVERY_SECOND };
  const startTwo = (start: () => ReturnType<typeof startWorker>) => Promise.all([1, 2].map(() => untilReady(start())));
  const [webs, workers, retentions] = await Promise.all([
    startWebs(),
    startTwo(() => startWorker([], { LOG_LEVEL: 'debug' })),
    startTwo(() => startRetention([], crons)),
  ]);
  const balancer = await startBalancer(webs.map(({ port }) => port));
  return { balancer, webs, workers, retentions };
}

/** Counts the deadlocks of the database since it was made. */
const countDeadlocks = async () =>
  Number(
    (await database().query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')).rows[0]
      ?.deadlocks,
  );

/** Counts the attempts that a worker records from now on, by its log. */
function countAttempts({ stdout }: ChildProcess): () => number {
  let log = '';
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  return () => log.split('"attempt recorded"').length - 1;
}

/** Counts the pairs of runs of one lock that overlapped. */
const countOverlaps = async () =>
  (
    await database().query(
      `SELECT FROM retention_runs a JOIN retention_runs b ON a.job = b.job AND a.id < b.id
       WHERE b.started_at < coalesce(a.ended_at, a.started_at) AND a.started_at < coalesce(b.ended_at, b.started_at)`,
    )
  ).rowCount;

describe('two web, two worker and two retention processes on one database', () => {
  it('send each event once, shared by the workers, run each job once at a time, and never deadlock', async () => {
    const deadlocks = await countDeadlocks();
    const receiver = await startReceiver((response) => setTimeout(() => response.end('ok'), 5));
    const { balancer, workers } = await startAll();
    const countsOfWorkers = workers.map(countAttempts);
    const project = await setUpProject(balancer.origin, receiver.url);
    const send = (n: number) =>
      call(balancer.origin, 'POST', '/events', { 'X-API-Key': project.key }, { type: 'order.paid', data: { n } });
    const sent: string[] = [];
    for (let batch = 0; batch < 15; batch++) {
      sent.push(...(await Promise.all(Array.from({ length: 20 }, (_, n) => send(n)))).map(({ id }) => id));
    }
    await waitFor('the deliveries', () => receiver.received.length >= sent.length, 60_000);
    // A second request for the same event would come within the lease that the first worker holds.
    await sleep(1_000);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids.toSorted()).toEqual(sent.toSorted());
    expect(balancer.counts.every((count) => count > 120)).toBe(true);
    const attempts = await database().query('SELECT count(*)::int AS count FROM delivery_attempts');
    expect(attempts.rows).toEqual([{ count: sent.length }]);
    const shares = countsOfWorkers.map((count) => count());
    expect(shares.reduce((sum, count) => sum + count)).toBe(sent.length);
    expect(Math.min(...shares)).toBeGreaterThan(sent.length / 20);

    await waitFor('runs of the jobs', async () => {
      const { rows } = await database().query(
        `SELECT count(*)::int AS runs FROM retention_runs GROUP BY job HAVING count(*) > 3`,
      );
      return rows.length >= 2;
    });
    expect(await countOverlaps()).toBe(0);
    expect(await countDeadlocks()).toBe(deadlocks);
  });

  it('lose nothing when one of each is killed under load, and each other one continues', async () => {
    const receiver = await startReceiver((response) => setTimeout(() => response.end('ok'), 5));
    const { balancer, webs, workers, retentions } = await startAll();
    const project = await setUpProject(balancer.origin, receiver.url);
    const traffic = sendUntilStopped(project);
    const victims = [webs[0].child, workers[0], retentions[0]].filter((child) => child !== undefined);
    for (const victim of victims) {
      const { size } = traffic.stored;
      await expect.poll(() => traffic.stored.size).toBeGreaterThan(size + 50);
      await endProcess(victim, 'SIGKILL');
    }
    const { size } = traffic.stored;
    await expect.poll(() => traffic.stored.size).toBeGreaterThan(size + 100);
    await traffic.stop();
    // Only what the killed web process had in hand gets no answer.
    expect(traffic.faults.filter((fault) => fault !== 'fetch failed')).toEqual([]);
    const isComplete = () => {
      const received = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
      return [...traffic.stored].every((id) => received.has(id));
    };
    // What the killed worker had in hand is due when its leases end, after 30 s at most.
    await waitFor('every delivery', isComplete, 60_000);
    const [{ now }] = (await database().query('SELECT now()')).rows as [{ now: Date }];
    const runsSince = 'SELECT FROM retention_runs WHERE started_at > $1 AND ended_at IS NOT NULL AND error IS NULL';
    await waitFor('the other retention', async () => ((await database().query(runsSince, [now])).rowCount ?? 0) > 1);
    expect(await countOverlaps()).toBe(0);
  });
});
