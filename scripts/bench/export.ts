import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { closeDatabase, sqlWithTimeout } from '@/lib/platform/db';
import { findFreePort } from '@/lib/platform/free-port';
import { insertAudit } from '@/tests/fixtures/audit';
import { httpRequest, loadHttp } from './support/http-load';
import { watchMemory } from './support/memory-watch';
import { type BenchOwner, registerOwner } from './support/owner';
import { seedProject } from './support/seed';
import { startStack } from './support/stack';
import { summarize } from './support/stats';

const [PROJECTS, ENDPOINTS_EACH, SUBSCRIPTIONS_EACH, AUDIT_ENTRIES] = [1_000, 10, 100, 1_000_000];
const [ROUNDS, SETTLE_MS, MEMORY_TARGET_MB] = [5, 3_000, 50];
const [WARM_UP_MS, CONNECTIONS] = [8_000, 16];

/**
 * The export of a large organization: its time, its size, and the memory growth of the web process. Then reads of the same
 * audit log with each of its filters.
 */
export async function main(): Promise<void> {
  const stack = await startStack();
  try {
    const port = await findFreePort();
    const web = await stack.startPart('web', { PORT: String(port) });
    const pool = new Pool(`http://127.0.0.1:${port}`);
    const large = await registerOwner(pool, 'owner@example.com');
    await fill(large);
    const owners = [large, await addPartner(pool, large)];
    const isFlat = await measureExports(pool, web, owners, () => warmUp(port));
    await measureAuditLog(pool, large);
    await pool.destroy();
    if (!isFlat) process.exitCode = 1;
  } finally {
    await closeDatabase();
    await stack.stop();
  }
}

/** Needs PostgreSQL 18 for its uuidv7(). */
async function fill({ organizationId }: BenchOwner): Promise<void> {
  const statements = [
    `INSERT INTO projects (id, organization_id, name) SELECT uuidv7(), $1, 'p' || n FROM generate_series(1, ${PROJECTS}) n`,
    `INSERT INTO endpoints (id, project_id, url, description, secret_encrypted)
     SELECT uuidv7(), p.id, 'https://receiver.example/hooks/' || n, 'Receives what happens to orders', '\\x00'
     FROM projects p, generate_series(1, ${ENDPOINTS_EACH}) n WHERE p.organization_id = $1`,
    `INSERT INTO subscriptions (id, project_id, endpoint_id, event_type)
     SELECT uuidv7(), e.project_id, e.id, 'order.state.' || n
     FROM endpoints e JOIN projects p ON p.id = e.project_id, generate_series(1, ${SUBSCRIPTIONS_EACH / ENDPOINTS_EACH}) n
     WHERE p.organization_id = $1`,
  ];
  for (const statement of statements) await sqlWithTimeout(LONG_STATEMENT_MS).query(statement, [organizationId]);
  const details = { fields: ['name', 'enabled'] };
  await insertAudit({ organizationId, count: AUDIT_ENTRIES - 1_000, stepMs: 5_000, details });
  await insertAudit({ organizationId, count: 1_000, stepMs: 1, action: 'member.removed', details });
  await sqlWithTimeout(LONG_STATEMENT_MS).query('VACUUM ANALYZE');
}

/** Adds another owner: the exports of one person run one at a time. */
async function addPartner(pool: Pool, { organizationId }: BenchOwner): Promise<BenchOwner> {
  const email = 'partner@example.com';
  const partner = await registerOwner(pool, email);
  await sqlWithTimeout(LONG_STATEMENT_MS).query(
    `INSERT INTO memberships (organization_id, user_id, role) SELECT $1, id, 'OWNER' FROM users WHERE email = $2`,
    [organizationId, email],
  );
  return { ...partner, organizationId };
}

interface Exported {
  seconds: number;
  megabytes: number;
}

async function exportOnce(pool: Pool, { organizationId, headers }: BenchOwner): Promise<Exported> {
  const began = performance.now();
  const response = await pool.request({ method: 'GET', path: `/api/v1/orgs/${organizationId}/export`, headers });
  let bytes = 0;
  for await (const chunk of response.body) bytes += (chunk as Buffer).length;
  if (response.statusCode !== 200) throw new Error(`an export got ${response.statusCode}`);
  return { seconds: (performance.now() - began) / 1000, megabytes: bytes / 1e6 };
}

/** The first work of any kind makes a process grow, by the young generation of V8. */
async function warmUp(port: number): Promise<void> {
  const { key } = await seedProject();
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': key };
  const send = httpRequest('POST', '/api/v1/events', headers, '{"type":"order.paid","data":{"amount":4200}}');
  await loadHttp(port, send, CONNECTIONS, WARM_UP_MS);
}

async function measureExports(
  pool: Pool,
  web: ChildProcess,
  owners: readonly BenchOwner[],
  warmUpWeb: () => Promise<void>,
): Promise<boolean> {
  const memory = watchMemory(web.pid ?? 0);
  const grownBy = async (exports: number) => {
    await sleep(SETTLE_MS);
    const before = memory.nowMb();
    memory.peakMb();
    const exported = await Promise.all(owners.slice(0, exports).map((owner) => exportOnce(pool, owner)));
    return { ...(exported[0] as Exported), grownMb: memory.peakMb() - before };
  };
  const first = await grownBy(1);
  await warmUpWeb();
  const [alone, together]: [(typeof first)[], (typeof first)[]] = [[], []];
  for (let round = 1; round <= ROUNDS; round++) {
    alone.push(await grownBy(1));
    together.push(await grownBy(2));
  }
  memory.stop();
  const grown = alone.map(({ grownMb }) => grownMb);
  const size = `${PROJECTS} projects, ${PROJECTS * SUBSCRIPTIONS_EACH} subscriptions, ${AUDIT_ENTRIES} audit entries`;
  const lines = [
    `export of ${size}: ${first.megabytes.toFixed(1)} MB`,
    summarize('time', seconds(alone), ' s'),
    summarize('time of each of two concurrent exports', seconds(together), ' s'),
    `memory growth as the first work of a web process: ${first.grownMb.toFixed(0)} MB`,
    summarize(`memory growth after other work (target < ${MEMORY_TARGET_MB})`, grown, ' MB'),
    summarize(
      'memory growth of two concurrent exports',
      together.map(({ grownMb }) => grownMb),
      ' MB',
    ),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return Math.max(...grown) < MEMORY_TARGET_MB;
}

function seconds(exported: readonly Exported[]): number[] {
  return exported.map((each) => each.seconds);
}

async function measureAuditLog(pool: Pool, { organizationId, headers }: BenchOwner): Promise<void> {
  const path = `/api/v1/orgs/${organizationId}/audit-log`;
  const now = Date.now();
  const at = (daysAgo: number) => new Date(now - daysAgo * 86_400_000).toISOString();
  const readings: [string, string][] = [
    ['newest page', ''],
    ['the newest action', '?action=member.removed'],
    ['an action with one entry', '?action=organization.created'],
    ['an action without entries', '?action=api_key.rotated'],
    ['an actor without entries', '?actorId=00000000-0000-7000-8000-000000000000'],
    ['a day 30 days ago', `?from=${at(31)}&to=${at(30)}`],
    ['an action without entries, on that day', `?action=api_key.rotated&from=${at(31)}&to=${at(30)}`],
    ['CSV of a day', `?format=csv&from=${at(31)}&to=${at(30)}`],
    ['CSV of everything (100,000 rows)', '?format=csv'],
  ];
  for (const [name, query] of readings) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now();
      const response = await pool.request({ method: 'GET', path: path + query, headers });
      for await (const _ of response.body);
      if (response.statusCode !== 200) throw new Error(`${name} got ${response.statusCode}`);
      times.push(performance.now() - began);
    }
    process.stdout.write(`${summarize(`audit log, ${name}`, times, ' ms')}\n`);
  }
}
