import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { json, scriptedFetch } from '@/tests/http/scripted-fetch';
import { EventDeliveryClient } from './client';
import { fillPath } from './path';

function client() {
  const { fetch, requests } = scriptedFetch(json(200, { id: 'x', data: [], nextCursor: null }));
  const made = new EventDeliveryClient({
    baseUrl: 'https://eds.example',
    fetch,
    projectId: 'p',
    headers: { 'x-a': 'b' },
  });
  return { client: made, requests };
}

describe('a request', () => {
  it('has its filters as text: times in RFC 3339, and nothing for those that are undefined', async () => {
    const { client: eds, requests } = client();
    await eds.events.list({
      limit: 5,
      type: 'a.b',
      from: new Date(0),
      to: '2026-01-01T00:00:00+01:00',
      cursor: undefined,
    });
    await eds.sessions.closeAll({ keepCurrent: true });
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=5&type=a.b&from=1970-01-01T00%3A00%3A00.000Z&to=2026-01-01T00%3A00%3A00%2B01%3A00',
      '?keepCurrent=true',
    ]);
  });

  it('has a media type only with a body, and the headers of the client', async () => {
    const { client: eds, requests } = client();
    await eds.endpoints.create({ url: 'https://receiver.example' });
    await eds.deliveries.retry('d');
    expect(requests.map(({ headers }) => headers.get('content-type'))).toEqual(['application/json', null]);
    expect(requests.map(({ headers }) => headers.get('x-a'))).toEqual(['b', 'b']);
  });

  it("carries the caller's idempotency key, and rejects a key that cannot be sent", async () => {
    const { client: eds, requests } = client();
    await eds.events.send({ type: 'a', data: {} }, { idempotencyKey: 'order-1' });
    expect(requests[0]?.headers.get('idempotency-key')).toBe('order-1');
    for (const idempotencyKey of ['', 'ä', 'a\r\nb']) {
      await expect(eds.events.send({ type: 'a', data: {} }, { idempotencyKey })).rejects.toThrow(TypeError);
    }
    expect(requests).toHaveLength(1);
  });

  it('takes events of an interface', async () => {
    interface Order {
      total: number;
    }
    const { client: eds, requests } = client();
    const data: Order = { total: 5 };
    await eds.events.send({ type: 'a', data });
    expect(requests[0]?.body).toBe('{"type":"a","data":{"total":5}}');
  });
});

describe('the path', () => {
  it('stays below its template for any id', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 20 }), (id) => {
        const path = () => fillPath('/api/v1/projects/{projectId}/end', { projectId: id });
        if (/^\.{0,2}$/.test(id)) return void expect(path).toThrow(TypeError);
        const { pathname, search, hash } = new URL(`https://eds.example${path()}`);
        expect(pathname.split('/')).toHaveLength(6);
        expect(decodeURIComponent(pathname.split('/')[4] ?? '')).toBe(id);
        expect(search + hash).toBe('');
      }),
    );
  });

  it.each(['', '.', '..', undefined, null, 5])('refuses %j as an id, which would lead to another path', async (id) => {
    const { client: eds, requests } = client();
    await expect(eds.endpoints.remove(id as string)).rejects.toThrow('endpointId must be an id');
    expect(requests).toHaveLength(0);
  });
});
