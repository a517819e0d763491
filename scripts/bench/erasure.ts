import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { closeDatabase, database, sqlWithTimeout } from '@/lib/platform/db';
import { findFreePort } from '@/lib/platform/free-port';
import { type BenchOwner, registerOwner } from './support/owner';
import { seedProject } from './support/seed';
import { startStack } from './support/stack';
import { quantile } from './support/stats';

const [EVENTS, PROJECTS] = [200_000, 4];
const [BASELINE_MS, SENDING_EVERY_MS, DEADLINE_MS] = [10_000, 10, 300_000];
const EVENT = JSON.stringify({ type: 'order.paid', data: { orderId: 'ord_8f2c1', amount: 4200 } });

/**
 * The erasure of a large organization: the time to its 204, the time until its last row is deleted, and the latency that
 * another tenant, who sends an event every 10 ms, sees meanwhile.
 */
export async function main(): Promise<void> {
  const stack = await startStack();
  try {
    const port = await findFreePort();
    await stack.startPart('web', { PORT: String(port) });
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 16 });
    const owner = await registerOwner(pool, 'owner@example.com');
    const { key } = await seedProject();
    await fill(owner);
    await stack.startPart('worker');
    const other = sendAtPace(pool, key);
    await sleep(BASELINE_MS);
    report('event of another tenant, before', other.take());
    const [to204Ms, toGoneMs] = await erase(pool, owner);
    report('event of another tenant, during', other.take());
    await other.stop();
    process.stdout.write(
      `204 after ${(to204Ms / 1000).toFixed(2)} s, deleted after ${(toGoneMs / 1000).toFixed(2)} s\n`,
    );
    await pool.destroy();
  } finally {
    await closeDatabase();
    await stack.stop();
  }
}

/** Needs PostgreSQL 18 for its uuidv7(). */
async function fill({ organizationId }: BenchOwner): Promise<void> {
  const data = JSON.stringify({ orderId: 'ord_8f2c1', note: 'x'.repeat(400) });
  const ofOrganization = 'SELECT id FROM projects WHERE organization_id = $1';
  const statements: [string, unknown[]][] = [
    [
      `INSERT INTO projects (id, organization_id, name) SELECT uuidv7(), $1, 'p' || n FROM generate_series(1, ${PROJECTS}) n`,
      [],
    ],
    [
      `INSERT INTO endpoints (id, project_id, url) SELECT uuidv7(), id, 'https://receiver.example' FROM (${ofOrganization}) p`,
      [],
    ],
    [
      `INSERT INTO events (id, project_id, type, payload)
       SELECT uuidv7(), p.id, 'order.paid', $2 FROM (${ofOrganization}) p, generate_series(1, ${EVENTS / PROJECTS}) n`,
      [data],
    ],
    [
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, stored_attempts)
       SELECT uuidv7(), e.project_id, e.id, t.id, 'SUCCEEDED', 1, 1
       FROM events e JOIN endpoints t ON t.project_id = e.project_id WHERE e.project_id IN (${ofOrganization})`,
      [],
    ],
    [
      `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, response_status, succeeded)
       SELECT uuidv7(), project_id, id, 1, now(), 20, 200, true FROM deliveries WHERE project_id IN (${ofOrganization})`,
      [],
    ],
  ];
  for (const [text, values] of statements)
    await sqlWithTimeout(LONG_STATEMENT_MS).query(text, [organizationId, ...values]);
  await sqlWithTimeout(LONG_STATEMENT_MS).query('VACUUM ANALYZE');
}

async function erase(
  pool: Pool,
  { organizationId, headers }: BenchOwner,
): Promise<[to204Ms: number, toGoneMs: number]> {
  const began = performance.now();
  const response = await pool.request({ method: 'DELETE', path: `/api/v1/orgs/${organizationId}`, headers });
  await response.body.dump();
  const to204Ms = performance.now() - began;
  if (response.statusCode !== 204) throw new Error(`the erasure got ${response.statusCode}`);
  while (performance.now() - began < DEADLINE_MS) {
    const { rowCount } = await database().query('SELECT FROM organizations WHERE id = $1', [organizationId]);
    if (rowCount === 0) return [to204Ms, performance.now() - began];
    await sleep(50);
  }
  throw new Error('the organization still exists');
}

/** Sends another tenant's events at a fixed rate, without waiting for responses. */
function sendAtPace(pool: Pool, key: string): { take(): number[]; stop(): Promise<void> } {
  let latenciesMs: number[] = [];
  const underWay = new Set<Promise<void>>();
  const send = async () => {
    const began = performance.now();
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const response = await pool.request({ method: 'POST', path: '/api/v1/events', headers, body: EVENT });
    await response.body.dump();
    if (response.statusCode !== 202) throw new Error(`an event got ${response.statusCode}`);
    latenciesMs.push(performance.now() - began);
  };
  const timer = setInterval(() => {
    const sending: Promise<void> = send().finally(() => underWay.delete(sending));
    underWay.add(sending);
  }, SENDING_EVERY_MS);
  return {
    take: () => latenciesMs.splice(0),
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      latenciesMs = [];
    },
  };
}

function report(label: string, latenciesMs: readonly number[]): void {
  const shown = [0.5, 0.95, 0.99, 1].map((q) => `${q === 1 ? 'worst' : `p${q * 100}`} ${ms(quantile(latenciesMs, q))}`);
  process.stdout.write(`${label.padEnd(40)} ${shown.join(', ')} (${latenciesMs.length} events)\n`);
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
