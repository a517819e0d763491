import { beforeEach, expect, it } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { setTestConfig } from '@/tests/setup/variables';
import { collectMetrics } from './collect-metrics';
import { metricsRegistry, requestSeconds } from './metrics';

beforeEach(() => {
  setTestConfig();
  for (const name of ['metrics-registry', 'request-seconds']) setOnce(name, undefined);
});

const LAG = 'nodejs_eventloop_lag_seconds';

it('a process samples its event loop, a hundred times a second, only after the first scrape', () => {
  requestSeconds().observe({ route: '/api/v1/events', method: 'POST', status: '202' }, 0.01);
  expect(metricsRegistry().getSingleMetric(LAG)).toBeUndefined();
});

it('every scrape, including the first, shows the metrics of the process and of its requests', async () => {
  requestSeconds().observe({ route: '/api/v1/events', method: 'POST', status: '202' }, 0.01);
  for (const scrape of [1, 2]) {
    const { content } = await collectMetrics(null, []);
    expect(content, `scrape ${scrape}`).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(content, `scrape ${scrape}`).toMatch(/^nodejs_eventloop_lag_seconds /m);
    expect(content, `scrape ${scrape}`).toMatch(/^http_request_duration_seconds_count\{.*\} 1$/m);
  }
});
