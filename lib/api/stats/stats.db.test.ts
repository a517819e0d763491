import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/platform/clock';
import { newId } from '@/lib/platform/ids';
import { rollUpStats } from '@/lib/stats/roll-up';
import type { EndpointHealthList, ProjectStats } from '@/lib/stats/schema';
import { run, timeOfId } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { insertAttempt } from '@/tests/fixtures/stats';
import { call } from '@/tests/http/api-request';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();

const get = (query = '') => call<ProjectStats>('GET', `${base()}/stats${query}`, asOwner());
const ago = (ms: number) => new Date(Date.now() - ms);

const attempt = (id: string, status: number, ageMs: number, durationMs = 100) =>
  insertAttempt({ id, projectId: projects.mine.id }, { status, ageMs, durationMs });

describe('the statistics of a project', () => {
  let healthy: string;
  let failing: string;

  beforeAll(async () => {
    [healthy, failing] = [(await makeEndpoint()).id, (await makeEndpoint()).id];
    await attempt(healthy, 200, MINUTE_MS);
    await attempt(healthy, 200, MINUTE_MS, 900);
    await attempt(failing, 503, MINUTE_MS);
    await attempt(failing, 404, 5 * HOUR_MS);
    await attempt(failing, 302, 100 * HOUR_MS);
    for (const data of [{ a: 1 }, { a: 2 }]) {
      const sent = await call('POST', '/api/v1/events', {
        apiKey: projects.mine.key,
        body: { type: 'order.paid', data },
      });
      expect(sent.status).toBe(202);
    }
    while (await rollUpStats());
  });

  it('have totals and a bucket for each step of each range', async () => {
    const of = async (range: string) => {
      const { status, json } = await get(`?range=${range}`);
      expect(status).toBe(200);
      const sum = json.buckets.reduce((total, { attempts }) => total + attempts.succeeded + attempts.failed, 0);
      return [
        json.buckets.length,
        json.bucketSeconds,
        json.totals.attempts.succeeded,
        json.totals.attempts.failed,
        sum,
      ];
    };
    expect(await of('1h')).toEqual([60, 60, 2, 1, 3]);
    expect(await of('6h')).toEqual([72, 300, 2, 2, 4]);
    expect(await of('24h')).toEqual([24, 3600, 2, 2, 4]);
    expect(await of('7d')).toEqual([56, 10_800, 2, 3, 5]);
    expect(await of('30d')).toEqual([60, 43_200, 2, 3, 5]);
  });

  it('name reasons, events, durations and the endpoints that fail', async () => {
    const { json } = await get();
    expect(json.totals).toMatchObject({
      events: 2,
      failures: { redirects: 0, clientErrors: 1, serverErrors: 1, timeouts: 0, noResponses: 0 },
      deliveries: { succeeded: 2, failed: 2 },
    });
    expect(json.totals.attemptDuration?.p50Ms).toBeGreaterThan(80);
    expect(json.totals.attemptDuration?.p95Ms).toBeGreaterThan(700);
    expect(json.failingTargets).toMatchObject([
      { endpointId: failing, destinationId: null, attempts: { succeeded: 0, failed: 2 }, failedDeliveries: 2 },
    ]);
    expect(json.previousTotals?.attempts).toEqual({ succeeded: 0, failed: 0 });
  });

  it('take a range of one’s own, and refuse one without an end, an order or a bound', async () => {
    const from = ago(6 * HOUR_MS).toISOString();
    const to = ago(4 * HOUR_MS).toISOString();
    const { status, json } = await get(`?from=${from}&to=${to}`);
    expect([status, json.totals.attempts.failed, json.bucketSeconds]).toEqual([200, 1, 300]);
    const old = ago(40 * 24 * HOUR_MS).toISOString();
    for (const query of [
      `from=${from}`,
      `to=${to}`,
      `from=${to}&to=${from}`,
      `from=%00&to=${to}`,
      `from=${from}&to=now`,
      `from=${old}&to=${to}`,
      'range=2h',
      `range=1h&from=${from}&to=${to}`,
      'x=1',
    ]) {
      expect([query, (await get(`?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('tell how long the oldest due delivery has waited', async () => {
    expect((await get()).json.backlog.waiting).toBe(0);
    const dueAt = ago(10 * MINUTE_MS);
    const eventId = newId();
    const { id: projectId } = projects.mine;
    await run(`INSERT INTO events (id, project_id, type, payload) VALUES ($1, $2, 'a', '{}')`, eventId, projectId);
    await run(
      'INSERT INTO deliveries (id, project_id, event_id, endpoint_id, next_attempt_at) VALUES ($1, $2, $3, $4, $5)',
      newId(),
      projectId,
      eventId,
      healthy,
      dueAt,
    );
    expect((await get()).json.backlog).toEqual({
      waiting: 1,
      waitingIsAtLeast: false,
      oldestDueAt: dueAt.toISOString(),
    });
  });

  it('show the health of endpoints by hour, with their last deliveries, and nothing of other projects', async () => {
    const other = newId();
    await run(
      'INSERT INTO endpoints (id, project_id, url) VALUES ($1, $2, $3)',
      other,
      projects.foreign.id,
      'http://x',
    );
    const read = (ids: string[]) =>
      call<EndpointHealthList>('GET', `${base()}/endpoint-health?endpointIds=${ids.join(',')}`, asOwner());
    const { json } = await read([failing, other]);
    expect(json.data).toHaveLength(1);
    const [health] = json.data;
    expect(health).toMatchObject({ endpointId: failing, attempts: { succeeded: 0, failed: 2 } });
    expect(health?.hours).toHaveLength(24);
    expect(health?.hours.at(-6)?.attempts.failed).toBe(1);
    expect(health?.lastDeliveries.map(({ status }) => status)).toEqual(['FAILED', 'FAILED', 'FAILED']);
    for (const ids of [[], ['x'], Array.from({ length: 101 }, () => newId())]) {
      expect((await read(ids)).status).toBe(400);
    }
  });
});

describe('what needs attention', () => {
  const attention = async (project: TestProject) => {
    const { json } = await call<ProjectStats>('GET', `${base(project)}/stats?range=1h`, asOwner(project));
    return json.attention;
  };

  it('is nothing in a healthy project', async () => {
    const project = await makeTestProject();
    await makeEndpoint(project, { eventTypes: ['*'] });
    await makeEndpoint(project, { enabled: false });
    expect(await attention(project)).toEqual([]);
  });

  it('is counted for each reason with the one for which it began first, and without what is paused or deleted', async () => {
    const project = await makeTestProject();
    const make = async (change: string, description?: string) => {
      const { id } = await makeEndpoint(project, { eventTypes: ['*'], description });
      await run(`UPDATE endpoints SET ${change} WHERE id = $1`, id);
      return id;
    };
    await make(`failing_since = now() - interval '1 hour'`);
    const longest = await make(`failing_since = now() - interval '3 hours'`, 'CRM');
    await make(`enabled = false, failing_since = now() - interval '5 hours', disabled_at = now()`);
    await make(`enabled = false, failing_since = now() - interval '6 hours', deleted_at = now()`);
    const disabled = await make(`enabled = false, disabled_reason = 'gone', disabled_at = now()`);
    const sources = `${base(project)}/sources`;
    const stripe = await call<{ id: string }>('POST', sources, {
      ...asOwner(project),
      body: { name: 'Payments', provider: 'STRIPE' },
    });
    await call('POST', sources, { ...asOwner(project), body: { name: 'Code', provider: 'GITHUB' } });
    const made = await call<{ id: string }>('POST', `${sources}/${stripe.json.id}/destinations`, {
      ...asOwner(project),
      body: { url: 'https://forward.example.com/' },
    });
    await run('UPDATE destinations SET failing_since = now() WHERE id = $1', made.json.id);
    expect(await attention(project)).toMatchObject([
      { reason: 'ENDPOINT_DISABLED', count: 1, endpointId: disabled, sourceId: null, description: null },
      {
        reason: 'ENDPOINT_FAILING',
        count: 2,
        endpointId: longest,
        since: expect.stringMatching(/Z$/),
        description: 'CRM',
      },
      { reason: 'DESTINATION_FAILING', count: 1, destinationId: made.json.id, sourceId: stripe.json.id },
      { reason: 'SOURCE_WITHOUT_SECRET', count: 1, sourceId: stripe.json.id, name: 'Payments', since: null },
    ]);
  });

  it('is an endpoint without a delivery for a day, after some in the week before, while it is subscribed', async () => {
    const project = await makeTestProject();
    const make = async (ageHours: number, body: object = { eventTypes: ['*'] }) => {
      const { id } = await makeEndpoint(project, body);
      await insertAttempt({ id, projectId: project.id }, { status: 200, ageMs: ageHours * HOUR_MS });
      return id;
    };
    await make(23);
    const silent = await make(25);
    await make(9 * 24);
    await make(26, {});
    await run(`UPDATE deliveries SET created_at = ${timeOfId('id')} WHERE project_id = $1`, project.id);
    expect(await attention(project)).toMatchObject([{ reason: 'ENDPOINT_SILENT', count: 1, endpointId: silent }]);
  });
});
