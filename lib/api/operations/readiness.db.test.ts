import { expect, it } from 'vitest';
import { IngestBatcher } from '@/lib/events/ingest-batcher';
import { setOnce } from '@/lib/platform/globals';
import { markStopping } from '@/lib/platform/stopping';
import { useDatabase } from '@/tests/database/use-database';
import { admitAll, ingestRow } from '@/tests/fixtures/ingest-rows';
import { call } from '@/tests/http/api-request';

useDatabase();

class WaitingBatcher extends IngestBatcher {
  constructor(private readonly waitedMs: number) {
    super(async () => [], admitAll);
  }

  override get oldestWaitMs(): number {
    return this.waitedMs;
  }
}

it('a process is not ready while events wait for seconds to be stored, and ready otherwise', async () => {
  setOnce('ingest-batcher', new WaitingBatcher(5_001));
  const stalled = await call<{ parts: Record<string, string> }>('GET', '/api/health/ready');
  expect(stalled).toMatchObject({ status: 503, json: { parts: { database: 'ok', ingest: 'stalled' } } });
  setOnce('ingest-batcher', new WaitingBatcher(4_999));
  expect(await call('GET', '/api/health/ready')).toMatchObject({ status: 200 });
});

it('the wait of an event that cannot be stored counts from its arrival', async () => {
  const batcher = new IngestBatcher(() => new Promise(() => undefined), admitAll);
  setOnce('ingest-batcher', batcher);
  batcher.add(ingestRow()).catch(() => undefined);
  await expect.poll(() => batcher.oldestWaitMs).toBeGreaterThan(20);
  expect(await call('GET', '/api/health/ready')).toMatchObject({ status: 200 });
});

it('a process that was told to stop is not ready and still alive', async () => {
  expect(await call('GET', '/api/health/ready')).toMatchObject({ status: 200 });
  markStopping();
  const stopping = await call<{ parts: Record<string, string> }>('GET', '/api/health/ready');
  expect(stopping).toMatchObject({ status: 503, json: { code: 'unavailable', parts: { web: 'stopping' } } });
  expect(await call('GET', '/api/health/live')).toMatchObject({ status: 200 });
});
