import { createHmac } from 'node:crypto';
import type { Source } from '@/lib/incoming/schema';
import { closeDatabase, database } from '@/lib/platform/db';
import { findFreePort } from '@/lib/platform/free-port';
import { httpRequest, type LoadResult, loadHttp } from './support/http-load';
import { checkFigure, ratiosOf, reportFigure } from './support/report';
import { seedProject } from './support/seed';
import { startStack } from './support/stack';
import { quantile } from './support/stats';

const [ROUNDS, ROUND_MS, WARM_UP_MS, CONNECTIONS] = [5, 6_000, 2_000, 64];
const SECRET = 'a secret of the provider';
const DATA = JSON.stringify({
  orderId: 'ord_8f2c1',
  amount: 4200,
  currency: 'EUR',
  customer: { id: 'c19', tier: 'gold' },
});
const JSON_TYPE = { 'Content-Type': 'application/json' };

/**
 * Throughput of signed requests to a source, compared with that of events in the same run. Both are stored in one commit
 * per batch; a request to a source also has its signature verified.
 */
export async function main(): Promise<void> {
  const stack = await startStack();
  try {
    const { key, projectId } = await seedProject();
    const port = await findFreePort();
    await stack.startPart('web', { PORT: String(port), SOURCE_REQUESTS_PER_MINUTE: '1000000000' });
    const event = httpRequest(
      'POST',
      '/api/v1/events',
      { ...JSON_TYPE, 'X-API-Key': key },
      `{"type":"order.paid","data":${DATA}}`,
    );
    const { pathname } = new URL((await createSource(port, projectId, key)).url ?? '');
    const signature = createHmac('sha256', SECRET).update(DATA).digest('hex');
    const request = httpRequest('POST', pathname, { ...JSON_TYPE, 'X-Signature': signature }, DATA);
    for (const warmUp of [event, request]) await loadHttp(port, warmUp, CONNECTIONS, WARM_UP_MS);
    const rounds: { events: LoadResult[]; requests: LoadResult[] } = { events: [], requests: [] };
    for (let round = 1; round <= ROUNDS; round++) {
      process.stdout.write(`round ${round} of ${ROUNDS}\n`);
      await database().query('TRUNCATE outbox');
      rounds.events.push(await loadHttp(port, event, CONNECTIONS, ROUND_MS));
      await database().query('TRUNCATE outbox');
      rounds.requests.push(await loadHttp(port, request, CONNECTIONS, ROUND_MS));
    }
    report(rounds);
  } finally {
    await closeDatabase();
    await stack.stop();
  }
}

async function createSource(port: number, projectId: string, key: string): Promise<Source> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/projects/${projectId}/sources`, {
    method: 'POST',
    headers: { ...JSON_TYPE, 'X-API-Key': key },
    body: JSON.stringify({ name: 'bench', provider: 'GENERIC_HMAC', secret: SECRET }),
  });
  if (response.status !== 201) throw new Error(`no source: ${await response.text()}`);
  return (await response.json()) as Source;
}

function report({ events, requests }: { events: LoadResult[]; requests: LoadResult[] }): void {
  const statuses = [...events, ...requests].flatMap((result) => Object.keys(result.statuses));
  if (statuses.some((status) => status !== '202')) throw new Error(`not every request got 202: ${statuses}`);
  const perSecond = (results: LoadResult[]) => results.map((result) => result.perSecond);
  const p95 = (results: LoadResult[]) => results.map((result) => quantile(result.latenciesMs, 0.95));
  reportFigure(`events/s over HTTP, ${CONNECTIONS} connections`, perSecond(events));
  reportFigure('requests/s to a source, signed', perSecond(requests));
  reportFigure('p95 latency of events', p95(events), ' ms');
  reportFigure('p95 latency of requests', p95(requests), ' ms');
  checkFigure('RATIO requests to a source ÷ events', ratiosOf(perSecond(requests), perSecond(events)), {
    atLeast: 0.9,
  });
}
