import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { metricsRegistry, setGauge } from '@/lib/platform/metrics';
import { setTestConfig } from '@/tests/setup/variables';
import { type Collector, runCollectors } from './metrics-collectors';

setTestConfig();

beforeEach(() => {
  setOnce('metrics-registry', undefined);
  setOnce('metrics-collector-test', undefined);
});

/** A collector that runs `work` and then reports how often it ran. */
function counting(work: () => Promise<void> = async () => undefined, intervalMs = 0): Collector & { runs: number } {
  const collector = {
    name: 'test',
    runs: 0,
    intervalMs: () => intervalMs,
    collect: async () => {
      collector.runs += 1;
      await work();
      setGauge({ name: 'test_figure', help: 'A figure' }, collector.runs);
    },
  };
  return collector;
}

async function scrape(collector: Collector, maxWaitMs?: number): Promise<string> {
  await runCollectors([collector], maxWaitMs);
  return metricsRegistry().metrics();
}

describe('a collector', () => {
  it('collects at every scrape by default, and no more often than its interval when it has one', async () => {
    const always = counting();
    await scrape(always);
    expect(await scrape(always)).toMatch(/^test_figure 2$/m);
    setOnce('metrics-collector-test', undefined);
    const seldom = counting(undefined, 60_000);
    await scrape(seldom);
    expect(await scrape(seldom)).toMatch(/^test_figure 1$/m);
    setOnce('metrics-collector-test', undefined);
    const often = counting(undefined, 20);
    await scrape(often);
    await sleep(30);
    expect(await scrape(often)).toMatch(/^test_figure 2$/m);
  });

  it('collects once for concurrent scrapes', async () => {
    const collector = counting(() => sleep(20));
    const scrapes = await Promise.all([scrape(collector), scrape(collector), scrape(collector)]);
    expect(collector.runs).toBe(1);
    for (const text of scrapes) expect(text).toMatch(/^test_figure 1$/m);
  });

  it('shows no figure before the first collection, since 0 would look true', async () => {
    const failing = counting(() => Promise.reject(new Error('away')));
    expect(await scrape(failing)).not.toContain('test_figure');
  });

  it('keeps the last figures when it fails, counts the failure, and retries', async () => {
    let isAway = false;
    const collector = counting(async () => {
      if (isAway) throw new Error('away');
    });
    expect(await scrape(collector)).toMatch(/^metrics_collection_failures_total\{collector="test"\} 0$/m);
    isAway = true;
    const text = await scrape(collector);
    expect(text).toMatch(/^test_figure 1$/m);
    expect(text).toMatch(/^metrics_collection_failures_total\{collector="test"\} 1$/m);
    isAway = false;
    expect(await scrape(collector)).toMatch(/^test_figure 3$/m);
  });

  it('does not retry at every scrape when it has an interval', async () => {
    const collector = counting(() => Promise.reject(new Error('away')), 60_000);
    await scrape(collector);
    await scrape(collector);
    expect(collector.runs).toBe(1);
  });

  it.each([
    ['57014', 1],
    ['08006', 2],
  ])(
    'waits for its interval after a statement that took too long, and retries earlier after others: %s',
    async (code, runs) => {
      vi.useFakeTimers({ toFake: ['performance'] });
      onTestFinished(() => void vi.useRealTimers());
      const collector = counting(() => Promise.reject(Object.assign(new Error('failed'), { code })), 900_000);
      await scrape(collector);
      vi.advanceTimersByTime(120_000);
      await scrape(collector);
      expect(collector.runs).toBe(runs);
    },
  );

  it('delays no scrape when it is slow, and shows its figures later', async () => {
    let finish: () => void = () => undefined;
    const collector = counting(() => new Promise<void>((resolve) => (finish = resolve)));
    const startedAt = performance.now();
    expect(await scrape(collector, 50)).not.toContain('test_figure');
    await scrape(collector, 50);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(collector.runs).toBe(1);
    finish();
    expect(await scrape(collector)).toMatch(/^test_figure [12]$/m);
  });
});
