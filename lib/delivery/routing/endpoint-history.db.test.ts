import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { isSettled, startWorker } from '@/tests/delivery/worker';
import { insertEndpoint, insertEvents } from '@/tests/fixtures/deliveries';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { call } from '@/tests/http/api-request';
import { startReceiver, waitFor } from '@/tests/http/receiver';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();

const periodsOf = (endpointId: string) =>
  select<{ starts_at: Date; ends_at: Date | null; reason: string | null }>(
    'SELECT starts_at, ends_at, reason FROM endpoint_disabled_periods WHERE endpoint_id = $1 ORDER BY starts_at',
    endpointId,
  );
const setEnabled = (endpointId: string, enabled: boolean) =>
  call('PATCH', `${base()}/endpoints/${endpointId}`, { ...asOwner(), body: { enabled } });

describe('the periods in which an endpoint was disabled', () => {
  it('begin when a person pauses it, and end when it is enabled', async () => {
    const { id } = await makeEndpoint();
    expect(await periodsOf(id)).toEqual([]);
    for (const enabled of [false, false, true, true, false]) await setEnabled(id, enabled);
    const [first, second, ...others] = await periodsOf(id);
    expect([first, second, others]).toEqual([
      { starts_at: expect.any(Date), ends_at: expect.any(Date), reason: null },
      { starts_at: expect.any(Date), ends_at: null, reason: null },
      [],
    ]);
    expect(first?.ends_at?.getTime()).toBeLessThanOrEqual(second?.starts_at.getTime() ?? 0);
  });

  it('begin with an endpoint that is created disabled, and do not with its deletion', async () => {
    const paused = await makeEndpoint(projects.mine, { enabled: false });
    expect(await periodsOf(paused.id)).toEqual([
      { starts_at: new Date(paused.createdAt), ends_at: null, reason: null },
    ]);
    const { id } = await makeEndpoint();
    await call('DELETE', `${base()}/endpoints/${id}`, asOwner());
    expect(await periodsOf(id)).toEqual([]);
  });

  it('begin when a worker disables it, with the reason', async () => {
    const receiver = await startReceiver((response) => response.writeHead(410).end());
    const endpoint = await insertEndpoint({ url: receiver.url });
    await insertEvents(endpoint.projectId, 1);
    await startWorker();
    await waitFor('the attempt', isSettled(endpoint.id, 1));
    await waitFor('the period', async () => (await periodsOf(endpoint.id)).length === 1);
    expect(await periodsOf(endpoint.id)).toEqual([{ starts_at: expect.any(Date), ends_at: null, reason: 'gone' }]);
  });

  it('are the newest 1,000 of an endpoint, and go with it', async () => {
    const { id } = await makeEndpoint();
    await run(
      `INSERT INTO endpoint_disabled_periods (endpoint_id, starts_at, ends_at)
       SELECT $1, now() - n * interval '1 hour', now() - n * interval '1 hour' + interval '1 minute' FROM generate_series(1, 1000) n`,
      id,
    );
    const [oldest] = await periodsOf(id);
    await setEnabled(id, false);
    const periods = await periodsOf(id);
    expect(periods).toHaveLength(1_000);
    expect(periods[0]?.starts_at).not.toEqual(oldest?.starts_at);
    await run('DELETE FROM endpoints WHERE id = $1', id);
    expect(await periodsOf(id)).toEqual([]);
  });
});

describe('the last change of what an endpoint gets', () => {
  const changedAt = async (id: string) =>
    (await select('SELECT routing_changed_at AS at FROM endpoints WHERE id = $1', id))[0]?.at as Date | null;

  it('is none of an endpoint without subscriptions, and no change of an endpoint for what is changed otherwise', async () => {
    const { id, updatedAt } = await makeEndpoint();
    expect(await changedAt(id)).toBeNull();
    await setEnabled(id, false);
    await setEnabled(id, true);
    expect(await changedAt(id)).toBeNull();
    const { json } = await call<{ updatedAt: string }>('GET', `${base()}/endpoints/${id}`, asOwner());
    const body = { endpointId: id, eventType: 'a' };
    await call('POST', `${base()}/subscriptions`, { ...asOwner(), body });
    expect(await changedAt(id)).toEqual(expect.any(Date));
    const after = await call<{ updatedAt: string }>('GET', `${base()}/endpoints/${id}`, asOwner());
    expect(after.json.updatedAt).toBe(json.updatedAt);
    expect(json.updatedAt).not.toBe(updatedAt);
  });

  it('is noted by a transaction that began before another one noted its own', async () => {
    const { id } = await makeEndpoint(projects.mine, { eventTypes: ['a', 'b'] });
    const disable = (type: string) =>
      `UPDATE subscriptions SET enabled = false WHERE endpoint_id = '${id}' AND event_type = '${type}'`;
    const earlier = await database().connect();
    try {
      await earlier.query('BEGIN; SELECT now()');
      await run(disable('a'));
      const first = await changedAt(id);
      await sleep(5);
      await earlier.query(disable('b'));
      await earlier.query('COMMIT');
      expect((await changedAt(id))?.getTime()).toBeGreaterThan(first?.getTime() ?? 0);
    } finally {
      earlier.release();
    }
  });

  it('lets changes of an endpoint and of its subscriptions run at once', async () => {
    const { id } = await makeEndpoint(projects.mine, { eventTypes: ['a', 'b', 'c'] });
    const subscriptions = await select<{ id: string }>('SELECT id FROM subscriptions WHERE endpoint_id = $1', id);
    const patch = (path: string, body: object) => call('PATCH', `${base()}/${path}`, { ...asOwner(), body });
    for (let n = 0; n < 10; n++) {
      const isOn = n % 2 === 0;
      const statuses = await Promise.all([
        patch(`endpoints/${id}`, { receivesCustomerEvents: isOn }),
        ...subscriptions.map((subscription) => patch(`subscriptions/${subscription.id}`, { enabled: !isOn })),
      ]);
      expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
  });
});
