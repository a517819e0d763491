import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Attempt, Delivery, Endpoint } from '@/lib/delivery/schema';
import type { EventListItem } from '@/lib/events/schema';
import { DAY_MS } from '@/lib/platform/clock';
import { newId } from '@/lib/platform/ids';
import type { Listing } from '@/lib/platform/pagination';
import { createPartitionsAhead } from '@/lib/retention/partitions/make-partitions';
import { run, select } from '@/tests/database/rows';
import { useDatabase } from '@/tests/database/use-database';
import { insertEvents } from '@/tests/fixtures/deliveries';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { fillProject } from '@/tests/fixtures/full-project';
import { makeTestProject, type TestProject } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import { call, expectInvalid, expectProblem } from '@/tests/http/api-request';

useDatabase();

describe('deliveries', () => {
  const { projects, asOwner, base, makeEndpoint } = useEndpoints();
  let endpoint: Endpoint;
  let deliveryId: string;
  let eventId: string;

  beforeAll(async () => {
    endpoint = await makeEndpoint();
    const sent = await call<{ id: string }>('POST', '/api/v1/events', {
      apiKey: projects.mine.key,
      body: { type: 'order.paid', data: {} },
    });
    eventId = sent.json.id;
    deliveryId = newId();
    await run(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, stored_attempts, completed_at, last_error)
     VALUES ($1, $2, $3, $4, 'FAILED', 12, 12, now(), 'HTTP 500')`,
      deliveryId,
      projects.mine.id,
      eventId,
      endpoint.id,
    );
    await run(
      `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, response_status, succeeded)
     SELECT ('01900000-0000-7000-8000-0000000000' || lpad(n::text, 2, '0'))::uuid, $1, $2, n, now(), 5, 500, false
     FROM generate_series(1, 12) n`,
      projects.mine.id,
      deliveryId,
    );
  });

  it('show the URL of their endpoint, also after it is deleted', async () => {
    const { id, url } = await makeEndpoint(projects.mine, { url: 'https://deleted.example/hook' });
    const ofDeleted = newId();
    await run(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status) VALUES ($1, $2, $3, $4, 'FAILED')`,
      ofDeleted,
      projects.mine.id,
      eventId,
      id,
    );
    await call('DELETE', `${base()}/endpoints/${id}`, asOwner());
    const read = await call<Delivery>('GET', `${base()}/deliveries/${ofDeleted}`, asOwner());
    expect(read.json).toMatchObject({ targetUrl: url, sourceId: null });
    const path = `${base()}/deliveries?eventId=${eventId}`;
    const listed = (await call<Listing<Delivery>>('GET', path, asOwner())).json.data;
    expect(listed.map(({ targetUrl }) => targetUrl)).toEqual([url, endpoint.url]);
    const event = await call<{ deliveries: Delivery[] }>('GET', `${base()}/events/${eventId}`, asOwner());
    expect(event.json.deliveries).toEqual(listed);
    await run('DELETE FROM deliveries WHERE id = $1', ofDeleted);
  });

  it('are due at once after a retry, whether they failed or succeeded', async () => {
    for (const status of ['FAILED', 'SUCCEEDED']) {
      await run(
        `UPDATE deliveries SET status = $2::"DeliveryStatus", schedule_step = 9 WHERE id = $1`,
        deliveryId,
        status,
      );
      const retried = await call<Delivery>('POST', `${base()}/deliveries/${deliveryId}/retry`, asOwner());
      expect(retried.status).toBe(202);
      expect(retried.json).toMatchObject({ status: 'PENDING', completedAt: null });
      expect(Date.parse(retried.json.nextAttemptAt ?? '')).toBeLessThanOrEqual(Date.now() + 1_000);
    }
  });

  it('are not retried while their endpoint is disabled', async () => {
    const path = `${base()}/endpoints/${endpoint.id}`;
    await call('PATCH', path, { ...asOwner(), body: { enabled: false } });
    expectProblem(await call('POST', `${base()}/deliveries/${deliveryId}/retry`, asOwner()), 409, 'conflict');
    await call('PATCH', path, { ...asOwner(), body: { enabled: true } });
    expect((await call('POST', `${base()}/deliveries/${deliveryId}/retry`, asOwner())).status).toBe(202);
  });
});

describe('the stored attempts of a delivery', () => {
  let project: TestProject;
  let path: string;
  const read = async <T>(of: string) => (await call<T>('GET', of, { apiKey: project.key })).json;
  beforeEach(async () => {
    project = await makeTestProject();
    await createPartitionsAhead(new Date(Date.now() - 4 * DAY_MS));
    await fillProject(project.id, { events: 1, attempts: 4 });
    const rows = await select<{ id: string }>(
      'SELECT id FROM deliveries WHERE project_id = $1 AND event_id IS NOT NULL',
      project.id,
    );
    path = `/api/v1/projects/${project.id}/deliveries/${rows[0]?.id}`;
  });

  it('are counted exactly after the partition of a day is dropped', async () => {
    expect((await read<Delivery>(path)).storedAttempts).toBe(4);
    const rows = await select<{ name: string }>(
      'SELECT DISTINCT tableoid::regclass::text AS name FROM delivery_attempts WHERE project_id = $1 AND attempt_number = 2',
      project.id,
    );
    // On a cluster, the rows are in a table that has this name and a number.
    const [name] = /delivery_attempts_succeeded_p\d{8}/.exec(rows[0]?.name ?? '') ?? [];
    await run(`DROP TABLE ${name}`);
    expect((await read<Delivery>(path)).storedAttempts).toBe(3);
    const listed = await read<Listing<Attempt>>(`${path}/attempts`);
    expect(listed.data.map(({ attemptNumber }) => attemptNumber).sort()).toEqual([1, 3, 4]);
  });

  /** Replaces the attempts of the delivery. @returns their numbers on pages of 100, page by page */
  async function pagesOf(attempts: number, bodyCharacters: number): Promise<(number | undefined)[][]> {
    await run('DELETE FROM delivery_attempts WHERE project_id = $1', project.id);
    await run(
      `INSERT INTO delivery_attempts (id, project_id, delivery_id, attempt_number, started_at, duration_ms, response_status, succeeded, response_body)
       SELECT a.id, $1, $2, a.n, now(), 5, 500, false, repeat('x', $4) FROM unnest($3::uuid[]) WITH ORDINALITY AS a (id, n)`,
      project.id,
      path.split('/').at(-1),
      Array.from({ length: attempts }, newId),
      bodyCharacters,
    );
    const pages: number[][] = [];
    for (let query: string | null = '?limit=100'; query !== null; ) {
      const page: Listing<Attempt> = await read<Listing<Attempt>>(`${path}/attempts${query}`);
      pages.push(page.data.map(({ attemptNumber }) => attemptNumber));
      query = page.nextCursor === null ? null : `?limit=100&cursor=${page.nextCursor}`;
    }
    return pages;
  }

  /** Numbers from `most` down to `least`. */
  const down = (most: number, least: number) => Array.from({ length: most - least + 1 }, (_, at) => most - at);

  it('are listed newest first, a hundred on a page', async () => {
    expect(await pagesOf(110, 5)).toEqual([down(110, 11), down(10, 1)]);
    expect(await pagesOf(100, 5)).toEqual([down(100, 1)]);
    expect(await pagesOf(75, 5)).toEqual([down(75, 1)]);
  });

  it('end a page with the one that makes it longer than 256 KiB, and continue on the next', async () => {
    expect(await pagesOf(60, 10_000)).toEqual([down(60, 35), down(34, 9), down(8, 1)]);
  });

  it('are zero once all are removed, and the delivery stays', async () => {
    await run('DELETE FROM delivery_attempts WHERE project_id = $1', project.id);
    expect(await read<Delivery>(path)).toMatchObject({ storedAttempts: 0, status: 'FAILED' });
    expect((await read<Listing<Attempt>>(`${path}/attempts`)).data).toEqual([]);
  });
});

describe('files of lists', () => {
  const { projects, asOwner, base, makeEndpoint } = useEndpoints();

  const adapters = useAdapters();

  const LISTS = ['events', 'deliveries', 'incoming-events'] as const;

  beforeAll(async () => {
    const { id: endpointId } = await makeEndpoint();
    const eventIds = await insertEvents(projects.mine.id, 3, { type: 'order.paid' });
    for (const [n, eventId] of eventIds.entries()) {
      await run(
        `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, last_error, completed_at)
     VALUES ($1, $2, $3, $4, 'FAILED', 1, $5, now())`,
        newId(),
        projects.mine.id,
        eventId,
        endpointId,
        n === 0 ? '=HYPERLINK("https://evil.example")' : 'HTTP 500',
      );
    }
    const source = await call<{ id: string }>('POST', `${base()}/sources`, { ...asOwner(), body: { name: 'shop' } });
    await run(
      `INSERT INTO incoming_events (id, project_id, source_id, method, headers, body, size, content_type)
   VALUES ($1, $2, $3, 'POST', '[]', 'x', 1, '@SUM(1,2)')`,
      newId(),
      projects.mine.id,
      source.json.id,
    );
  });

  describe.each(adapters)('a list as a file %s', (_name, send) => {
    it.each(LISTS)('has the rows of %s as JSON lines, as the list shows them', async (list) => {
      const listed = await send<{ data: object[] }>('GET', `${base()}/${list}`, asOwner());
      const file = await send('GET', `${base()}/${list}?format=ndjson`, asOwner());
      expect([file.status, file.headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
      expect(file.headers['content-disposition']).toBe(`attachment; filename="${list}.ndjson"`);
      expect(file.headers['x-download-max-rows']).toBe('100000');
      expect(file.headers['x-download-truncated']).toBe('false');
      const lines = file.text.trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toEqual(listed.json.data);
      expect(lines.length).toBeGreaterThan(0);
    });

    it.each(LISTS)('has the rows of %s as CSV without formulas', async (list) => {
      const file = await send('GET', `${base()}/${list}?format=csv`, asOwner());
      expect(file.headers['content-type']).toMatch(/^text\/csv; charset=utf-8/);
      const [header, ...lines] = file.text.trimEnd().split('\r\n');
      expect(header).toMatch(/^"id",/);
      expect(lines).toHaveLength(list === 'incoming-events' ? 1 : 3);
      expect(file.text).not.toMatch(/(^|,)"[=+\-@]/m);
      if (list === 'deliveries') expect(file.text).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
      if (list === 'incoming-events') expect(file.text).toContain(`"'@SUM(1,2)"`);
    });

    it('has only the rows that match the filters', async () => {
      const file = await send('GET', `${base()}/deliveries?format=ndjson&status=QUEUED`, asOwner());
      expect([file.status, file.text]).toEqual([200, '']);
      const events = await send('GET', `${base()}/events?format=ndjson&type=order.*&status=FAILED`, asOwner());
      expect(events.text.trimEnd().split('\n')).toHaveLength(3);
    });
  });
});

describe('filters of lists', () => {
  const { projects, asOwner, base, makeEndpoint } = useEndpoints();

  /** The events of the tests by the state of their delivery: its type, status, attempts, and last response. */
  const ROWS = [
    ['queued', 'order.paid', 'PENDING', 0, null],
    ['retrying', 'order.paid', 'PENDING', 2, 503],
    ['succeeded', 'invoice.sent', 'SUCCEEDED', 1, 204],
    ['failed', 'order', 'FAILED', 10, 500],
  ] as const;

  const events = new Map<string, string>();

  let endpointId: string;

  beforeAll(async () => {
    endpointId = (await makeEndpoint()).id;
    for (const [name, type, status, attempts, response] of ROWS) {
      const [eventId = ''] = await insertEvents(projects.mine.id, 1, { type });
      await run(
        `INSERT INTO deliveries
         (id, project_id, event_id, endpoint_id, status, attempt_count, last_response_status, next_attempt_at, completed_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $4::"DeliveryStatus", $5, $6, CASE WHEN $4 = 'PENDING' THEN now() END,
               CASE WHEN $4 <> 'PENDING' THEN now() END)`,
        projects.mine.id,
        eventId,
        endpointId,
        status,
        attempts,
        response,
      );
      events.set(eventId, name);
    }
  });

  const list = async (query: string) =>
    (await call<Listing<EventListItem>>('GET', `${base()}/events?${query}`, asOwner())).json.data;

  it.each(['status=DONE', 'responseStatus=9xx', 'responseStatus=50', 'eventType=a%20b', 'id=x', 'sourceId=1'])(
    'deliveries refuse the filter %s with 400 and name it',
    async (query) => {
      expectInvalid(await call('GET', `${base()}/deliveries?${query}`, asOwner()), query.split('=')[0]);
    },
  );

  it('an event counts its deliveries by the states that they show', async () => {
    const counts = Object.fromEntries((await list('')).map(({ id, deliveries }) => [events.get(id), deliveries]));
    const none = { pending: 0, queued: 0, retrying: 0, succeeded: 0, failed: 0 };
    expect(counts).toEqual({
      queued: { ...none, pending: 1, queued: 1 },
      retrying: { ...none, pending: 1, retrying: 1 },
      succeeded: { ...none, succeeded: 1 },
      failed: { ...none, failed: 1 },
    });
  });
});
