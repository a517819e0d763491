import os from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { ADMIN_TOKEN, callAsOperator } from '@/tests/fixtures/operator';
import { call } from '@/tests/http/api-request';
import { waitFor } from '@/tests/http/receiver';
import { scrapeNow } from '@/tests/monitoring/exposition';
import { endProcess, useWorkerProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';
import { startHeartbeat } from './heartbeat';
import { listWorkers } from './worker-liveness';

const { url } = useDatabase({ PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN });
const startWorkerProcess = useWorkerProcesses(() => ({ ...testVariables(), DATABASE_URL: url }));

const list = () => listWorkers(database());
const age = (id: string, interval: string) =>
  database().query('UPDATE workers SET last_seen_at = now() - $2::interval WHERE id = $1', [id, interval]);
const quiet = () => ({ underWay: 0, waiting: 0 });

async function beatOnce(status = quiet) {
  const heartbeat = await startHeartbeat(status, 60_000);
  onTestFinished(heartbeat.stop);
  return heartbeat;
}

describe('a worker process', () => {
  it('has a row, which a clean stop deletes, and which counts as dead 30 seconds after a kill', async () => {
    const [stopped, killed] = await Promise.all([startWorkerProcess(), startWorkerProcess()]);
    const rows = await list();
    expect(rows.map(({ pid, alive, hostname }) => ({ pid, alive, hostname }))).toEqual(
      expect.arrayContaining([stopped, killed].map(({ pid }) => ({ pid, alive: true, hostname: os.hostname() }))),
    );
    expect(rows).toHaveLength(2);
    await endProcess(killed, 'SIGKILL');
    expect(await endProcess(stopped, 'SIGTERM')).toBe(0);
    const [left, ...others] = await list();
    expect([left?.pid, others]).toEqual([killed.pid, []]);
    await age(left?.id ?? '', '29 s');
    expect((await list())[0]?.alive).toBe(true);
    await age(left?.id ?? '', '31 s');
    expect((await list())[0]?.alive).toBe(false);
    await database().query('DELETE FROM workers');
  });

  it('updates its row with its state', async () => {
    const worker = await startWorkerProcess();
    const [first] = await list();
    await waitFor(
      'the next beat',
      async () => +((await list())[0]?.lastSeenAt ?? 0) > +(first?.lastSeenAt ?? 0),
      20_000,
    );
    const [row] = await list();
    expect(row).toMatchObject({ id: first?.id, startedAt: first?.startedAt, underWay: 0, waiting: 0 });
    expect(Math.abs(Date.now() - +(row?.lastPassAt ?? 0))).toBeLessThan(30_000);
    await endProcess(worker, 'SIGTERM');
  });
});

describe('a heartbeat', () => {
  it('deletes rows that are older than a day, and no others', async () => {
    const insert = (seen: string) =>
      database().query<{ id: string }>(
        `INSERT INTO workers (id, hostname, pid, version, under_way, waiting, last_seen_at)
         VALUES ($1, 'h', 1, '1', 0, 0, now() - $2::interval) RETURNING id`,
        [newId(), seen],
      );
    const [old, young] = await Promise.all([insert('25 h'), insert('23 h')]);
    await beatOnce();
    const ids = (await list()).map(({ id }) => id);
    expect([old, young].map(({ rows }) => ids.includes(rows[0]?.id ?? ''))).toEqual([false, true]);
    await database().query('DELETE FROM workers');
  });

  it('appears in the operator’s stats, in /metrics and in readiness', async () => {
    expect((await call('GET', '/api/health/ready')).json).toMatchObject({
      status: 'degraded',
      parts: { database: 'ok', ingest: 'ok', worker: 'missing' },
    });
    const { id } = await beatOnce(() => ({ underWay: 3, waiting: 4 }));
    const stats = async () => (await callAsOperator<{ workers: { alive: boolean }[] }>('GET', '/stats')).json.workers;
    expect(await stats()).toEqual([
      expect.objectContaining({ id, pid: process.pid, alive: true, underWay: 3, waiting: 4, lastPassAt: null }),
    ]);
    const alive = async () => Object.values((await scrapeNow()).get('workers_alive')?.samples ?? {});
    expect(await alive()).toEqual([1]);
    const ready = async () => (await call('GET', '/api/health/ready')).json;
    await expect.poll(ready).toMatchObject({ status: 'ok', parts: { worker: 'ok' } });
    await age(id, '31 s');
    expect((await stats())[0]?.alive).toBe(false);
    expect(await alive()).toEqual([0]);
    const [lastSeen] = Object.values((await scrapeNow()).get('worker_last_seen_timestamp_seconds')?.samples ?? {});
    expect(Number(lastSeen)).toBeLessThan(Date.now() / 1000 - 20);
    await expect
      .poll(ready, { timeout: 10_000 })
      .toMatchObject({ status: 'degraded', parts: { database: 'ok', worker: 'stale' } });
    expect((await call('GET', '/api/health/ready')).status).toBe(200);
  });

  it('is listed with at most a hundred others, the live ones first', async () => {
    await database().query(
      `INSERT INTO workers (id, hostname, pid, version, under_way, waiting, last_seen_at)
       SELECT gen_random_uuid(), 'h', n, '1', 0, 0, now() - interval '1 h' FROM generate_series(1, 120) n`,
    );
    const { id } = await beatOnce();
    const rows = await list();
    expect([rows.length, rows[0]?.id]).toEqual([100, id]);
  });
});
