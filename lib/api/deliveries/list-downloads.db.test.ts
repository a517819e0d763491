import { beforeAll, describe, expect, it } from 'vitest';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { insertEvents } from '@/tests/fixtures/deliveries';
import { useEndpoints } from '@/tests/fixtures/endpoints';
import { useAdapters } from '@/tests/http/adapters';
import { call } from '@/tests/http/api-request';

useDatabase();
const { projects, asOwner, base, makeEndpoint } = useEndpoints();
const adapters = useAdapters();
const LISTS = ['events', 'deliveries', 'incoming-events'] as const;

beforeAll(async () => {
  const { id: endpointId } = await makeEndpoint();
  const eventIds = await insertEvents(projects.mine.id, 3, { type: 'order.paid' });
  for (const [n, eventId] of eventIds.entries()) {
    await database().query(
      `INSERT INTO deliveries (id, project_id, event_id, endpoint_id, status, attempt_count, last_error, completed_at)
       VALUES ($1, $2, $3, $4, 'FAILED', 1, $5, now())`,
      [newId(), projects.mine.id, eventId, endpointId, n === 0 ? '=HYPERLINK("https://evil.example")' : 'HTTP 500'],
    );
  }
  const source = await call<{ id: string }>('POST', `${base()}/sources`, { ...asOwner(), body: { name: 'shop' } });
  await database().query(
    `INSERT INTO incoming_events (id, project_id, source_id, method, headers, body, size, content_type)
     VALUES ($1, $2, $3, 'POST', '[]', 'x', 1, '@SUM(1,2)')`,
    [newId(), projects.mine.id, source.json.id],
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

  it.each(LISTS)('of %s is compressed exactly when it says so, in both formats', async (list) => {
    for (const format of ['csv', 'ndjson']) {
      const path = `${base()}/${list}?format=${format}`;
      const plain = await send('GET', path, asOwner());
      const coded = await send('GET', path, { ...asOwner(), headers: { 'accept-encoding': 'gzip, deflate, br' } });
      expect([plain.headers['content-encoding'], coded.headers['content-encoding']], path).toEqual([undefined, 'gzip']);
      expect(coded.text, path).toBe(plain.text);
    }
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

  it('refuses an unknown format and a page with 400', async () => {
    for (const query of ['format=xml', 'format=csv&limit=1', 'format=ndjson&cursor=x']) {
      const { status, json } = await send('GET', `${base()}/events?${query}`, asOwner());
      expect([status, json.code], query).toEqual([400, 'validation_failed']);
    }
  });
});
