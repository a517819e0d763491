import { checkAlerts } from '@/lib/alerts/check-alerts';
import { ALERT_TRIGGERS } from '@/lib/alerts/triggers-policy';
import { MINUTE_MS } from '@/lib/platform/clock';
import { database, sqlWithTimeout } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { Pace } from '@/lib/platform/pace';
import { readArguments } from './support/bench-arguments';
import { checkFigure, checkValue, reportFigure, say } from './support/figures';
import { cpuMsByPart, differenceByPart } from './support/process-cost';
import { withStack } from './support/stack';

/** Projects with alerts, and what they have. */
interface Tenants {
  projects: number;
  alerts: number;
  endpoints: number;
  /** For each endpoint. */
  deliveries: number;
  types: number;
  /** CPU that a round may take. */
  atMostMs: number;
}
const FULL = {
  rounds: 7,
  one: { projects: 1, alerts: 20, endpoints: 10_000, deliveries: 50, types: 1_000, atMostMs: 1_800 },
  many: { projects: 1_000, alerts: 1, endpoints: 20, deliveries: 10, types: 20, atMostMs: 4_500 },
};
const QUICK = {
  rounds: 3,
  one: { projects: 1, alerts: 20, endpoints: 1_000, deliveries: 20, types: 1_000, atMostMs: 1_800 },
  many: { projects: 100, alerts: 1, endpoints: 20, deliveries: 10, types: 20, atMostMs: 1_000 },
};
/** A pace in which nobody rests. */
const UNBOUNDED = new Pace({ perSecond: 1, burst: 1 }, () => true);
/** Rows that a round may read of a table by a sequential scan: of small ones the planner prefers it. */
const MAX_SCANNED = 5_000;

/**
 * What the checks of alerts cost, each of which is due every 30 seconds: time, and CPU of worker and database, of one project with 20 alerts
 * and 10,000 endpoints, and of 1,000 projects with an alert. Each tells of everything. Checks that no statement scans a large table.
 */
export async function main(args: string[]): Promise<void> {
  const { isQuick } = readArguments(args);
  const { rounds, one, many } = isQuick ? QUICK : FULL;
  for (const tenants of [one, many]) await measure(tenants, rounds);
}

function measure(tenants: Tenants, rounds: number): Promise<void> {
  const { projects, alerts, endpoints } = tenants;
  return withStack(async () => {
    const label = `${projects.toLocaleString('en-US')} × ${alerts} alerts, ${endpoints.toLocaleString('en-US')} endpoints each`;
    say(`\n${label}: storing a history`);
    await seed(tenants);
    await slowly().query('VACUUM ANALYZE');
    const [tookMs, cpuMs]: [number[], number[]] = [[], []];
    let scanned = new Map<string, number>();
    for (let round = 0; round <= rounds; round++) {
      await database().query('UPDATE alerts SET next_check_at = now()');
      const before = cpuMsByPart(process.pid);
      const startedAt = performance.now();
      while ((await checkAlerts(UNBOUNDED)) === 0);
      const ms = performance.now() - startedAt;
      const { supervisor, postgres } = differenceByPart(before, cpuMsByPart(process.pid));
      if (round === 0) {
        const { rows } = await database().query(
          'SELECT trigger, count(*)::int FROM alert_incidents GROUP BY 1 ORDER BY 1',
        );
        say(`begun in ${ms.toFixed(0)} ms: ${rows.map(({ trigger, count }) => `${trigger} ${count}`).join(', ')}`);
        scanned = await rowsScanned();
        continue;
      }
      tookMs.push(ms);
      cpuMs.push(supervisor + postgres);
    }
    reportFigure(`checks of 30 s, ${label}`, tookMs, ' ms');
    checkFigure('  CPU of this process and the database', cpuMs, { atMost: tenants.atMostMs }, ' ms');
    for (const [table, rows] of await rowsScanned()) {
      const read = rows - (scanned.get(table) ?? 0);
      if (read > 0) checkValue(`  rows of ${table} that a round scans`, read / rounds, { atMost: MAX_SCANNED });
    }
  });
}

/** Returns the rows that sequential scans have read of each table. */
async function rowsScanned(): Promise<Map<string, number>> {
  // A session reports what it has read within a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const { rows } = await database().query<{ relname: string; seq_tup_read: number }>(
    'SELECT relname, seq_tup_read::float8 FROM pg_stat_user_tables',
  );
  return new Map(rows.map(({ relname, seq_tup_read }) => [relname, seq_tup_read]));
}

/** Millions of rows take longer than a statement of the service may. */
const slowly = () => sqlWithTimeout(5 * MINUTE_MS);

/** SQL for an id of the time at which something happened. */
const idAt = (at: string) =>
  `(lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 19))::uuid`;

/**
 * Stores projects with a day of history: of 50 endpoints one fails since hours, with failed deliveries and others that wait, and every
 * twentieth had a failure in some hour. A source refuses its provider, two types have mismatches, a key expires.
 */
async function seed({ projects, alerts, endpoints, deliveries, types }: Tenants): Promise<void> {
  const ids = Array.from({ length: projects }, newId);
  const run = (text: string, ...values: unknown[]) => slowly().query(text, [ids, ...values]);
  await run(
    `WITH p AS (SELECT id FROM unnest($1::uuid[]) id),
     o AS (INSERT INTO organizations (id, name, updated_at) SELECT id, 'Bench', now() FROM p)
     INSERT INTO projects (id, organization_id, name, updated_at, event_type_policy) SELECT id, id, 'Bench', now(), 'REPORT' FROM p`,
  );
  await run(
    `INSERT INTO alerts (id, project_id, owner_id, name, kind, target_encrypted, triggers)
     SELECT gen_random_uuid(), p, p, 'On call', 'SLACK', 'x', $3::"AlertTrigger"[]
     FROM unnest($1::uuid[]) p, generate_series(1, $2::int)`,
    alerts,
    ALERT_TRIGGERS,
  );
  await run(
    `INSERT INTO endpoints (id, project_id, url, failing_since)
     SELECT gen_random_uuid(), p, 'https://example.com/' || n, CASE WHEN n % 50 = 1 THEN now() - interval '3 hours' END
     FROM unnest($1::uuid[]) p, generate_series(1, $2::int) n`,
    endpoints,
  );
  await run(
    `INSERT INTO stats (project_id, period, subject_id, starts_at, succeeded, server_errors, deliveries_failed)
     SELECT project_id, 'HOUR', id, date_trunc('hour', now()) - make_interval(hours => h), 40,
            CASE WHEN failing_since IS NOT NULL AND h < 4 OR random() < 0.002 THEN 5 ELSE 0 END,
            CASE WHEN failing_since IS NOT NULL AND h < 2 THEN 1 ELSE 0 END
     FROM endpoints, generate_series(0, 25) h WHERE project_id = ANY($1::uuid[])`,
  );
  await run(
    `INSERT INTO stats (project_id, period, subject_id, starts_at, events, incoming_rejected)
     SELECT p, 'MINUTE', p, date_trunc('minute', now()) - make_interval(mins => m), 100, 2
     FROM unnest($1::uuid[]) p, generate_series(0, 59) m`,
  );
  await run(
    `INSERT INTO events (id, project_id, type, payload, created_at)
     SELECT ${idAt('at')}, p, 'order.paid', '{"orderId":"ord_8f2c1"}', at
     FROM unnest($1::uuid[]) p, generate_series(1, $2::int) n, LATERAL (SELECT now() - n * interval '20 minutes' AS at) t`,
    deliveries,
  );
  await run(
    `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, last_error, last_response_status,
                             next_attempt_at, last_attempt_at, completed_at, created_at)
     SELECT ${idAt('v.created_at')}, v.project_id, v.id, e.id, s::"DeliveryStatus", 1,
            CASE s WHEN 'SUCCEEDED' THEN NULL ELSE 'Answered with status 500' END, 500,
            CASE s WHEN 'PENDING' THEN now() + random() * interval '1 hour' - interval '10 minutes' END, v.created_at,
            CASE s WHEN 'PENDING' THEN NULL ELSE v.created_at END, v.created_at
     FROM events v JOIN endpoints e ON e.project_id = v.project_id CROSS JOIN LATERAL (
       SELECT CASE WHEN e.failing_since IS NULL OR v.created_at < e.failing_since THEN 'SUCCEEDED'
                   WHEN v.created_at < now() - interval '1 hour' THEN 'FAILED' ELSE 'PENDING' END AS s) state
     WHERE v.project_id = ANY($1::uuid[])`,
  );
  await run(
    `WITH s AS (
       INSERT INTO sources (id, project_id, name, provider, token_hash, token_encrypted, secret_encrypted)
       SELECT gen_random_uuid(), p, 'Source ' || n, 'GITHUB', decode(md5(random()::text), 'hex'), 'x', 'x'
       FROM unnest($1::uuid[]) p, generate_series(1, 5) n RETURNING id, project_id, name
     )
     INSERT INTO incoming_events (id, project_id, source_id, verified, method, headers, body, size, created_at)
     SELECT ${idAt('at')}, project_id, id, name <> 'Source 1', 'POST', '[]', 'x', 1, at
     FROM s, generate_series(1, $2::int) n, LATERAL (SELECT now() - n * interval '20 seconds' AS at) t`,
    endpoints / 10,
  );
  await run(
    `INSERT INTO event_types (id, project_id, name, schema, mismatch_count, last_mismatch_at, updated_at)
     SELECT gen_random_uuid(), p, 'order.step' || n, $3, 1, CASE WHEN n < 3 THEN now() END, now() - interval '1 day'
     FROM unnest($1::uuid[]) p, generate_series(1, $2::int) n`,
    types,
    JSON.stringify({ description: 'x'.repeat(1_500) }),
  );
  await run(
    `INSERT INTO api_keys (id, project_id, name, key_hash, hint, expires_at)
     SELECT gen_random_uuid(), p, 'server', decode(md5(random()::text), 'hex'), 'x', now() + n * interval '5 days'
     FROM unnest($1::uuid[]) p, generate_series(1, 5) n`,
  );
}
