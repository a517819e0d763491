import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cellChannelSql } from '@/lib/platform/cells/cell-channel';
import { nodeUrlOf, setCellNodes } from '@/lib/platform/cells/cell-nodes';
import { currentSearchPath } from '@/lib/platform/cells/current-cell';
import { config } from '@/lib/platform/config/config';
import { sha256 } from '@/lib/platform/crypto';
import { closeDatabase, database, isCellElsewhere, storingDatabase } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { PLACED_CELL } from '@/tests/database/citus';
import { untilLockWait } from '@/tests/database/lock-waits';
import { useDatabase } from '@/tests/database/use-database';
import { useProjects } from '@/tests/fixtures/projects';
import { call } from '@/tests/http/api-request';
import { TcpProxy } from '@/tests/http/tcp-proxy';
import { type IngestRow, storeEvents } from './ingest-sql';
import type { EventSummary } from './schema';

const { url } = useDatabase();
const projects = useProjects();

const row = (key: string, idempotencyKey: string | null = null): IngestRow => ({
  keyHash: sha256(key),
  projectId: null,
  id: newId(),
  type: 'a',
  payload: '{}',
  customer: null,
  idempotencyKey,
  bodyHash: idempotencyKey === null ? null : Buffer.alloc(32),
  traceparent: null,
  clientAddress: null,
  isChecked: false,
  createdAt: new Date(),
});
const send = (apiKey: string, idempotencyKey?: string) =>
  call<EventSummary & { code: string }>('POST', '/api/v1/events', {
    apiKey,
    body: { type: 'a', data: {} },
    ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
  });
async function countEvents(ids: string[]): Promise<number> {
  const { rows } = await database().query('SELECT count(*)::int AS n FROM events WHERE id = ANY($1)', [ids]);
  return rows[0].n;
}

/** Makes each insert of an event take `seconds`, during which its transaction keeps its locks. */
async function slowDownInserts(seconds: number): Promise<void> {
  await database().query(`
    CREATE OR REPLACE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(${seconds}); RETURN NEW; END $$`);
  await database().query(`
    CREATE TRIGGER be_slow BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION be_slow()`);
}
afterEach(() => database().query('DROP TRIGGER IF EXISTS be_slow ON events'));

describe('two statements with the same new idempotency keys in opposite orders', () => {
  it('never deadlock, and store each key once', async () => {
    await slowDownInserts(0.2);
    const { mine, foreign } = projects;
    const rows = () => ['k1', 'k2', 'k3'].flatMap((key) => [row(mine.key, key), row(foreign.key, key)]);
    const options = { mayBeStored: false, lockTimeoutMs: 20_000 };
    const outcomes = await Promise.all([storeEvents(rows(), options), storeEvents(rows().reverse(), options)]);
    expect(outcomes.flat().filter(({ stored }) => stored)).toHaveLength(6);
    expect(outcomes.flat().filter(({ keyState }) => keyState === 'active')).toHaveLength(12);
  });
});

describe('an idempotency key that another transaction is inserting', () => {
  it('gets 503 with Retry-After while the rest of its batch is stored, and 202 after that transaction has ended', async () => {
    const { mine, foreign } = projects;
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO events (id, project_id, type, payload, idempotency_key) VALUES ($1, $2, 'a', '{}', 'held')`,
      [newId(), mine.id],
    );
    const held = send(mine.key, 'held');
    const others = Array.from({ length: 30 }, (_, n) => send(n % 2 === 0 ? mine.key : foreign.key, `free-${n}`));
    await untilLockWait(held);
    const responses = await Promise.all(others);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]));
    const { status, json, headers } = await held;
    expect([status, json.code]).toEqual([503, 'unavailable']);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    await other.query('ROLLBACK');
    await other.end();
    expect((await send(mine.key, 'held')).status).toBe(202);
  });

  it('does not change the lock timeout of the session', async () => {
    await storeEvents([row(projects.mine.key)], { mayBeStored: false, lockTimeoutMs: 50 });
    const { rows } = await database().query('SHOW lock_timeout');
    expect(rows[0].lock_timeout).toBe('0');
  });
});

describe('a row that is sent again', () => {
  it('counts as stored if an earlier try stored it, and is stored if not', async () => {
    const there = row(projects.mine.key);
    const fresh = row(projects.mine.key);
    await storeEvents([there], { mayBeStored: false, lockTimeoutMs: 1_000 });
    const outcomes = await storeEvents([there, fresh], { mayBeStored: true, lockTimeoutMs: 1_000 });
    expect(outcomes.map(({ stored }) => stored)).toEqual([true, true]);
    expect(await countEvents([there.id, fresh.id])).toBe(2);
  });

  it('is not stored if another event has its idempotency key', async () => {
    const options = { mayBeStored: true, lockTimeoutMs: 1_000 };
    await storeEvents([row(projects.mine.key, 'first')], options);
    const [outcome] = await storeEvents([row(projects.mine.key, 'first')], options);
    expect(outcome).toMatchObject({ stored: false, keyState: 'active' });
  });
});

describe('a connection that breaks after the statement has reached the server', () => {
  let proxy: TcpProxy;
  /** The database that stores events: on a cluster, that of the machine of their cell. */
  let stores: URL;

  beforeAll(async () => {
    stores = new URL(nodeUrlOf(currentSearchPath()) ?? url);
    proxy = new TcpProxy({ host: stores.hostname, port: Number(stores.port) });
    await proxy.open();
  });
  const storeAt = async (host: string, port: number) => {
    await closeDatabase();
    if (isCellElsewhere()) return setCellNodes([{ cell: PLACED_CELL, host, port }], true);
    const changed = Object.assign(new URL(url), { hostname: host, port: String(port) });
    setOnce('config', { ...config(), DATABASE_URL: changed.href });
  };
  const throughProxy = () => storeAt('127.0.0.1', proxy.port);
  afterEach(async () => {
    await storeAt(stores.hostname, Number(stores.port));
    await proxy.cut();
    await proxy.open();
  });

  /** Waits until an insert sleeps in the server. */
  async function untilUnderWay(watcher: pg.Client): Promise<void> {
    const question = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    while ((await watcher.query(question)).rowCount === 0) await sleep(5);
  }

  it.each([
    ['without an idempotency key', undefined],
    ['with an idempotency key', 'cut'],
  ])('stores an event %s once, and the sender gets 202', async (_, idempotencyKey) => {
    const watcher = new pg.Client({ connectionString: stores.href });
    await watcher.connect();
    await slowDownInserts(0.3);
    await throughProxy();
    const sending = send(projects.mine.key, idempotencyKey);
    await untilUnderWay(watcher);
    proxy.breakConnections();
    const { status, json, headers } = await sending;
    expect(status).toBe(202);
    expect(headers['idempotent-replayed']).toBeUndefined();
    expect(await countEvents([json.id])).toBe(1);
    const { rows } = await database().query('SELECT count(*)::int AS n FROM outbox WHERE event_id = $1', [json.id]);
    expect(rows[0].n).toBe(1);
    await watcher.end();
  });

  it('gives every event of the batch 503 with Retry-After when no other connection can be made', async () => {
    const watcher = new pg.Client({ connectionString: stores.href });
    await watcher.connect();
    await slowDownInserts(0.3);
    await throughProxy();
    const sending = Array.from({ length: 20 }, () => send(projects.mine.key));
    await untilUnderWay(watcher);
    await proxy.cut();
    for (const { status, json, headers } of await Promise.all(sending)) {
      expect([status, json.code, headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    }
    await proxy.open();
    expect((await send(projects.mine.key)).status).toBe(202);
    await watcher.end();
  });
});

describe('the notification of workers', () => {
  it('a stored event notifies the workers of its project, a refused event does not', async () => {
    const listener = await storingDatabase().connect();
    const woken: string[] = [];
    listener.on('notification', ({ payload }) => woken.push(payload ?? ''));
    const { rows } = await listener.query<{ channel: string }>(`SELECT ${cellChannelSql('eds_outbox')} AS channel`);
    await listener.query(`LISTEN ${rows[0]?.channel}`);
    const body = { type: 'a', data: {} };
    await call('POST', '/api/v1/events', { apiKey: projects.mine.readOnlyKey, body });
    await listener.query('SELECT 1');
    expect(woken).toEqual([]);
    await call('POST', '/api/v1/events', { apiKey: projects.mine.key, body });
    await listener.query('SELECT 1');
    expect(woken).toEqual([projects.mine.id]);
    listener.release(true);
  });
});
