import { beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { parseExposition } from '@/tests/monitoring/exposition';
import { database, type Sql } from './db';
import { setOnce } from './globals';
import { metricsRegistry } from './metrics';
import { runCollectors } from './metrics-collectors';
import { countMetric, flushMetrics } from './metrics-counters';
import { type SharedCounter, sharedCounters } from './shared-counters';

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

const DESCRIBED: SharedCounter[] = [
  { name: 'fish_caught_total', help: 'Fish caught', label: 'sea', labelValues: ['north', 'baltic'] },
  { name: 'herring_total', help: 'Fish of the Baltic', of: { name: 'fish_caught_total', label: 'baltic' } },
  { name: 'nets_torn_total', help: 'Nets torn' },
];

beforeEach(async () => {
  setOnce('metrics-registry', undefined);
  await database().query('TRUNCATE metric_counters');
});

async function scrape() {
  await runCollectors([sharedCounters(DESCRIBED)]);
  return parseExposition(await metricsRegistry().metrics());
}

async function count(name: string, label: string, by: number) {
  countMetric(name, label, by);
  await flushMetrics();
}

describe('counters of all processes', () => {
  it('start at 0 before the first count', async () => {
    const metrics = await scrape();
    expect(metrics.get('fish_caught_total')).toEqual({
      type: 'counter',
      help: 'Fish caught',
      samples: { 'fish_caught_total{sea="north"}': 0, 'fish_caught_total{sea="baltic"}': 0 },
    });
    expect(metrics.get('nets_torn_total')).toMatchObject({ type: 'counter', samples: { nets_torn_total: 0 } });
    expect(metrics.get('herring_total')).toMatchObject({ type: 'counter', samples: { herring_total: 0 } });
  });

  it('show the values of the database at each scrape, also under a second name', async () => {
    await count('fish_caught_total', 'baltic', 3);
    await count('nets_torn_total', '', 2);
    await scrape();
    await count('fish_caught_total', 'baltic', 4);
    await count('fish_caught_total', 'pacific', 1);
    const metrics = await scrape();
    expect(metrics.get('fish_caught_total')?.samples).toEqual({
      'fish_caught_total{sea="north"}': 0,
      'fish_caught_total{sea="baltic"}': 7,
      'fish_caught_total{sea="pacific"}': 1,
    });
    expect(metrics.get('herring_total')?.samples).toEqual({ herring_total: 7 });
    expect(metrics.get('nets_torn_total')?.samples).toEqual({ nets_torn_total: 2 });
  });

  it('have the label kind without a description, and are omitted if their name is invalid', async () => {
    await count('old_total', 'a"b\\c\nd', 5);
    await count('plain_total', '', 6);
    for (const name of ['bad name_total', 'no_suffix', '9_total', 'x{y="z"}_total']) await count(name, '', 1);
    const metrics = await scrape();
    expect(metrics.get('old_total')?.samples).toEqual({ 'old_total{kind="a\\"b\\\\c\\nd"}': 5 });
    expect(metrics.get('plain_total')?.samples).toEqual({ plain_total: 6 });
    expect([...metrics.keys()].filter((name) => /bad|no_suffix|^9|^x/.test(name))).toEqual([]);
  });
});
