import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { untilReady, useProcesses } from '@/tests/processes/entry-process';
import { testVariables } from '@/tests/setup/variables';
import { startCollector } from './trace-collector';

const { url } = useDatabase();
const start = useProcesses('scripts/worker.ts', () => ({
  ...testVariables(),
  DATABASE_URL: url,
  NODE_OPTIONS: `--require ${path.resolve('tests/monitoring/report-loaded.cjs')}`,
}));

/** Lists the packages that a process has loaded. */
async function loadedBy(child: ChildProcess): Promise<string[]> {
  child.send('loaded?');
  for (;;) {
    const [{ type, packages }] = await once(child, 'message');
    if (type === 'loaded') return packages;
  }
}

const ofTelemetry = (packages: string[]) => packages.filter((name) => name.startsWith('@opentelemetry/'));

describe('a worker process', () => {
  it.each([
    ['no variable is set', {}],
    ['the SDK is disabled', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' }],
    ['traces have no exporter', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_TRACES_EXPORTER: 'none' }],
  ])('has no module of OpenTelemetry when %s', async (_what, variables) => {
    const loaded = await loadedBy(await untilReady(start([], variables)));
    expect(loaded).toContain('pg');
    expect(ofTelemetry(loaded)).toEqual([]);
  });

  it('has them when a collector is set', async () => {
    const collector = await startCollector();
    const child = await untilReady(start([], { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces` }));
    expect(ofTelemetry(await loadedBy(child))).toContain('@opentelemetry/sdk-trace-base');
  });
});
