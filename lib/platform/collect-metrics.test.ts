import { beforeEach, expect, it } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { setTestConfig } from '@/tests/variables';
import { collectMetrics } from './collect-metrics';
import { metricsRegistry, requestSeconds } from './metrics';

beforeEach(() => {
  setTestConfig();
  for (const name of ['metrics-registry', 'request-seconds']) setOnce(name, undefined);
});

const LAG = 'nodejs_eventloop_lag_seconds';

it('a process that nobody scrapes is not woken a hundred times a second to sample its event loop', () => {
  requestSeconds().observe({ route: '/api/v1/events', method: 'POST', status: '202' }, 0.01);
  expect(metricsRegistry().getSingleMetric(LAG)).toBeUndefined();
});

it('every scrape shows the metrics of the process beside those of its requests, the first one too', async () => {
  requestSeconds().observe({ route: '/api/v1/events', method: 'POST', status: '202' }, 0.01);
  for (const scrape of [1, 2]) {
    const { content } = await collectMetrics(null, []);
    expect(content, `scrape ${scrape}`).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(content, `scrape ${scrape}`).toMatch(/^nodejs_eventloop_lag_seconds /m);
    expect(content, `scrape ${scrape}`).toMatch(/^http_request_duration_seconds_count\{.*\} 1$/m);
  }
});
