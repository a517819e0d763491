import { beforeAll, describe, expect, it } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, systemClock } from '@/lib/platform/clock';
import { database } from '@/lib/platform/db';
import { runJob } from '@/lib/retention/jobs/run-job';
import { utcDayOf } from '@/lib/retention/partitions/partitions';
import { itOnOneServer } from '@/tests/database/one-server';
import { timeOfId } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { countFrom as count, registerDemoAccount } from '@/tests/fixtures/demo';
import { countAttemptsDirectly, readStats } from '@/tests/fixtures/stats';
import { useTunnelServer } from '@/tests/tunnel/tunnel-server';
import { Api, type SignedIn } from './account';
import { seedHistory } from './seed';
import { makeWorkspace, type Workspace } from './workspace';

useDatabase();

const server = useTunnelServer();
const seeded = {} as { account: SignedIn; demo: Workspace; seconds: number };
const api = () => new Api(server.origin);
const registerDemo = (addToExisting: boolean) => registerDemoAccount(api(), addToExisting);

const DATA_TABLES = ['events', 'deliveries', 'delivery_attempts', 'incoming_events', 'tunnel_request_log'];
const TABLES = [...DATA_TABLES, 'audit_log', 'stats'];
const countAll = () => Promise.all([...TABLES, 'memberships', 'stat_batches'].map(count));

describe('the history of the demo', () => {
  beforeAll(async () => {
    seeded.account = await registerDemo(false);
    seeded.demo = await makeWorkspace(api(), seeded.account, '127.0.0.1:4747');
    const startedAt = performance.now();
    expect(await seedHistory(seeded.demo)).toBe(true);
    seeded.seconds = (performance.now() - startedAt) / 1000;
    process.stdout.write(`demo: ${seeded.seconds.toFixed(1)} s\n`);
  }, 120_000);

  it('has events on each of 30 days, and fewer of them on weekends and at night', async () => {
    expect(await count('(SELECT DISTINCT created_at::date FROM events) AS d')).toBeGreaterThanOrEqual(30);
    const perDay = (days: string) =>
      database().query<{ n: number }>(
        `SELECT avg(n)::float AS n FROM (SELECT count(*) AS n FROM events WHERE extract(isodow FROM created_at) ${days}
           GROUP BY created_at::date) AS d`,
      );
    const weekdays = await perDay('< 6');
    const weekends = await perDay('> 5');
    expect(weekdays.rows[0]?.n).toBeGreaterThan(1.5 * (weekends.rows[0]?.n ?? 0));
  });

  it('has statistics that equal the stored attempts, as far back as all of them are stored', async () => {
    // The demo leaves out attempts that expire soon (kept.ts).
    const since = utcDayOf(addMs(systemClock(), -14 * DAY_MS + 2 * HOUR_MS)).to;
    const isCompared = ({ period, subject_id: subject, starts_at }: Record<string, unknown>) =>
      (period === 'DAY' || (period === 'HOUR' && subject === seeded.demo.projectId)) && (starts_at as Date) >= since;
    const stats = await readStats();
    const direct = await countAttemptsDirectly();
    expect(stats.filter(isCompared).length).toBeGreaterThan(300);
    expect(stats.filter(isCompared)).toEqual(direct.filter(isCompared));
  });

  it('has statistics of 30 days, also of the attempts that retention has removed', async () => {
    const days = await count(`(SELECT starts_at::date FROM stats WHERE subject_id = '${seeded.demo.projectId}'
      AND period = 'HOUR' AND succeeded > 0 GROUP BY 1) AS d`);
    expect(days).toBeGreaterThanOrEqual(30);
  });

  it('has nothing that retention would remove, so that no row is overdue', async () => {
    const run = await runJob('main');
    expect([run.status, run.partitionsDropped]).toEqual(['done', 0]);
    const removed = Object.entries(run.rowsRemoved).filter(([table, rows]) => DATA_TABLES.includes(table) && rows > 0);
    expect(removed).toEqual([]);
    const oldest = async (condition: string) => {
      const { rows } = await database().query<{ days: number }>(
        `SELECT (extract(epoch FROM now() - min(created_at)) / 86400)::float AS days FROM ${condition}`,
      );
      return rows[0]?.days;
    };
    expect(await oldest('delivery_attempts WHERE succeeded')).toBeLessThan(14);
    expect(await oldest('delivery_attempts WHERE succeeded')).toBeGreaterThan(13);
    expect(await oldest('delivery_attempts WHERE NOT succeeded')).toBeGreaterThan(25);
    expect(await oldest('incoming_events')).toBeLessThan(30);
    expect(await oldest('tunnel_request_log')).toBeLessThan(7);
  });

  it('has statistics that equal the stored events and incoming events', async () => {
    const { rows } = await database().query(
      `SELECT sum(events)::int AS events, sum(incoming_verified + incoming_rejected)::int AS incoming
       FROM stats WHERE period = 'HOUR' AND subject_id = $1`,
      [seeded.demo.projectId],
    );
    expect(rows[0]).toEqual({ events: await count('events'), incoming: await count('incoming_events') });
  });

  it('has an endpoint of every health', async () => {
    const { rows } = await database().query<Record<string, string | null>>(
      `SELECT url, enabled, disabled_reason, pause_reason, failing_since IS NOT NULL AS failing FROM endpoints`,
    );
    const of = (path: string) => rows.find(({ url }) => url?.endsWith(path));
    expect(of('/billing')).toMatchObject({ enabled: true, failing: false });
    expect(of('/legacy-erp')).toMatchObject({ enabled: true, failing: true });
    expect(of('/partner-feed')).toMatchObject({ enabled: false, disabled_reason: 'gone', pause_reason: null });
    expect(of('/staging')).toMatchObject({ enabled: false, disabled_reason: null });
    expect(of('/staging')?.pause_reason).toMatch(/staging/);
    const failedShare = async (path: string) => {
      const all = `delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id JOIN endpoints e ON e.id = d.endpoint_id
                   WHERE e.url LIKE '%${path}' AND a.created_at > now() - interval '2 days'`;
      return (await count(`${all} AND NOT a.succeeded`)) / (await count(all));
    };
    expect(await failedShare('/billing')).toBeLessThan(0.03);
    expect(await failedShare('/crm')).toBeGreaterThan(0.08);
    expect(await failedShare('/legacy-erp')).toBe(1);
  });

  it('has customers, whose events go to their endpoints and to the one that receives those of all', async () => {
    expect(await count('customers WHERE name IS NULL')).toBe(1);
    expect(await count(`events WHERE customer_id IS NULL`)).toBeGreaterThan(
      await count('events WHERE customer_id IS NOT NULL'),
    );
    expect(await count('(SELECT DISTINCT customer_id FROM events WHERE customer_id IS NOT NULL) c')).toBe(7);
    const delivered = 'deliveries d JOIN events e ON e.id = d.event_id JOIN endpoints t ON t.id = d.endpoint_id';
    expect(await count(`${delivered} WHERE d.customer_id IS DISTINCT FROM t.customer_id`)).toBe(0);
    const misdirected = `t.customer_id <> coalesce(e.customer_id, t.project_id)
      OR e.customer_id IS NOT NULL AND t.customer_id IS NULL AND NOT t.receives_customer_events`;
    expect(await count(`${delivered} WHERE ${misdirected}`)).toBe(0);
    expect(await count(`${delivered} WHERE e.customer_id IS NOT NULL AND t.receives_customer_events`)).toBeGreaterThan(
      500,
    );
    expect(await count(`endpoints t JOIN customers c ON c.id = t.customer_id WHERE t.created_at < c.created_at`)).toBe(
      0,
    );
  });

  it('has endpoints with a uid, metadata, headers, a filter, a rate limit, the signatures of Svix and bodies of data', async () => {
    const { rows } = await database().query<Record<string, boolean>>(
      `SELECT bool_or(uid = 'billing' AND metadata <> '{}') AS uid, bool_or(cardinality(header_names) > 0) AS headers,
         bool_or(filter IS NOT NULL) AS filter, bool_or(rate_requests > 0) AS rate, bool_or(signature->>'profile' = 'SVIX') AS svix,
         bool_or(body_format = 'DATA') AS data
       FROM endpoints`,
    );
    expect(rows[0]).toEqual({ uid: true, headers: true, filter: true, rate: true, svix: true, data: true });
    const unwanted = `deliveries d JOIN endpoints t ON t.id = d.endpoint_id JOIN events e ON e.id = d.event_id
      WHERE t.url LIKE '%/fraud-review' AND (e.payload::jsonb->>'amount')::int < 30000`;
    expect(await count(unwanted)).toBe(0);
    expect(
      await count(`deliveries d JOIN endpoints t ON t.id = d.endpoint_id WHERE t.url LIKE '%/fraud-review'`),
    ).toBeGreaterThan(50);
  });

  it('has consistent deliveries, whose attempts can be inspected', async () => {
    const wrong = `deliveries d WHERE stored_attempts <> (SELECT count(*) FROM delivery_attempts a WHERE a.delivery_id = d.id)
      OR stored_attempts > attempt_count OR (status = 'PENDING') <> (next_attempt_at IS NOT NULL) OR (status <> 'PENDING') <> (completed_at IS NOT NULL)
      OR (status = 'SUCCEEDED' AND last_attempt_at > now() - interval '13 days')
         <> EXISTS (SELECT FROM delivery_attempts a
                    WHERE a.delivery_id = d.id AND a.succeeded AND created_at > now() - interval '13 days')`;
    expect(await count(wrong)).toBe(0);
    expect(
      await count('delivery_attempts WHERE request_parts IS NULL OR first_byte_us IS NULL AND response_status > 0'),
    ).toBe(0);
    const { rows } = await database().query<{ delivery_id: string; id: string }>(
      'SELECT delivery_id, id FROM delivery_attempts WHERE succeeded ORDER BY id DESC LIMIT 1',
    );
    const [newest] = rows;
    const attemptPath = `/projects/${seeded.demo.projectId}/deliveries/${newest?.delivery_id}/attempts/${newest?.id}`;
    const attempt = await api().call('GET', attemptPath, { token: seeded.account.token });
    expect(attempt).toMatchObject({ request: expect.anything(), responseStatus: 200, timing: expect.anything() });
  });

  it('begins with the owner, the organization and the project, then endpoints and their subscriptions', async () => {
    const { rows } = await database().query<{ name: string; first: Date; last: Date }>(
      `SELECT 'user' AS name, min(created_at) AS first, max(created_at) AS last FROM users WHERE id = $1
       UNION ALL SELECT 'member', min(created_at), max(created_at) FROM memberships WHERE role = 'OWNER'
       UNION ALL SELECT 'organization', min(created_at), max(created_at) FROM organizations
       UNION ALL SELECT 'project', min(created_at), max(created_at) FROM projects
       UNION ALL SELECT 'endpoint', min(created_at), max(created_at) FROM endpoints WHERE description <> 'Test receiver'
       UNION ALL SELECT 'colleague', min(created_at), max(created_at) FROM memberships WHERE role <> 'OWNER'`,
      [seeded.account.userId],
    );
    const starts = rows.map(({ first }) => first.getTime());
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    const older = await count(
      `subscriptions s JOIN endpoints e ON e.id = s.endpoint_id WHERE s.created_at < e.created_at`,
    );
    expect(older).toBe(0);
    const oldestEvent = await database().query<{ at: Date }>('SELECT min(created_at) AS at FROM events');
    expect(rows.find(({ name }) => name === 'endpoint')?.last.getTime()).toBeLessThan(
      oldestEvent.rows[0]?.at.getTime() ?? 0,
    );
  });

  it('has no delivery to an endpoint or of a subscription that is younger', async () => {
    const younger = `deliveries d JOIN endpoints e ON e.id = d.endpoint_id JOIN subscriptions s ON s.endpoint_id = e.id
      WHERE d.created_at < e.created_at OR d.created_at < s.created_at`;
    expect(await count(younger)).toBe(0);
    expect(
      await count(`destinations x JOIN deliveries d ON d.destination_id = x.id WHERE d.created_at < x.created_at`),
    ).toBe(0);
    expect(
      await count(`sources s JOIN incoming_events i ON i.source_id = s.id WHERE i.created_at < s.created_at`),
    ).toBe(0);
    expect(
      await count(`tunnels t JOIN tunnel_request_log r ON r.tunnel_id = t.id WHERE r.created_at < t.created_at`),
    ).toBe(0);
  });

  it.each([
    ['Reporting', 'api_keys WHERE name', 25 * DAY_MS],
    ['ada-laptop', 'tunnels WHERE name', 20 * DAY_MS],
    ['katherine@northwind.example', 'invitations WHERE email', 2 * DAY_MS],
    ['dorothy@northwind.example', 'invitations WHERE email', 5 * HOUR_MS],
    ['cus_paper_lantern', 'customers WHERE uid', DAY_MS],
    ['Test receiver', 'endpoints WHERE description', 3 * MINUTE_MS],
  ])('has %s, which was added later', async (name, where, msAgo) => {
    const { rows } = await database().query<{ at: Date }>(`SELECT created_at AS at FROM ${where} = $1`, [name]);
    const ms = Date.now() - (rows[0]?.at.getTime() ?? 0);
    expect(ms).toBeGreaterThanOrEqual(msAgo);
    expect(ms).toBeLessThan(msAgo + 10 * MINUTE_MS);
  });

  it('has invitations and keys that still are valid', async () => {
    expect(await count('invitations WHERE expires_at > now()')).toBe(2);
    expect(
      await count(
        'api_keys LEFT JOIN key_uses u ON key_id = id WHERE u.last_used_at < created_at OR expires_at < now()',
      ),
    ).toBe(0);
  });

  it('has a colleague of every role, with a readable address', async () => {
    const { rows } = await database().query<{ email: string; role: string }>(
      'SELECT u.email, m.role FROM memberships m JOIN users u ON u.id = m.user_id ORDER BY m.created_at',
    );
    expect(rows.map(({ email, role }) => `${email.split('@')[0]} ${role}`)).toEqual([
      'ada OWNER',
      'grace ADMIN',
      'linus DEVELOPER',
      'margaret DEVELOPER',
      'alan VIEWER',
    ]);
    expect(rows.every(({ email }) => email.endsWith('@northwind.example'))).toBe(true);
  });

  it('lies in partitions, so that retention has nothing to move', async () => {
    for (const table of ['delivery_attempts', 'tunnel_request_log']) {
      expect(await count(`${table}_default`)).toBe(0);
    }
  });

  itOnOneServer('has audit entries from when their targets were created, in the order of their ids', async () => {
    const kinds = [
      'api_key',
      'customer',
      'endpoint',
      'subscription',
      'source',
      'destination',
      'tunnel',
      'invitation',
      'project',
    ];
    for (const kind of kinds) {
      const entries = `audit_log a JOIN ${kind}s t ON t.id = a.target_id WHERE a.action = '${kind}.created'`;
      expect(await count(`${entries} AND abs(extract(epoch FROM a.created_at - t.created_at)) > 1`)).toBe(0);
      expect(await count(entries)).toBeGreaterThan(0);
    }
    // The sign-in of this run is not moved: the id and the time of what the product writes differ by as long as its transaction lasts.
    const moved = `audit_log WHERE NOT (action = 'session.created' AND created_at > now() - interval '1 hour')`;
    expect(await count(`${moved} AND abs(extract(epoch FROM created_at - ${timeOfId('id')})) > 1`)).toBe(0);
  });

  it('has audit entries with the targets and details that the product writes', async () => {
    const target = async (action: string) => {
      const { rows } = await database().query<{ type: string; id: string | null; keys: string }>(
        `SELECT DISTINCT target_type AS type, target_id AS id, (SELECT string_agg(k, ' ' ORDER BY k) FROM jsonb_object_keys(details) k) AS keys
         FROM audit_log WHERE action = $1`,
        [action],
      );
      return rows;
    };
    const signIns = await target('session.created');
    expect(new Set(signIns.map(({ type, keys }) => `${type} ${keys}`))).toEqual(new Set(['session method']));
    expect(await target('audit_log.viewed')).toEqual([{ type: 'audit_log', id: null, keys: null }]);
    expect(await target('organization.exported')).toEqual([
      { type: 'organization', id: seeded.account.organizationId, keys: null },
    ]);
    expect(await target('member.role_changed')).toEqual([{ type: 'user', id: expect.any(String), keys: 'from to' }]);
    expect(await target('endpoint.disabled')).toMatchObject([{ type: 'endpoint', keys: 'projectId reason' }]);
  });

  itOnOneServer('has audit entries about people, endpoints and sources that exist', async () => {
    for (const [type, table] of Object.entries({ user: 'users', endpoint: 'endpoints', source: 'sources' })) {
      const entries = `audit_log a WHERE target_type = '${type}'`;
      expect(await count(`${entries} AND action NOT LIKE '%.created'`)).toBeGreaterThan(1);
      expect(await count(`${entries} AND NOT EXISTS (SELECT FROM ${table} t WHERE t.id = a.target_id)`)).toBe(0);
    }
    const strangers = `audit_log a WHERE actor_type = 'USER' AND NOT EXISTS
      (SELECT FROM memberships m WHERE m.user_id = a.actor_id AND (m.created_at <= a.created_at + interval '1 second'))`;
    expect(await count(strangers)).toBe(0);
  });

  it('leaves the audit log append-only', async () => {
    await expect(database().query('UPDATE audit_log SET created_at = now()')).rejects.toThrow('append only');
  });

  it('is written once: a second run adds nothing', async () => {
    const before = await countAll();
    expect(await seedHistory(seeded.demo)).toBe(false);
    expect(await countAll()).toEqual(before);
  });

  it('is written beside that of another demo, whose people have the readable addresses', async () => {
    const before = await count('events');
    const account = await registerDemo(true);
    expect(await seedHistory(await makeWorkspace(api(), account, '127.0.0.1:4747'))).toBe(true);
    expect(await count('events')).toBeGreaterThan(1.8 * before);
    const members = `memberships m JOIN users u ON u.id = m.user_id WHERE organization_id = '${account.organizationId}'`;
    expect(await count(members)).toBe(5);
    expect(await count(`${members} AND u.email ~ '^[a-z]+\\.[0-9a-f]{4}@northwind\\.example$'`)).toBe(5);
  });
});
