import { beforeEach, expect, it } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { setTestConfig } from '@/tests/setup/variables';
import { collectMetrics, makeMetricsText } from './collect-metrics';
import { metricsRegistry, observeRequest } from './metrics';

beforeEach(() => {
  setTestConfig();
  for (const name of ['metrics-registry', 'request-series', 'metrics-text']) setOnce(name, undefined);
});

const LAG = 'nodejs_eventloop_lag_seconds';

it('a process samples its event loop, a hundred times a second, only after the first scrape', () => {
  observeRequest({ route: '/api/v1/events', method: 'POST', status: 202 }, 0.01);
  expect(metricsRegistry().getSingleMetric(LAG)).toBeUndefined();
});

it('every scrape, including the first, shows the metrics of the process and of its requests', async () => {
  observeRequest({ route: '/api/v1/events', method: 'POST', status: 202 }, 0.01);
  for (const scrape of [1, 2]) {
    const { content } = await makeMetricsText([]);
    expect(content, `scrape ${scrape}`).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(content, `scrape ${scrape}`).toMatch(/^nodejs_eventloop_lag_seconds /m);
    expect(content, `scrape ${scrape}`).toMatch(/^http_request_duration_seconds_count\{.*\} 1$/m);
  }
});

it('one text is made a second, however many ask for it', async () => {
  let runs = 0;
  const collect = async () => {
    runs += 1;
  };
  const collector = { name: 'test', collect };
  setOnce('metrics-collector-test', undefined);
  const texts = await Promise.all(Array.from({ length: 20 }, () => collectMetrics(null, [collector])));
  texts.push(await collectMetrics(null, [collector]));
  expect(runs).toBe(1);
  expect(new Set(texts.map(({ content }) => content)).size).toBe(1);
});

it('a process shows at most 170 series of requests, and then one for each class of statuses', async () => {
  for (let each = 0; each < 1_000; each += 1)
    observeRequest({ route: `/${each}`, method: 'GET', status: 200 + (each % 300) }, 0.1);
  observeRequest({ route: '/1', method: 'GET', status: 201 }, 0.1);
  const { content } = await makeMetricsText([]);
  const counts = content.match(/^http_request_duration_seconds_count.*$/gm) ?? [];
  expect(counts).toHaveLength(173);
  expect(counts).toContain('http_request_duration_seconds_count{route="/1",method="GET",status="201"} 2');
  expect(counts).toContainEqual(expect.stringMatching(/\{route="\(rare\)",method="other",status="4xx"\} \d+$/));
});

it.each([
  ['an invented verb', 'other', 404],
  ['OPTIONS', 'OPTIONS', 204],
  ['a verb that the route does not have', 'POST', 405],
])('%s takes no series from the requests that routes serve', async (_name, method, status) => {
  for (let each = 0; each < 1_000; each += 1) observeRequest({ route: `/${each}`, method, status }, 0.1);
  for (let each = 0; each < 170; each += 1) observeRequest({ route: `/${each}`, method: 'GET', status: 200 }, 0.1);
  const { content } = await makeMetricsText([]);
  const counts = content.match(/^http_request_duration_seconds_count.*$/gm) ?? [];
  expect(counts).toHaveLength(171);
  expect(counts).toContain(
    `http_request_duration_seconds_count{route="(rare)",method="other",status="${Math.floor(status / 100)}xx"} 1000`,
  );
  expect(counts).toContain('http_request_duration_seconds_count{route="/169",method="GET",status="200"} 1');
});
