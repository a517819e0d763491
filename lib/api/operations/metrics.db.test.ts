import { describe, expect, it } from 'vitest';
import { config } from '@/lib/platform/config/config';
import { closeDatabase } from '@/lib/platform/db';
import { setOnce } from '@/lib/platform/globals';
import { useDatabase } from '@/tests/database/use-database';
import { call } from '@/tests/http/api-request';
import { parseExposition } from '@/tests/monitoring/exposition';

useDatabase();

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
