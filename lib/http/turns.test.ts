import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { isAppError } from '@/lib/platform/errors';
import { Pace } from '@/lib/platform/pace';
import { noteOwner, Turns, tenantOf } from './turns';

const LIMITS = { width: 2, widthPerTenant: 1, waiting: 3, waitingPerTenant: 2 };

class FakeResponse extends EventEmitter {
  destroyed = false;
  req = { complete: true };

  close(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

/** Asks for turns, and records who got one. */
function queue(pace?: Pace) {
  const turns = new Turns(LIMITS, pace);
  const got: string[] = [];
  const ask = (tenant: string, hasBody = true, isStranger = false) => {
    const response = new FakeResponse();
    response.req.complete = hasBody;
    const taken = turns.take({ tenant, isStranger }, response as unknown as ServerResponse).then((isTaken) => {
      if (isTaken) got.push(tenant);
      return isTaken;
    });
    taken.catch(() => undefined);
    return { response, taken };
  };
  return { got, ask };
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
    for (const cost of [1, 4, 10]) {
      const response = new FakeResponse();
      await turns.take({ tenant: 'a', isStranger: false }, response as unknown as ServerResponse, cost);
      await new Promise((resolve) => setTimeout(resolve, 40));
      response.close();
    }
    expect(counted.mock.calls.map(([, ms]) => ms)).toEqual([10, 10, 25]);
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
