import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { settleBackground } from '@/lib/platform/background';
import { database, inSqlTransaction } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { metricsRegistry } from '@/lib/platform/metrics';
import type { Tunnel } from '@/lib/tunnel/schema';
import { untilLockWait } from '@/tests/database/lock-waits';
import { useDatabase } from '@/tests/database/use-database';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { logRequest, makeEntry, makeTunnel } from '@/tests/fixtures/tunnels';
import { toLogRow } from './log-row';
import { storeRequests } from './record-request';

useDatabase();

let project: TestProject;
let tunnel: Tunnel;
beforeEach(async () => {
  project = await makeTestProject();
  tunnel = await makeTunnel(project);
});

const rows = async () =>
  (await database().query('SELECT * FROM tunnel_request_log WHERE tunnel_id = $1 ORDER BY id', [tunnel.id])).rows;
const droppedCount = async () =>
  (await metricsRegistry().getSingleMetric('tunnel_log_dropped_total')?.get())?.values[0]?.value ?? 0;

describe('a request to a tunnel', () => {
  it('is logged with everything that is known about it', async () => {
    const first = logRequest(tunnel, project.id);
    const second = logRequest(tunnel, project.id, {
      responseStatus: null,
      responseSize: null,
      error: 'tunnel_timeout',
      requestBody: { bytes: Buffer.from([0, 255]), truncated: true },
      responseHeaders: null,
      responseBody: null,
      replayOf: first.id,
    });
    await settleBackground();
    expect(await rows()).toMatchObject([
      {
        id: first.id,
        project_id: project.id,
        method: 'POST',
        path: '/hook?try=1',
        response_status: 200,
        duration_ms: 12,
        request_size: 7,
        response_size: 2,
        error: null,
        request_headers: '[["content-type","application/json"]]',
        request_body: Buffer.from('{"a":1}'),
        request_body_truncated: false,
        response_body: Buffer.from('ok'),
        created_at: first.startedAt,
        replay_of: null,
      },
      {
        id: second.id,
        response_status: null,
        response_size: null,
        error: 'tunnel_timeout',
        replay_of: first.id,
        request_body: Buffer.from([0, 255]),
        request_body_truncated: true,
        response_headers: null,
        response_body: null,
        response_body_truncated: false,
      },
    ]);
  });

  it('is logged once, even if its batch is written twice', async () => {
    const made = [toLogRow(makeEntry({ projectId: project.id, tunnelId: tunnel.id }))];
    await storeRequests(database(), made);
    await storeRequests(database(), made);
    expect(await rows()).toHaveLength(1);
  });

  it('is not logged for a tunnel that is deleted, of another project, or unknown; the rest of its batch is', async () => {
    const other = await makeTestProject();
    const deleted = await makeTunnel(project);
    await database().query('DELETE FROM tunnels WHERE id = $1', [deleted.id]);
    logRequest(deleted, project.id);
    logRequest(tunnel, other.id);
    const kept = logRequest(tunnel, project.id);
    await settleBackground();
    expect((await rows()).map(({ id }) => id)).toEqual([kept.id]);
    const { rows: all } = await database().query('SELECT id FROM tunnel_request_log WHERE tunnel_id = $1', [
      deleted.id,
    ]);
    expect(all).toEqual([]);
  });

  it('is not added after its tunnel is deleted', async () => {
    const made = [toLogRow(makeEntry({ projectId: project.id, tunnelId: tunnel.id }))];
    let writing: Promise<void> | undefined;
    await inSqlTransaction(async (tx) => {
      await tx.query('DELETE FROM tunnels WHERE id = $1', [tunnel.id]);
      await tx.query('DELETE FROM tunnel_request_log WHERE tunnel_id = $1', [tunnel.id]);
      writing = storeRequests(database(), made);
      await untilLockWait(writing);
    });
    await writing;
    expect(await rows()).toEqual([]);
  });
});

describe('while requests cannot be written', () => {
  afterEach(() => database().query('ALTER TABLE tunnel_request_log DROP CONSTRAINT IF EXISTS takes_nothing'));

  it('counts those that are lost, and resumes logging later', async () => {
    await database().query('ALTER TABLE tunnel_request_log ADD CONSTRAINT takes_nothing CHECK (false) NOT VALID');
    const before = await droppedCount();
    for (let n = 0; n < 3; n++) logRequest(tunnel, project.id);
    await settleBackground();
    expect(await droppedCount()).toBe(before + 3);
    await database().query('ALTER TABLE tunnel_request_log DROP CONSTRAINT takes_nothing');
    logRequest(tunnel, project.id);
    await settleBackground();
    expect(await rows()).toHaveLength(1);
  });
});

describe('the bodies of a flood', () => {
  it('are dropped beyond 16 MiB a minute for all tunnels of an owner, but the requests are logged', async () => {
    const body = { bytes: Buffer.alloc(65_536, 'x'), truncated: false };
    const second = await makeTunnel(project);
    for (let n = 0; n < 300; n++) {
      logRequest(n < 150 ? second : tunnel, project.id, { requestBody: body, responseBody: null });
    }
    await settleBackground();
    const kept = (await rows()).map(({ request_body }) => request_body !== null);
    expect(kept).toHaveLength(150);
    expect(kept.filter(Boolean)).toHaveLength(105);
  });
});

describe('while storage is nearly full', () => {
  it('requests are counted as dropped, and logged again once there is room', async () => {
    const before = await droppedCount();
    setOnce('storage-room', { isNearlyFull: true });
    onTestFinished(() => setOnce('storage-room', undefined));
    logRequest(tunnel, project.id);
    await settleBackground();
    expect([await rows(), await droppedCount()]).toEqual([[], before + 1]);
    setOnce('storage-room', undefined);
    logRequest(tunnel, project.id);
    await settleBackground();
    expect(await rows()).toHaveLength(1);
  });
});

describe('the headers and paths of a flood', () => {
  it('are dropped beyond 16 MiB a minute, but the requests are logged', async () => {
    const many: [string, string][] = [['x', 'x'.repeat(30_000)]];
    for (let sent = 0; sent < 400; sent++) {
      logRequest(tunnel, project.id, { path: `/${'p'.repeat(30_000)}`, requestHeaders: many, responseHeaders: many });
    }
    await settleBackground();
    const logged = await rows();
    expect(logged).toHaveLength(400);
    const kept = logged.filter((row) => row.request_headers !== null);
    const bytes = logged.reduce((sum, row) => sum + row.path.length + (row.request_headers?.length ?? 0) * 2, 0);
    expect(kept.length).toBeGreaterThan(100);
    expect(bytes).toBeLessThan(17 * 1024 * 1024);
    expect(logged.at(-1)).toMatchObject({ request_headers: null, response_headers: null, method: 'POST' });
  });
});

describe('the rows of a flood', () => {
  const count = async (error: string | null) =>
    (
      await database().query(
        'SELECT count(*)::int AS count FROM tunnel_request_log WHERE tunnel_id = $1 AND error IS NOT DISTINCT FROM $2',
        [tunnel.id, error],
      )
    ).rows[0].count as number;

  it('are written up to 20,000 a minute, and counted beyond', async () => {
    const before = await droppedCount();
    for (let batch = 0; batch < 7; batch++) {
      for (let n = 0; n < 3_000; n++) logRequest(tunnel, project.id, { requestBody: null, responseBody: null });
      await settleBackground();
    }
    expect(await count(null)).toBe(20_000);
    expect((await droppedCount()) - before).toBe(1_000);
    const other = await makeTunnel(project);
    const kept = logRequest(other, project.id);
    await settleBackground();
    const { rows: found } = await database().query('SELECT id FROM tunnel_request_log WHERE id = $1', [kept.id]);
    expect(found).toHaveLength(1);
  });

  it('are 600 a minute for requests that are refused, and for those that no client takes, each apart', async () => {
    for (let n = 0; n < 1_000; n++) logRequest(tunnel, project.id, { error: 'unauthenticated', requestHeaders: null });
    for (let n = 0; n < 10; n++) logRequest(tunnel, project.id, { error: 'tunnel_offline' });
    for (let n = 0; n < 10; n++) logRequest(tunnel, project.id);
    await settleBackground();
    expect([await count('unauthenticated'), await count('tunnel_offline'), await count(null)]).toEqual([600, 10, 10]);
  });

  it('of refused requests use nothing of the bytes that bodies may have', async () => {
    const path = `/${'p'.repeat(32_000)}`;
    for (let n = 0; n < 600; n++) logRequest(tunnel, project.id, { error: 'forbidden', requestHeaders: null, path });
    const kept = logRequest(tunnel, project.id, {
      requestBody: { bytes: Buffer.alloc(65_536, 'x'), truncated: false },
    });
    await settleBackground();
    const found = (await rows()).find(({ id }) => id === kept.id);
    expect(found?.request_body).toHaveLength(65_536);
  });
});
