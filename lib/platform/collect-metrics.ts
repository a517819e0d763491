import { config } from '@/lib/platform/config/config';
import { constantTimeEqual } from '@/lib/platform/crypto';
import { database } from '@/lib/platform/db';
import { AppError } from '@/lib/platform/errors';
import { metricsRegistry } from '@/lib/platform/metrics';

interface CounterRow {
  name: string;
  label: string;
  value: string;
}

/**
 * The text that Prometheus scrapes: this process's own metrics and the counters that all processes add up in the database,
 * so that one address tells of a worker that listens on no port.
 * @throws AppError unauthenticated when METRICS_TOKEN is set and `authorization` does not carry it
 */
export async function collectMetrics(authorization: string | null): Promise<{ contentType: string; content: string }> {
  const token = config().METRICS_TOKEN;
  if (token !== undefined && !constantTimeEqual(authorization ?? '', `Bearer ${token}`)) {
    throw new AppError('unauthenticated', 'Send METRICS_TOKEN as a Bearer token.');
  }
  const registry = metricsRegistry();
  const { rows } = await database().query<CounterRow>(
    'SELECT name, label, value FROM metric_counters ORDER BY name, label',
  );
  return { contentType: registry.contentType, content: (await registry.metrics()) + counterLines(rows) };
}

function counterLines(rows: CounterRow[]): string {
  const names = [...new Set(rows.map((row) => row.name))];
  return names
    .flatMap((name) => [
      `# HELP ${name} Summed over every process since the service was installed`,
      `# TYPE ${name} counter`,
      ...rows.filter((row) => row.name === name).map((row) => `${name}${labels(row.label)} ${row.value}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

function labels(label: string): string {
  return label === '' ? '' : `{kind="${label}"}`;
}
