import { describe, expect, it } from 'vitest';
import type { EventSummary } from '@/lib/events/schema';
import { useDatabase } from '@/tests/database/use-database';
import { countEvents } from '@/tests/fixtures/deliveries';
import { useProjects } from '@/tests/fixtures/projects';
import { useAdapters } from '@/tests/http/adapters';
import type { CallOptions } from '@/tests/http/api-request';

useDatabase();
const projects = useProjects();
const adapters = useAdapters();
const body = { type: 'order.paid', data: { orderId: 'o-1' } };

describe.each(adapters)('an Idempotency-Key %s', (name, call) => {
  const send = (key: string, options: CallOptions = {}) =>
    call<EventSummary>('POST', '/api/v1/events', {
      apiKey: projects.mine.key,
      body,
      headers: { 'idempotency-key': `${name.replaceAll(' ', '-')}-${key}` },
      ...options,
    });

  it('returns the first response for the same body, marked as replayed, and stores one event', async () => {
    const before = await countEvents(projects.mine.id);
    const first = await send('same');
    const again = await send('same');
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.json).toEqual(first.json);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await countEvents(projects.mine.id)).toBe(before + 1);
  });

  it('refuses another body with 409', async () => {
    await send('other');
    const changed = { body: { ...body, data: { orderId: 'o-2' } } };
    expect((await send('other', changed)).json).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  });

  it('returns the first response for equal data in another notation, and delivers the first bytes', async () => {
    const first = await send('spelled', { body: '{"type":"order.paid","data":{"a":1.10,"b":[true],"s":"\\u00e9"}}' });
    const again = await send('spelled', { body: '{"data": {"s":"é", "b":[true], "a":1.1},"type":"order.paid"}' });
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.json).toEqual(first.json);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const { text } = await call('GET', `/api/v1/projects/${projects.mine.id}/events/${first.json.id}`, {
      apiKey: projects.mine.key,
    });
    expect(text).toContain('{"a":1.10,"b":[true],"s":"\\u00e9"}');
  });

  it('compares more than 16 KiB of data as they are written, since comparing their values takes long', async () => {
    const data = (name: string, more: string) =>
      `{"type":"order.paid","data":{"a":1,"b":"${name.repeat(17_000)}"${more}}}`;
    await send('large', { body: data('x', '') });
    expect((await send('large', { body: data('x', '') })).status).toBe(202);
    expect((await send('large', { body: data('x', ' ') })).status).toBe(409);
  });

  it('refuses data that differs beyond the precision of a double, and the same data of another type', async () => {
    await send('exact', { body: '{"type":"order.paid","data":{"id":9007199254740993}}' });
    const rounded = await send('exact', { body: '{"type":"order.paid","data":{"id":9007199254740992}}' });
    expect(rounded.status).toBe(409);
    const retyped = await send('exact', { body: '{"type":"order.sent","data":{"id":9007199254740993}}' });
    expect(retyped.status).toBe(409);
  });

  it('stores one event when thirty requests come at once, and gives all of them the same response', async () => {
    const before = await countEvents(projects.mine.id);
    const responses = await Promise.all(Array.from({ length: 30 }, () => send('race')));
    expect(new Set(responses.map(({ json }) => json.id)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await countEvents(projects.mine.id)).toBe(before + 1);
  });

  it('belongs to its project: the same key in another project is another event', async () => {
    const [here, there] = [await send('shared'), await send('shared', { apiKey: projects.foreign.key })];
    expect(there.status).toBe(202);
    expect(there.json.id).not.toBe(here.json.id);
  });

  it('must be 1 to 255 printable characters', async () => {
    const headers = { 'idempotency-key': 'x'.repeat(256) };
    const { json } = await call('POST', '/api/v1/events', { apiKey: projects.mine.key, body, headers });
    expect(json).toMatchObject({ status: 400, errors: [{ path: 'idempotency-key' }] });
  });
});
