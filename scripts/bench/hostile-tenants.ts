import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { LONG_STATEMENT_MS } from '@/lib/platform/database-limits';
import { closeDatabase, sqlWithTimeout } from '@/lib/platform/db';
import { bundleTemporarily } from '@/scripts/start/bundle.mjs';
import { readArguments } from './support/bench-arguments';
import { startChild } from './support/children';
import { checkValue, describeSpread, quantile, say } from './support/figures';
import { ATTACKS } from './support/hostile-attacks';
import type { Attacker, OtherOwner } from './support/hostile-requests';
import { atPace } from './support/pace.mjs';
import { listProcessTree, watchMemory } from './support/process-cost';
import { type BenchOwner, localWebhookUrl, registerOwner } from './support/seed';
import { type BenchProduct, launchBenchProduct } from './support/stack';

const FULL = { ms: 20_000, pauseMs: 3_000, deliveries: 1_000_000 };
const QUICK = { ms: 8_000, pauseMs: 2_000, deliveries: 200_000 };
/** Owners who read large pages at once. */
const OTHERS = 4;
/** Requests a second of the bystander: reads, events and requests to a source in turn. */
const PER_SECOND = 20;
/** Reads that a page of the dashboard makes at once. */
const READS_OF_PAGE = 30;
const KINDS = ['read', 'event', 'intake'] as const;
type Kind = (typeof KINDS)[number];

/** The latencies of a bystander, and its statuses by kind. */
interface Seen {
  latenciesMs: Record<Kind, number[]>;
  /** From where the person has signed in before. */
  signInsMs: number[];
  /** What a page of the dashboard reads at once, by another owner. */
  pagesMs: number[];
  unexpected: Record<string, number>;
}

interface Tenant {
  owner: BenchOwner;
  projectId: string;
  key: string;
  sourceIds: string[];
  ingressPaths: string[];
}

interface Bystanders {
  tenant: Tenant;
  visitor: Tenant;
}

/**
 * What one tenant, or a stranger, can do to another one: the p95 of a bystander that makes 20 requests a second, alone and beside each
 * attack, in one run. `--only TEXT` selects the attacks whose names contain TEXT.
 */
export async function main(args: string[]): Promise<void> {
  const { isQuick, only } = readArguments(args);
  const { ms, pauseMs, deliveries } = isQuick ? QUICK : FULL;
  const product = await launchBenchProduct({
    AUTH_ACCESS_TOKEN_SECONDS: '7200',
    AUTH_BCRYPT_COST: '12',
    SOURCE_REQUESTS_PER_MINUTE: '100000',
    SOURCE_UNVERIFIED_PER_HOUR: '1000',
    TRUSTED_PROXIES: '127.0.0.1',
    ANONYMOUS_REQUESTS_PER_SECOND: '100',
  });
  const web = listProcessTree(product.pid).find(({ part }) => part === 'web')?.pid ?? 0;
  const memory = watchMemory(web);
  const pool = new Pool(product.url, { connections: 64 });
  const { file } = await bundleTemporarily('scripts/bench/support/hostile-attacks.ts');
  const hostile = await startChild<string, Record<string, number>>(file);
  rmSync(file, { force: true });
  // Attackers are elsewhere: what their own process computes must not count.
  setPriority(hostile.pid, 19);
  try {
    const bystanders = {
      tenant: await makeTenant(pool, 'bystander', 1),
      visitor: await makeTenant(pool, 'visitor', 0),
    };
    const attacker = await makeAttacker(product, pool, deliveries);
    await observe(pool, bystanders, 3_000);
    const alone = await observe(pool, bystanders, ms);
    memory.peakMb();
    describe('alone', alone);
    for (const name of Object.keys(ATTACKS).filter((each) => each.includes(only))) {
      // The bystander never stops: paces hold for those who are not alone.
      await observe(pool, bystanders, pauseMs);
      const attack = hostile.ask({ name, attacker, ms });
      const beside = await observe(pool, bystanders, ms);
      const counts = await attack;
      describe(`${name} (${JSON.stringify(counts)})`, beside);
      for (const kind of KINDS) checkRatio(`${name}, ${kind}`, beside.latenciesMs[kind], alone.latenciesMs[kind]);
      const refused = Object.values(beside.unexpected).reduce((sum, count) => sum + count, 0);
      checkValue(`${name}: slowest sign-in`, Math.max(...beside.signInsMs) / 1_000, { atMost: 5 }, ' s');
      checkValue(`${name}: slowest page`, Math.max(...beside.pagesMs) / 1_000, { atMost: 5 }, ' s');
      checkValue(`${name}: refused requests of the bystander`, refused, { atMost: 0 });
      checkValue(`${name}: peak memory of web`, Math.round(memory.peakMb()), { atMost: 600 }, ' MB');
    }
  } finally {
    await pool.destroy();
    await closeDatabase();
    await product.stop();
  }
}

function checkRatio(label: string, beside: readonly number[], alone: readonly number[]): void {
  checkValue(`RATIO p95, ${label}`, quantile(beside, 0.95) / quantile(alone, 0.95), { atMost: 3 });
}

function describe(label: string, { latenciesMs, signInsMs, pagesMs, unexpected }: Seen): void {
  say(`\n${label}`);
  for (const kind of KINDS) say(`  ${kind.padEnd(7)} ${describeSpread(latenciesMs[kind])}`);
  say(`  ${'sign-in'.padEnd(7)} ${describeSpread(signInsMs)}`);
  say(`  ${'page'.padEnd(7)} ${describeSpread(pagesMs)}`);
  if (Object.keys(unexpected).length > 0) say(`  refused ${JSON.stringify(unexpected)}`);
}

/**
 * Makes the requests of a bystander at a fixed rate, without waiting for responses, and signs in every two seconds. A visitor, who is
 * another owner, opens a page every four seconds.
 */
async function observe(pool: Pool, { tenant, visitor }: Bystanders, ms: number): Promise<Seen> {
  const seen: Seen = { latenciesMs: { read: [], event: [], intake: [] }, signInsMs: [], pagesMs: [], unexpected: {} };
  const { projectId, key } = tenant;
  const json = { 'content-type': 'application/json', 'x-api-key': key };
  const requests = {
    read: { method: 'GET', path: `/api/v1/projects/${projectId}/deliveries?limit=20`, headers: { 'x-api-key': key } },
    event: {
      method: 'POST',
      path: '/api/v1/events',
      headers: json,
      body: '{"type":"order.paid","data":{"amount":42}}',
    },
    intake: { method: 'POST', path: tenant.ingressPaths[0] ?? '', headers: {}, body: '{"amount":42}' },
  } as const;
  const make = async (kind: Kind | 'sign-in' | 'page', options: Parameters<Pool['request']>[0]) => {
    const startedAt = performance.now();
    const note = (status: number | string) => {
      const latencyMs = performance.now() - startedAt;
      if (kind === 'sign-in') seen.signInsMs.push(latencyMs);
      else if (kind !== 'page') seen.latenciesMs[kind].push(latencyMs);
      if (status !== 200 && status !== 202) {
        const name = `${kind} ${status}`;
        seen.unexpected[name] = (seen.unexpected[name] ?? 0) + 1;
      }
    };
    await pool.request({ ...options, headersTimeout: 60_000 }).then(
      async ({ statusCode, body }) => {
        await body.text();
        note(statusCode);
      },
      (error: Error) => note(error.message),
    );
  };
  const signIn = {
    method: 'POST',
    path: '/api/v1/auth/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bystander@example.com', password: 'correct horse battery' }),
  } as const;
  const openPage = async () => {
    const startedAt = performance.now();
    const read = {
      method: 'GET',
      path: `/api/v1/projects/${visitor.projectId}/deliveries?limit=20`,
      headers: { 'x-api-key': visitor.key },
    } as const;
    await Promise.all(Array.from({ length: READS_OF_PAGE }, () => make('page', read)));
    seen.pagesMs.push(performance.now() - startedAt);
  };
  await atPace(PER_SECOND, ms, async (index) => {
    const kind = KINDS[index % KINDS.length] as Kind;
    await Promise.all([
      make(kind, requests[kind]),
      index % (2 * PER_SECOND) === 0 ? make('sign-in', signIn) : null,
      index % (4 * PER_SECOND) === PER_SECOND ? openPage() : null,
    ]);
  });
  return seen;
}

async function post<T>(pool: Pool, path: string, headers: Record<string, string>, body: unknown = {}): Promise<T> {
  const response = await pool.request({
    method: 'POST',
    path: `/api/v1${path}`,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`POST ${path} got ${response.statusCode}: ${text}`);
  return JSON.parse(text) as T;
}

async function makeTenant(pool: Pool, name: string, sources: number): Promise<Tenant> {
  const owner = await registerOwner(pool, `${name}@example.com`);
  const { id: projectId } = await post<{ id: string }>(pool, `/orgs/${owner.organizationId}/projects`, owner.headers, {
    name,
  });
  const { key } = await post<{ key: string }>(pool, `/projects/${projectId}/api-keys`, owner.headers, { name });
  const sourceIds: string[] = [];
  const ingressPaths: string[] = [];
  for (let index = 0; index < sources; index++) {
    const body = { name: `source ${index}`, provider: 'NONE' };
    const { id, url } = await post<{ id: string; url: string }>(
      pool,
      `/projects/${projectId}/sources`,
      owner.headers,
      body,
    );
    sourceIds.push(id);
    ingressPaths.push(new URL(url).pathname);
  }
  return { owner, projectId, key, sourceIds, ingressPaths };
}

/** Makes a tenant within its limits: deliveries, 100 projects of 1,000 endpoints, 100 sources, one with 500 destinations. */
async function makeAttacker(product: BenchProduct, pool: Pool, deliveries: number): Promise<Attacker> {
  const tenant = await makeTenant(pool, 'attacker', 100);
  const { owner, projectId, key, sourceIds, ingressPaths } = tenant;
  const { organizationId, headers } = owner;
  const { key: readKey } = await post<{ key: string }>(pool, `/projects/${projectId}/api-keys`, headers, {
    name: 'reader',
    scope: 'READ_ONLY',
  });
  const endpoint = { url: 'http://127.0.0.1:9/hook', enabled: false };
  const { id: endpointId } = await post<{ id: string }>(pool, `/projects/${projectId}/endpoints`, headers, endpoint);
  const large = await makeLarge(pool, tenant);
  const fill = (sql: string, ...values: unknown[]) => sqlWithTimeout(LONG_STATEMENT_MS).query(sql, values);
  await fill(
    `WITH e AS (
       INSERT INTO events (id, project_id, type, payload)
       SELECT uuidv7(-(n || ' ms')::interval), $1, 'order.paid', '{"type":"order.paid","data":{}}' FROM generate_series(1, $3::int) n
       RETURNING id)
     INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, last_response_status, completed_at)
     SELECT id, $1, id, $2, 'SUCCEEDED', 1, 200, now() FROM e`,
    projectId,
    endpointId,
    deliveries,
  );
  await fill(
    `WITH p AS (
       INSERT INTO projects (id, organization_id, name, updated_at)
       SELECT gen_random_uuid(), $1, 'Project ' || n, now() FROM generate_series(1, 99) n RETURNING id)
     INSERT INTO endpoints (id, project_id, url)
     SELECT gen_random_uuid(), p.id, 'https://receiver.example/' || repeat(md5(n::text), 60) FROM p, generate_series(1, 1000) n`,
    organizationId,
  );
  await fill(
    `INSERT INTO destinations (id, project_id, source_id, url)
     SELECT gen_random_uuid(), $1, $2, 'http://127.0.0.1:9/' || n FROM generate_series(1, 500) n`,
    projectId,
    sourceIds[0],
  );
  const { id: fanOutEventId } = await postIngress(pool, ingressPaths[0] ?? '');
  const tunnels = [];
  for (let index = 0; index < 20; index++) {
    tunnels.push(
      await post<{ id: string; url: string }>(pool, `/projects/${projectId}/tunnels`, headers, { name: `t${index}` }),
    );
  }
  const others: OtherOwner[] = [];
  for (let index = 0; index < OTHERS; index++) others.push(await makeOther(pool, index));
  await fill('VACUUM ANALYZE events, deliveries, endpoints, destinations, customers');
  return {
    port: product.port,
    bearer: headers.authorization.slice('Bearer '.length),
    organizationId,
    projectId,
    key,
    readKey,
    ingressPaths,
    fanOutEventId,
    ...large,
    endpointId,
    tunnelIds: tunnels.map(({ id }) => id),
    tunnelPaths: tunnels.map(({ url }) => new URL(url).pathname.replace(/\/$/, '')),
    others,
  };
}

/** Makes an owner whose customers, endpoints, destinations and deliveries fill a page each, with the longest fields. */
async function makeOther(pool: Pool, index: number): Promise<OtherOwner> {
  const { owner, projectId, sourceIds } = await makeTenant(pool, `other-${index}`, 1);
  const { headers } = owner;
  const [sourceId = ''] = sourceIds;
  const { key: readKey } = await post<{ key: string }>(pool, `/projects/${projectId}/api-keys`, headers, {
    name: 'reader',
    scope: 'READ_ONLY',
  });
  const metadata = JSON.stringify(
    Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`m${n}`, '\u2713'.repeat(165)])),
  );
  const url = `http://127.0.0.1:9/${'x'.repeat(2_000)}`;
  const fill = (sql: string, ...values: unknown[]) => sqlWithTimeout(LONG_STATEMENT_MS).query(sql, values);
  await fill(
    `INSERT INTO customers (id, project_id, uid, name, metadata)
     SELECT gen_random_uuid(), $1, 'customer-' || n, repeat('n', 200), $2::jsonb FROM generate_series(1, 200) n`,
    projectId,
    metadata,
  );
  await fill(
    `WITH e AS (
       INSERT INTO endpoints (id, project_id, url, description, metadata, enabled)
       SELECT gen_random_uuid(), $1, $3 || n, repeat('d', 500), $2::jsonb, false FROM generate_series(1, 200) n RETURNING id),
     v AS (
       INSERT INTO events (id, project_id, type, payload)
       SELECT uuidv7(-(n || ' ms')::interval), $1, 'order.paid', '{"type":"order.paid","data":{}}' FROM generate_series(1, 2000) n
       RETURNING id)
     INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, last_response_status, completed_at)
     SELECT v.id, $1, v.id, (SELECT id FROM e LIMIT 1), 'SUCCEEDED', 1, 200, now() FROM v`,
    projectId,
    metadata,
    url,
  );
  await fill(
    `INSERT INTO destinations (id, project_id, source_id, url, description, metadata)
     SELECT gen_random_uuid(), $1, $2, $4 || n, repeat('d', 500), $3::jsonb FROM generate_series(1, 200) n`,
    projectId,
    sourceId,
    metadata,
    url,
  );
  return { projectId, readKey, sourceId };
}

/** Stores the largest bodies that the defaults allow: text, text of which JSON takes six times as much, and bytes that are not text. */
async function makeLarge(
  pool: Pool,
  { owner: { headers }, projectId, key, sourceIds: [, sourceId], ingressPaths: [, ingressPath = ''] }: Tenant,
): Promise<Pick<Attacker, 'largeIncomingEvents' | 'largeAttempts' | 'largeEvents'>> {
  const receiver = createServer((message, response) => message.resume().on('end', () => response.end('ok')));
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const project = `/api/v1/projects/${projectId}`;
  const destination = { url: localWebhookUrl((receiver.address() as AddressInfo).port) };
  await post(pool, `/projects/${projectId}/sources/${sourceId}/destinations`, headers, destination);
  const bytes = 512 * 1024;
  const line = `{"id":"4f1d","note":"paid \u2713"},\n`;
  const bodies = [Buffer.from(line.repeat(bytes)).subarray(0, bytes - 3), Buffer.alloc(bytes, 1), randomBytes(bytes)];
  const largeIncomingEvents: string[] = [];
  for (const body of bodies) {
    const { id } = await postIngress(pool, ingressPath, body);
    largeIncomingEvents.push(`${project}/incoming-events/${id}`);
  }
  const largeEvents: string[] = [];
  for (const value of ['x'.repeat(255 * 1024), '\u0001'.repeat(42 * 1024)]) {
    const { id } = await post<{ id: string }>(
      pool,
      '/events',
      { 'x-api-key': key },
      { type: 'large', data: { value } },
    );
    largeEvents.push(`${project}/events/${id}`);
  }
  const largeAttempts: string[] = [];
  while (largeAttempts.length < bodies.length) {
    await sleep(200);
    const { rows } = await sqlWithTimeout(LONG_STATEMENT_MS).query(
      `SELECT a.delivery_id, a.id FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
       WHERE d.project_id = $1 AND d.incoming_event_id = ANY($2)`,
      [projectId, largeIncomingEvents.map((path) => path.split('/').at(-1))],
    );
    largeAttempts.splice(
      0,
      bodies.length,
      ...rows.map((row) => `${project}/deliveries/${row.delivery_id}/attempts/${row.id}`),
    );
  }
  receiver.close();
  receiver.closeAllConnections();
  return { largeIncomingEvents, largeAttempts, largeEvents };
}

async function postIngress(pool: Pool, path: string, body: string | Buffer = '{}'): Promise<{ id: string }> {
  const response = await pool.request({ method: 'POST', path, body });
  return (await response.body.json()) as { id: string };
}
