import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { makeEndpointSecret, sealEndpointSecret } from '@/lib/delivery/credentials';
import { MINUTE_MS } from '@/lib/platform/clock';
import { closeDatabase, database, sqlWithTimeout } from '@/lib/platform/db';
import { readArguments } from './support/bench-arguments';
import { requireAllAccepted, startPacedSender, startReceiver } from './support/children';
import { checkFigure, quantile, ratiosOf, reportFigure, say } from './support/figures';
import { httpRequest, loadHttp, requireAccepted } from './support/http-load';
import { cpuMsByPart, differenceByPart, totalOf } from './support/process-cost';
import { type LoadedProject, localWebhookUrl, seedProject } from './support/seed';
import { launchBenchProduct } from './support/stack';

const FULL = { customers: 100_000, rounds: 5, warmUpMs: 5_000, roundMs: 15_000, fullMs: 5_000, reads: 200 };
const QUICK = { customers: 20_000, rounds: 2, warmUpMs: 2_000, roundMs: 6_000, fullMs: 2_000, reads: 50 };
/** Each is subscribed to a type of its own, so that one event makes one delivery, as in the project with one endpoint. */
const TYPES = ['order.paid', 'order.sent', 'order.returned'];
const PER_SECOND = 200;
const CONNECTIONS = 64;
const DRAIN_MS = 1_500;

/**
 * What an event for one of 100,000 customers with 300,000 endpoints costs, as a ratio to an event of a project with one endpoint: CPU of
 * all processes at a light load, and events per second at full speed. Then what reading, searching and deleting customers takes.
 */
export async function main(args: string[]): Promise<void> {
  const { isQuick } = readArguments(args);
  const { customers, rounds, warmUpMs, roundMs, fullMs, reads } = isQuick ? QUICK : FULL;
  const product = await launchBenchProduct({ PROJECT_MAX_CUSTOMERS: '1000000' });
  const receiver = await startReceiver('ok');
  const sender = await startPacedSender();
  try {
    const url = localWebhookUrl(receiver.ready.ports[0] ?? 0);
    const [few, many] = [await seedCustomers(1, url), await seedCustomers(customers, url)];
    const plain = await seedCustomers(0, url);
    await slowly().query('VACUUM ANALYZE customers, endpoints, subscriptions');
    await closeDatabase();
    const projects = { plain, few, many };
    const cpuMs = { plain: [] as number[], few: [] as number[], many: [] as number[] };
    const perSecond = { plain: [] as number[], few: [] as number[], many: [] as number[] };
    for (let round = 0; round <= rounds; round++) {
      say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
      for (const name of ['plain', 'few', 'many'] as const) {
        const { key, count } = projects[name];
        const run = { port: product.port, keys: [key], perSecond: PER_SECOND, customers: count };
        const before = cpuMsByPart(product.pid);
        const sent = requireAllAccepted(await sender.run({ ...run, ms: round === 0 ? warmUpMs : roundMs }));
        await sleep(DRAIN_MS);
        const used = totalOf(differenceByPart(before, cpuMsByPart(product.pid)));
        const body = { type: 'order.paid', data: {}, ...(count === 0 ? {} : { customer: 'c1' }) };
        const headers = { 'Content-Type': 'application/json', 'X-API-Key': key };
        const send = httpRequest('POST', '/api/v1/events', headers, JSON.stringify(body));
        const full = requireAccepted(await loadHttp(product.port, send, CONNECTIONS, fullMs));
        await sleep(4 * DRAIN_MS);
        if (round === 0) continue;
        cpuMs[name].push(used / sent.length);
        perSecond[name].push(full.perSecond);
      }
    }
    reportFigure(`CPU per event at ${PER_SECOND}/s, a project with one endpoint`, cpuMs.plain, ' ms');
    reportFigure('  for its only customer', cpuMs.few, ' ms');
    reportFigure(`  for any of ${customers.toLocaleString('en-US')} customers`, cpuMs.many, ' ms');
    checkFigure('RATIO only customer ÷ project', ratiosOf(cpuMs.few, cpuMs.plain), { atMost: 1.2 });
    checkFigure('RATIO any customer ÷ project', ratiosOf(cpuMs.many, cpuMs.plain), { atMost: 1.2 });
    reportFigure(`events/s over HTTP, ${CONNECTIONS} connections, a project with one endpoint`, perSecond.plain);
    reportFigure('  for one of the customers', perSecond.many);
    await measureReads(product.url, { few, many }, reads);
  } finally {
    await product.stop();
  }
}

type Seeded = LoadedProject & { count: number };

/** Hundreds of thousands of rows take longer than a statement of the service may. */
const slowly = () => sqlWithTimeout(5 * MINUTE_MS);

/** Makes a project with customers, each with an endpoint for each type; without customers, one endpoint of its own. */
async function seedCustomers(count: number, url: string): Promise<Seeded> {
  const project = await seedProject();
  const secret = sealEndpointSecret(makeEndpointSecret());
  const { projectId } = project;
  await slowly().query(
    `WITH customer AS (
       INSERT INTO customers (id, project_id, uid, name)
       SELECT gen_random_uuid(), $1, 'c' || n, 'Customer ' || n FROM generate_series(1, $2::int) n RETURNING id
     ), owner AS (SELECT id, type FROM customer, unnest($3::text[]) type UNION ALL SELECT NULL, $3[1] WHERE $2 = 0),
     endpoint AS (
       INSERT INTO endpoints (id, project_id, customer_id, url, secret_encrypted, description)
       SELECT gen_random_uuid(), $1, id, $4, $5, type FROM owner RETURNING id, customer_id, description
     )
     INSERT INTO subscriptions (id, project_id, customer_id, endpoint_id, event_type)
     SELECT gen_random_uuid(), $1, customer_id, id, description FROM endpoint`,
    [projectId, count, TYPES, url, secret],
  );
  await database().query('INSERT INTO customer_counts (project_id, customers) VALUES ($1, $2)', [projectId, count]);
  return { ...project, count };
}

async function measureReads(origin: string, { few, many }: Record<'few' | 'many', Seeded>, reads: number) {
  const READS: Record<string, (n: number) => [method: string, path: string]> = {
    'list customers': () => ['GET', '/customers?limit=50'],
    'search one': (n) => ['GET', `/customers?q=c${n}`],
    'search a name that all have': () => ['GET', '/customers?q=customer&limit=50'],
    'get one': (n) => ['GET', `/customers/c${n}`],
    'list its endpoints': (n) => ['GET', `/endpoints?customer=c${n}`],
    'list its deliveries': (n) => ['GET', `/deliveries?customer=c${n}`],
    'delete one': (n) => ['DELETE', `/customers/c${n}`],
  };
  for (const [label, requestOf] of Object.entries(READS)) {
    const p50 = async ({ projectId, key, count }: Seeded, times: number) => {
      const tookMs: number[] = [];
      for (let n = 0; n < times; n++) {
        const [method, path] = requestOf(1 + ((n * 7_919) % count));
        const startedAt = performance.now();
        const { statusCode, body } = await request(`${origin}/api/v1/projects/${projectId}${path}`, {
          method: method as 'GET' | 'DELETE',
          headers: { 'x-api-key': key },
        });
        await body.text();
        if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode}`);
        tookMs.push(performance.now() - startedAt);
      }
      return [quantile(tookMs, 0.5), quantile(tookMs, 0.95)];
    };
    const ofMany = await p50(many, reads);
    const ofFew = label === 'delete one' ? [] : await p50(few, reads);
    const shown = (ms: (number | undefined)[]) => ms.map((value) => `${value?.toFixed(1)}`).join('/');
    say(
      `${label.padEnd(30)} p50/p95 ${shown(ofMany)} ms${ofFew.length > 0 ? `, with one customer ${shown(ofFew)} ms` : ''}`,
    );
  }
}
