import { EventEmitter, once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { isAppError } from '@/lib/platform/errors';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import { knownOwnerOf, noteOwner } from '@/lib/platform/known-owners';
import { ownerHeader } from '@/lib/platform/net/owner-header';
import { noteActive, Pace } from '@/lib/platform/pace';
import { ThreadTime } from '@/lib/platform/thread-time';
import { listen } from '@/tests/http/listen';
import { setTestConfig } from '@/tests/setup/variables';
import { ok } from './api-response';
import { toNext } from './next-adapter';
import { PRIVATE_CONTENT_BYTES } from './private-headers';
import { route } from './route';
import { toMatcher } from './table';
import { slotTenantOf, Turns, tenantOf } from './turns';
import { createWebServer } from './web-server';

afterEach(() => setOnce('turns', undefined));

const LIMITS = { width: 2, widthPerTenant: 1, waiting: 3, waitingPerTenant: 2 };

class FakeResponse extends EventEmitter {
  destroyed = false;
  req = { complete: true, socket: { bytesWritten: 0 } };

  get asked(): [IncomingMessage, ServerResponse] {
    const asked: unknown = [this.req, this];
    return asked as [IncomingMessage, ServerResponse];
  }

  close(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** Asks for turns, and records who got one. */
function queue(pace?: Pace) {
  const turns = new Turns(LIMITS, pace);
  const got: string[] = [];
  const ask = (tenant: string, hasBody = true, isStranger = false, work = Promise.resolve()) => {
    const response = new FakeResponse();
    response.req.complete = hasBody;
    const taken = turns.take({ tenant, isStranger }, ...response.asked).then((finish) => {
      if (finish === null) return false;
      got.push(tenant);
      void work.then(finish);
      return true;
    });
    taken.catch(() => undefined);
    return { response, taken };
  };
  return { got, ask };
}

/** Serves content of any size from a route that takes 40 ms, through Next or before it, to an owner. */
async function serveContent(servedBy: 'next' | 'node') {
  setTestConfig();
  const pace = new Pace({ perSecond: 1_000, burst: 1_000 }, () => true);
  const counted = vi.spyOn(pace, 'restAfter');
  setOnce('turns', new Turns(undefined, pace));
  noteOwner('eds_owner', 'owner');
  const definition = route({
    summary: 'Read.',
    caller: { kind: 'key', authenticate: async () => null },
    response: { status: 200, schema: z.object({ text: z.string() }) },
    servedBy,
    handler: async ({ request }) => {
      await sleep(40);
      return ok({ text: 'x'.repeat(Number(request.header('x-size'))) });
    },
  });
  const table = { '/api/v1/content': { GET: definition } };
  const { GET } = toNext('/api/v1/content', table['/api/v1/content']);
  const server = createWebServer({
    match: toMatcher(table),
    next: async (message, response) => {
      const { method = 'GET', headers } = message;
      const request = new Request('http://x/api/v1/content', { method, headers: headers as Record<string, string> });
      const answered = await GET(request, { params: Promise.resolve({}) });
      response.statusCode = answered.status;
      for (const [name, value] of answered.headers) response.appendHeader(name, value);
      response.end(Buffer.from(await answered.arrayBuffer()));
    },
    clientAddress: () => '203.0.113.7',
    ownPrefixes: ['/api'],
  });
  const { port } = new URL(await listen(server));
  const ask = async (method: string, size: number, headers: Record<string, string> = {}) => {
    const sent = { ...headers, 'x-api-key': 'eds_owner', 'x-size': String(size) };
    const request = httpRequest({ host: '127.0.0.1', port, method, path: '/api/v1/content', headers: sent });
    const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
    expect(response.headers).not.toHaveProperty(PRIVATE_CONTENT_BYTES);
    await once(response.resume(), 'end');
    await settled();
  };
  return { ask, counted: () => counted.mock.calls.map(([, ms]) => ms) };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a turn', () => {
  it('is given to another tenant while one has many requests, and to the next of the same when its response ends', async () => {
    const { got, ask } = queue();
    const [first] = ['a', 'a', 'a', 'b'].map((tenant) => ask(tenant));
    await settled();
    expect(got).toEqual(['a', 'b']);
    first?.response.close();
    await settled();
    expect(got).toEqual(['a', 'b', 'a']);
  });

  it('ends after a tenth of a second for a request that waits for something else', async () => {
    const { got, ask } = queue();
    ask('a');
    ask('a');
    await expect.poll(() => got).toEqual(['a', 'a']);
  });

  it('ends soon for a request whose body does not come', async () => {
    const { got, ask } = queue();
    ask('a', false);
    ask('a');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(got).toEqual(['a', 'a']);
  });

  it('lasts until the work has ended when the client disconnects', async () => {
    const { got, ask } = queue();
    let endWork = () => {};
    const work = new Promise<void>((resolve) => {
      endWork = resolve;
    });
    const first = ask('a', true, false, work);
    ask('a');
    await settled();
    first.response.close();
    await settled();
    expect(got).toEqual(['a']);
    endWork();
    await settled();
    expect(got).toEqual(['a', 'a']);
  });

  it('is not taken by a client that disconnected while it waited', async () => {
    const { got, ask } = queue();
    const first = ask('a');
    const second = ask('a');
    second.response.close();
    expect(await second.taken).toBe(false);
    first.response.close();
    ask('a');
    await settled();
    expect(got).toEqual(['a', 'a']);
  });

  it('is one among owners for strangers of all networks, who take turns among themselves', async () => {
    const { got, ask } = queue();
    const strangers = ['n1', 'n1', 'n2', 'n3'].map((network) => ask(network, true, true));
    await settled();
    for (const owner of ['a', 'b']) ask(owner);
    await settled();
    expect(got).toEqual(['n1', 'a']);
    strangers[0]?.response.close();
    await settled();
    expect(got).toEqual(['n1', 'a', 'b']);
    await expect.poll(() => got).toEqual(['n1', 'a', 'b', 'n2', 'n3', 'n1']);
  });

  it('of somebody from where people sign in comes next, however many networks of strangers wait', async () => {
    const turns = new Turns({ width: 4, widthPerTenant: 2, waiting: 50, waitingPerTenant: 5 });
    const take = (tenant: string, isFamiliar: boolean) =>
      turns.take({ tenant, isStranger: true, isFamiliar }, ...new FakeResponse().asked);
    const strangers = Array.from({ length: 60 }, (_, network) => take(`${network}`, false));
    for (const stranger of strangers) stranger.catch(() => undefined);
    // The newest of them are refused, and of those who wait, nobody before the next turn ends.
    expect(isAppError(await strangers.at(-1)?.catch((error) => error))).toBe(true);
    expect(await take('home', true)).not.toBeNull();
  });

  it('is shared by owners who have used much of a busy thread, also for what they had waiting, and not by others', async () => {
    let workedMs = 0;
    const limits = { width: 8, widthPerTenant: 2, waiting: 20, waitingPerTenant: 5 };
    const pace = new Pace({ perSecond: 10_000, burst: 10_000 }, () => true);
    const turns = new Turns(limits, pace, new ThreadTime(() => workedMs));
    const got: string[] = [];
    const ask = (tenant: string) => {
      const response = new FakeResponse();
      response.req.socket.bytesWritten = 0;
      const taken = turns.take({ tenant, isStranger: false }, ...response.asked);
      void taken.then(() => got.push(tenant));
      return async () => {
        response.req.socket.bytesWritten = 100_000_000;
        (await taken)?.();
        response.close();
        await settled();
      };
    };
    noteActive('other');
    noteActive('a');
    const first = ['a', 'b'].map(ask);
    for (const tenant of ['a', 'b', 'a', 'b']) ask(tenant);
    await settled();
    expect(got).toEqual(['a', 'b', 'a', 'b']);
    workedMs += 5_000;
    for (const end of first) await end();
    ask('c');
    ask('c');
    await settled();
    // Each of a and b still has one turn of its own, and one more request waiting. Heavy owners share two turns here.
    expect(got.slice(4).sort()).toEqual(['a', 'b', 'c', 'c']);
  });

  it('of an upgrade ends with its work, while its connection stays open', async () => {
    const turns = new Turns(LIMITS);
    const socket = Object.assign(new EventEmitter(), { destroyed: false, bytesWritten: 0 });
    const message = { complete: true, socket } as unknown as IncomingMessage;
    const take = () => turns.take({ tenant: 'a', isStranger: false }, message, message.socket);
    const finish = await take();
    let isSecond = false;
    const second = take().then((finishSecond) => {
      isSecond = true;
      finishSecond?.();
    });
    await settled();
    expect(isSecond).toBe(false);
    finish?.();
    await second;
    expect(socket.listenerCount('close')).toBe(0);
  });

  it('of a stranger counts twice for the pace of all strangers', async () => {
    const pace = new Pace({ perSecond: 1_000, burst: 1_000 }, () => false);
    const counted = vi.spyOn(pace, 'restAfter');
    const { ask } = queue(pace);
    for (const [tenant, isStranger] of [
      ['a', false],
      ['n1', true],
    ] as const) {
      const { response, taken } = ask(tenant, true, isStranger);
      await taken;
      await new Promise((resolve) => setTimeout(resolve, 40));
      response.close();
    }
    const [owner = 0, strangers = 0] = counted.mock.calls.map(([, cost]) => cost);
    expect(counted.mock.calls.map(([tenant]) => tenant)).toEqual(['a', 'strangers']);
    expect([owner, strangers]).toEqual([10, 20]);
  });

  it('counts for ten milliseconds at most, and for more when its request costs more', async () => {
    const pace = new Pace({ perSecond: 1_000, burst: 1_000 }, () => false);
    const counted = vi.spyOn(pace, 'restAfter');
    const turns = new Turns(LIMITS, pace);
    for (const cost of [1, 4, 6]) {
      const response = new FakeResponse();
      const finish = await turns.take({ tenant: 'a', isStranger: false }, ...response.asked, cost);
      await new Promise((resolve) => setTimeout(resolve, 40));
      finish?.();
      response.close();
    }
    expect(counted.mock.calls.map(([, ms]) => ms)).toEqual([10, 20, 30]);
  });

  it('counts for a millisecond more for each 100 KB that its connection sends meanwhile', async () => {
    const pace = new Pace({ perSecond: 1_000, burst: 1_000 }, () => false);
    const counted = vi.spyOn(pace, 'restAfter');
    const turns = new Turns(LIMITS, pace);
    for (const [before, sent] of [
      [0, 1_000_000],
      [1_000_000, 0],
    ] as const) {
      const response = new FakeResponse();
      response.req.socket.bytesWritten = before;
      const finish = await turns.take({ tenant: 'a', isStranger: false }, ...response.asked);
      await new Promise((resolve) => setTimeout(resolve, 40));
      response.req.socket.bytesWritten += sent;
      finish?.();
      response.close();
    }
    expect(counted.mock.calls.map(([, ms]) => ms)).toEqual([20, 10]);
  });

  it.each(['next', 'node'] as const)('counts the content that was made, however little is sent, by %s', async (by) => {
    const server = await serveContent(by);
    // On a slow machine a turn would end by its timer, before its content is known.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const gzip = { 'accept-encoding': 'gzip' };
    await server.ask('GET', 100);
    await server.ask('GET', 1_500_000);
    await server.ask('GET', 1_500_000, gzip);
    await server.ask('HEAD', 1_500_000);
    await server.ask('GET', 1_500_000, { 'if-none-match': '*' });
    expect(server.counted().map((ms) => Math.round(ms))).toEqual([10, 25, 25, 25, 25]);
  });

  it('is refused with 503 when it does not come within ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const pace = new Pace({ perSecond: 1, burst: 1 }, () => false);
      vi.spyOn(pace, 'restAfter').mockReturnValue(60_000);
      const { got, ask } = queue(pace);
      ask('a').response.close();
      const { taken } = ask('a');
      await settled();
      vi.advanceTimersByTime(9_999);
      await settled();
      vi.advanceTimersByTime(1);
      const code = await taken.catch((error) => (isAppError(error) ? error.code : error));
      expect([code, got]).toEqual(['overloaded', ['a']]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is refused with 429 beyond the waiting requests of a tenant, and given to others', async () => {
    const { got, ask } = queue();
    const last = ['a', 'a', 'a', 'a'].map((tenant) => ask(tenant)).at(-1);
    const code = await last?.taken.catch((error) => (isAppError(error) ? error.code : error));
    expect(code).toBe('rate_limited');
    ask('b');
    await settled();
    expect(got).toEqual(['a', 'b']);
  });
});

describe('the tenant of a request', () => {
  const request = (headers: Record<string, string>, url = '/') => ({ headers, url }) as unknown as IncomingMessage;

  it('is the owner of a credential that was found valid, and the network of any other', () => {
    noteOwner('eds_known', 'owner');
    noteOwner('token', 'owner');
    expect(tenantOf(request({ 'x-api-key': 'eds_known' }), '192.0.2.1')).toBe('owner');
    expect(tenantOf(request({ authorization: 'Bearer token' }), '192.0.2.1')).toBe('owner');
    expect(tenantOf(request({ 'x-api-key': 'eds_invented' }), '192.0.2.1')).toBe('192.0.2.1');
    expect(tenantOf(request({}), '2001:db8::1')).toBe('2001:db8::/48');
  });

  it('is the owner of the source whose URL it has, once that was found', () => {
    noteOwner('source-token', 'owner');
    expect(tenantOf(request({}, '/api/v1/ingress/source-token?a=b'), '192.0.2.1')).toBe('owner');
    expect(tenantOf(request({ 'x-api-key': 'eds_known' }, '/api/v1/ingress/invented'), '192.0.2.1')).toBe('192.0.2.1');
  });

  it('is the owner of a delivery of this service to a tunnel, which gives the delivery no rights', () => {
    setTestConfig();
    const ownerId = newId();
    const headers = ownerHeader('/t/tunnel/', { ownerId });
    expect(slotTenantOf(request(headers, '/t/tunnel/'), '192.0.2.1')).toEqual({ tenant: ownerId, isStranger: false });
    expect(tenantOf(request(headers, '/api/v1/events'), '192.0.2.1')).toBe('192.0.2.1');
    for (const forged of [ownerHeader('/t/tunnel/', { ownerId }, 0), ownerHeader('/t/other/', { ownerId })]) {
      const { tenant, isStranger } = slotTenantOf(request(forged, '/t/tunnel/'), '192.0.2.1');
      expect([tenant, isStranger]).toEqual(['192.0.2.1', true]);
    }
    expect(knownOwnerOf(headers['x-eds-owner'], undefined)).toBeNull();
  });

  it('is the network again a minute after the credential was last found valid', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    noteOwner('revoked', 'owner');
    vi.advanceTimersByTime(59_999);
    expect(tenantOf(request({ 'x-api-key': 'revoked' }), '192.0.2.1')).toBe('owner');
    vi.advanceTimersByTime(1);
    expect(tenantOf(request({ 'x-api-key': 'revoked' }), '192.0.2.1')).toBe('192.0.2.1');
    vi.useRealTimers();
  });
});
