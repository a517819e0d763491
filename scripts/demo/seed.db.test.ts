import { beforeAll, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { useDatabase } from '@/tests/database/use-database';
import { insertEndpoint } from '@/tests/fixtures/deliveries';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { countAttemptsDirectly, readStats } from '@/tests/fixtures/stats';
import { makeTunnel } from '@/tests/fixtures/tunnels';
import { call } from '@/tests/http/api-request';
import { RECEIVERS } from './receivers';
import { type SeedTargets, seedHistory } from './seed';

useDatabase();

const seeded = {} as { project: TestProject; demo: SeedTargets; seconds: number };

/** Creates what the demo creates through the API. */
async function makeDemo(project: TestProject): Promise<SeedTargets> {
  const targets = [];
  for (const receiver of RECEIVERS) {
    const { id } = await insertEndpoint({ url: `http://127.0.0.1:4747${receiver.path}`, projectId: project.id });
    targets.push({ id, receiver });
  }
  const source = await call<{ id: string }>('POST', `/api/v1/projects/${project.id}/sources`, {
    apiKey: project.key,
    body: { name: 'GitHub', provider: 'GITHUB' },
  });
  const { id: tunnelId } = await makeTunnel(project);
  return {
    ...{ organizationId: project.owner.organizationId, projectId: project.id, userId: project.owner.userId, tunnelId },
    disabledEndpointId: targets.find(({ receiver }) => receiver.health === 'disabled')?.id ?? '',
    ...{ targets, sources: [{ id: source.json.id, provider: 'GITHUB', destinationId: null }] },
    remoteAddress: '127.0.0.1:4747',
  };
}

const count = async (sql: string) => {
  const { rows } = await database().query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`);
  return rows[0]?.n ?? 0;
};
const TABLES = [
  'events',
  'deliveries',
  'delivery_attempts',
  'incoming_events',
  'tunnel_request_log',
  'audit_log',
  'stats',
];
const countAll = () => Promise.all([...TABLES, 'memberships', 'stat_batches'].map(count));

describe('the history of the demo', () => {
  beforeAll(async () => {
    seeded.project = await makeTestProject();
    seeded.demo = await makeDemo(seeded.project);
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
    const [weekdays, weekends] = [await perDay('< 6'), await perDay('> 5')];
    expect(weekdays.rows[0]?.n).toBeGreaterThan(1.5 * (weekends.rows[0]?.n ?? 0));
  });

  it('has statistics that equal the stored attempts', async () => {
    const isCompared = ({ period, subject_id: subject }: Record<string, unknown>) =>
      period === 'DAY' || (period === 'HOUR' && subject === seeded.project.id);
    const [stats, direct] = [await readStats(), await countAttemptsDirectly()];
    expect(stats.filter(isCompared).length).toBeGreaterThan(500);
    expect(stats.filter(isCompared)).toEqual(direct.filter(isCompared));
  });

  it('has statistics that equal the stored events and incoming events', async () => {
    const { rows } = await database().query(
      `SELECT sum(events)::int AS events, sum(incoming_verified + incoming_rejected)::int AS incoming
       FROM stats WHERE period = 'HOUR' AND subject_id = $1`,
      [seeded.project.id],
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

  it('has consistent deliveries, whose attempts can be inspected', async () => {
    const wrong = `deliveries d WHERE stored_attempts <> (SELECT count(*) FROM delivery_attempts a WHERE a.delivery_id = d.id)
      OR (status = 'PENDING') <> (next_attempt_at IS NOT NULL) OR (status <> 'PENDING') <> (completed_at IS NOT NULL)
      OR (status = 'SUCCEEDED') <> EXISTS (SELECT FROM delivery_attempts a WHERE a.delivery_id = d.id AND a.succeeded)`;
    expect(await count(wrong)).toBe(0);
    expect(
      await count('delivery_attempts WHERE request_parts IS NULL OR first_byte_us IS NULL AND response_status > 0'),
    ).toBe(0);
    const { rows } = await database().query<{ delivery_id: string; id: string }>(
      'SELECT delivery_id, id FROM delivery_attempts WHERE succeeded ORDER BY id DESC LIMIT 1',
    );
    const [newest] = rows;
    const path = `/api/v1/projects/${seeded.project.id}/deliveries/${newest?.delivery_id}/attempts/${newest?.id}`;
    const attempt = await call('GET', path, { apiKey: seeded.project.key });
    expect(attempt.json).toMatchObject({ request: expect.anything(), responseStatus: 200, timing: expect.anything() });
  });

  it('lies in partitions, so that retention has nothing to move', async () => {
    for (const branch of ['delivery_attempts_succeeded', 'delivery_attempts_failed', 'tunnel_request_log']) {
      expect(await count(`partitions.${branch}_default`)).toBe(0);
    }
  });

  it('is written once: a second run adds nothing', async () => {
    const before = await countAll();
    expect(await seedHistory(seeded.demo)).toBe(false);
    expect(await countAll()).toEqual(before);
  });
});
