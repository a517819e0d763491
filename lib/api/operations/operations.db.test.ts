import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { IngestBatcher, ownerOfKey, prepareForKey } from '@/lib/events/ingest-batcher';
import { admitIntake } from '@/lib/orgs/admit-intake';
import { ownerOfProject } from '@/lib/orgs/tenant';
import { currentSearchPath } from '@/lib/platform/cells/current-cell';
import { config } from '@/lib/platform/config/config';
import { sha256 } from '@/lib/platform/crypto';
import { closeDatabase, database } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { markStopping } from '@/lib/platform/process';
import { databaseSize } from '@/lib/platform/session-sql';
import { storageRoom } from '@/lib/platform/storage-room';
import { rollUpStats } from '@/lib/stats/roll-up';
import { useDatabase } from '@/tests/database/use-database';
import { admitAll } from '@/tests/fixtures/ingest-rows';
import { asPerson, PASSWORD } from '@/tests/fixtures/people';
import { makeKey, makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { type MadeSource, sourceTools } from '@/tests/fixtures/sources';
import { call, type Problem } from '@/tests/http/api-request';
import { parseExposition } from '@/tests/monitoring/exposition';

useDatabase();

describe('with small budgets', () => {
  const KIB = 1024;

  let project: TestProject;

  let source: MadeSource;

  const { makeSource, post } = sourceTools(() => project);

  const setLimits = (limits: object) => setOnce('config', { ...config(), ...limits });

  const sendEvent = (chars = 2, { key } = project) =>
    call<Problem>('POST', '/api/v1/events', { apiKey: key, body: { type: 'a', data: { text: 'x'.repeat(chars) } } });

  const outcomeOf = ({ status, json, headers }: Awaited<ReturnType<typeof sendEvent>>) =>
    [status, json.code, Number(headers['retry-after'] ?? 0) > 0] as const;

  beforeEach(async () => {
    setLimits({ OWNER_MAX_STORED_BYTES: 0, OWNER_MAX_INTAKE_BYTES_PER_MINUTE: 0, DATABASE_MAX_BYTES: 0 });
    setOnce('storage-room', undefined);
    project = await makeTestProject();
    source = await makeSource();
    await ownerOfProject(project.id);
    // The process learns the project of the key.
    await sendEvent();
    setOnce('intake-owners', undefined);
  });

  describe('the bytes of an owner', () => {
    it('are those of events and of requests to sources: beyond the limit of a minute both get 429, and others do not', async () => {
      setLimits({ OWNER_MAX_INTAKE_BYTES_PER_MINUTE: 10 * KIB });
      const other = await makeTestProject();
      await sendEvent(2, other);
      expect((await sendEvent(5 * KIB)).status).toBe(202);
      expect((await post(source, 'x'.repeat(5 * KIB))).status).toBe(202);
      expect(outcomeOf(await sendEvent())).toEqual([429, 'rate_limited', true]);
      expect(outcomeOf(await post(source, 'x'))).toEqual([429, 'rate_limited', true]);
      expect((await sendEvent(2, other)).status).toBe(202);
      const figures = parseExposition((await call('GET', '/metrics')).text).get('intake_refused_total');
      expect(figures?.samples['intake_refused_total{reason="owner_bytes_per_minute"}']).toBeGreaterThan(0);
    });

    it('include those of the first event that this process receives', async () => {
      for (const name of ['key-projects', 'ingest-batchers', 'tenants-of-projects']) setOnce(name, undefined);
      await prepareForKey(sha256(project.key));
      expect(ownerOfKey(sha256(project.key))).toBe(project.owner.userId);
      await prepareForKey(sha256(project.readOnlyKey));
      expect(ownerOfKey(sha256(project.readOnlyKey))).toBeUndefined();
    });

    it('are those of all of its keys, also of one that this process has not seen', async () => {
      setLimits({ OWNER_MAX_INTAKE_BYTES_PER_MINUTE: 10 * KIB });
      const { key } = await makeKey(project.id, project.owner, { name: 'another' });
      expect((await sendEvent(10 * KIB)).status).toBe(202);
      expect(outcomeOf(await sendEvent(2, { ...project, key }))).toEqual([429, 'rate_limited', true]);
    });

    it.each([
      ['revoked', [401, 'api_key_revoked'], { revoked_at: 'now()' }],
      ['expired', [401, 'api_key_expired'], { expires_at: 'now()' }],
      ['read-only', [403, 'read_only_key'], { scope: `'READ_ONLY'` }],
    ] as const)(
      'are not what a key sends that is %s, which is refused for that beyond the limit too',
      async (_, refusal, change) => {
        setLimits({ OWNER_MAX_INTAKE_BYTES_PER_MINUTE: 10 * KIB });
        const { id, key } = await makeKey(project.id, project.owner, { name: 'leaked' });
        const [[column, value] = []] = Object.entries(change);
        await database().query(`UPDATE api_keys SET ${column} = ${value} WHERE id = $1`, [id]);
        const abuse = async () => outcomeOf(await sendEvent(10 * KIB, { ...project, key }));
        for (let n = 0; n < 4; n++) expect(await abuse()).toEqual([...refusal, false]);
        expect((await sendEvent(10 * KIB)).status).toBe(202);
        expect(outcomeOf(await sendEvent())).toEqual([429, 'rate_limited', true]);
        expect(await abuse()).toEqual([...refusal, false]);
      },
    );

    it('are not what a key sends later that was revoked after this process learned its project', async () => {
      setLimits({ OWNER_MAX_INTAKE_BYTES_PER_MINUTE: 10 * KIB });
      await database().query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [project.keyId]);
      for (let n = 0; n < 3; n++) {
        expect(outcomeOf(await sendEvent(9 * KIB))).toEqual([401, 'api_key_revoked', false]);
      }
    });

    it('count in every process once they are rolled up', async () => {
      setLimits({ OWNER_MAX_STORED_BYTES: 20 * KIB });
      expect((await sendEvent(12 * KIB)).status).toBe(202);
      expect((await post(source, 'x'.repeat(12 * KIB))).status).toBe(202);
      while (await rollUpStats());
      // Another process has not counted them itself.
      setOnce('intake-owners', undefined);
      await expect.poll(async () => outcomeOf(await sendEvent())).toEqual([429, 'rate_limited', true]);
      expect(outcomeOf(await post(source, 'x'))).toEqual([429, 'rate_limited', true]);
      // Another owner begins its minute after a pause of this one.
      vi.useFakeTimers({ toFake: ['performance'] });
      onTestFinished(() => void vi.useRealTimers());
      vi.advanceTimersByTime(3_600_000);
      admitIntake(newId(), 1);
      expect(() => admitIntake(project.id, 1)).toThrow('This account has stored as much as it may.');
    });
  });

  describe('while storage is nearly full', () => {
    beforeEach(async () => {
      setLimits({ DATABASE_MAX_BYTES: 1 });
      setOnce('storage-room', undefined);
      await storageRoom().readDue();
    });

    it('events and requests to sources get 503, and are taken in again once there is room', async () => {
      expect(outcomeOf(await sendEvent())).toEqual([503, 'unavailable', true]);
      expect(outcomeOf(await post(source, 'x'))).toEqual([503, 'unavailable', true]);
      setLimits({ DATABASE_MAX_BYTES: Number.MAX_SAFE_INTEGER });
      setOnce('storage-room', undefined);
      await storageRoom().readDue();
      expect([(await sendEvent()).status, (await post(source, 'x')).status]).toEqual([202, 202]);
    });

    it('deliveries wait once the database exceeds DATABASE_MAX_BYTES by 7.5 %', async () => {
      const bytes = Number((await databaseSize.one(database())).bytes);
      const isExhaustedWith = async (max: number) => {
        setLimits({ DATABASE_MAX_BYTES: Math.floor(max) });
        setOnce('storage-room', undefined);
        await storageRoom().readDue();
        return storageRoom().isExhausted;
      };
      expect([await isExhaustedWith(bytes / 1.09), await isExhaustedWith(bytes / 1.05)]).toEqual([true, false]);
    });

    it('people can still read, sign in and delete', async () => {
      const { owner, id, key } = project;
      const body = { email: owner.email, password: PASSWORD };
      const statuses = [
        await call('GET', `/api/v1/projects/${id}/events`, { apiKey: key }),
        await call('POST', '/api/v1/auth/login', { body }),
        await call('DELETE', `/api/v1/projects/${id}/sources/${source.id}`, asPerson(owner)),
      ].map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 204]);
    });

    it('readiness is degraded, and metrics tell', async () => {
      const ready = await call('GET', '/api/health/ready');
      expect(ready).toMatchObject({ status: 200, json: { status: 'degraded', parts: { storage: 'nearly_full' } } });
      // The text of an earlier test may be a second old.
      setOnce('metrics-text', undefined);
      const metrics = parseExposition((await call('GET', '/metrics')).text);
      expect(metrics.get('intake_stopped')?.samples).toEqual({ intake_stopped: 1 });
      expect(metrics.get('storage_left_bytes')?.samples).toEqual({ storage_left_bytes: 0 });
    });
  });
});

const TOKEN = 'a-token-for-prometheus';

async function scrape() {
  setOnce('metrics-text', undefined);
  const { status, headers, text } = await call('GET', '/metrics');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  return parseExposition(text);
}

describe('GET /metrics', () => {
  it('asks for METRICS_TOKEN when it is set', async () => {
    const open = config();
    setOnce('config', { ...open, METRICS_TOKEN: TOKEN });
    const refused = [await call('GET', '/metrics'), await call('GET', '/metrics', { bearer: `${TOKEN}x` })];
    const allowed = await call('GET', '/metrics', { bearer: TOKEN });
    setOnce('config', open);
    for (const { status, text } of refused) {
      expect(status).toBe(401);
      expect(text).not.toContain('table_rows');
    }
    expect(allowed.status).toBe(200);
  });

  it('answers with the last figures while the database is unreachable, and counts the failed read', async () => {
    const before = await scrape();
    const working = config();
    await closeDatabase();
    setOnce('config', { ...working, DATABASE_URL: 'postgresql://nobody:secret@127.0.0.1:1/none' });
    const meanwhile = await scrape();
    await closeDatabase();
    setOnce('config', working);
    expect(meanwhile.get('worker_attempts_total')).toEqual(before.get('worker_attempts_total'));
    expect(meanwhile.get('events_table_rows')).toEqual(before.get('events_table_rows'));
    const failures = 'metrics_collection_failures_total{collector="shared_counters"}';
    expect(meanwhile.get('metrics_collection_failures_total')?.samples[failures]).toBe(1);
    expect((await scrape()).get('metrics_collection_failures_total')?.samples[failures]).toBe(1);
  });
});

class WaitingBatcher extends IngestBatcher {
  constructor(private readonly waitedMs: number) {
    super(async () => [], admitAll);
  }

  override get oldestWaitMs(): number {
    return this.waitedMs;
  }
}

it('a process is not ready while events wait for seconds to be stored, and ready otherwise', async () => {
  setOnce('ingest-batchers', new Map([[currentSearchPath(), new WaitingBatcher(5_001)]]));
  const stalled = await call<{ parts: Record<string, string> }>('GET', '/api/health/ready');
  expect(stalled).toMatchObject({ status: 503, json: { parts: { database: 'ok', ingest: 'stalled' } } });
  setOnce('ingest-batchers', new Map([[currentSearchPath(), new WaitingBatcher(4_999)]]));
  expect(await call('GET', '/api/health/ready')).toMatchObject({ status: 200 });
});

it('a process that was told to stop is not ready and still alive', async () => {
  expect(await call('GET', '/api/health/ready')).toMatchObject({ status: 200 });
  markStopping();
  const stopping = await call<{ parts: Record<string, string> }>('GET', '/api/health/ready');
  expect(stopping).toMatchObject({ status: 503, json: { code: 'unavailable', parts: { web: 'stopping' } } });
  expect(await call('GET', '/api/health/live')).toMatchObject({ status: 200 });
});
