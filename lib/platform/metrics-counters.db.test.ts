import { describe, expect, it } from 'vitest';
import { database, type Sql } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { countMetric, flushMetrics } from './metrics-counters';

useDatabase();

async function read(name: string): Promise<Record<string, number>> {
  const { rows } = await database().query<{ label: string; value: string }>(
    'SELECT label, value FROM metric_counters WHERE name = $1',
    [name],
  );
  return Object.fromEntries(rows.map(({ label, value }) => [label, Number(value)]));
}

describe('a counter', () => {
  it('is added to the counts of all processes', async () => {
    countMetric('test_total', 'a');
    countMetric('test_total', 'a', 2);
    countMetric('test_total', 'b');
    await flushMetrics();
    countMetric('test_total', 'a', 10);
    await flushMetrics();
    await flushMetrics();
    expect(await read('test_total')).toEqual({ a: 13, b: 1 });
  });

  it('loses nothing when the database fails', async () => {
    const away = { query: () => Promise.reject(new Error('connection refused')) } as unknown as Sql;
    countMetric('kept_total', '', 3);
    await expect(flushMetrics(away)).rejects.toThrow('connection refused');
    countMetric('kept_total', '', 4);
    await flushMetrics();
    expect(await read('kept_total')).toEqual({ '': 7 });
  });

  it('is correct when many processes flush at once', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        countMetric('many_total', 'x');
        countMetric('many_total', 'y');
        await flushMetrics();
      }),
    );
    await flushMetrics();
    expect(await read('many_total')).toEqual({ x: 20, y: 20 });
  });
});
