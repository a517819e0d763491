import { describe, expect, it } from 'vitest';
import { LOCAL, post, toAddress, useExchanges } from '@/tests/http/exchange-pools';
import { startReceiver } from '@/tests/http/receiver';
import { startEventLoopClock } from '@/tests/time/event-loop-clock';
import { makeAddressPolicy } from './address-policy';
import { describeFailure } from './failure-reason';
import type { ResolveHost } from './resolve-host';

const PUBLIC_ONLY = makeAddressPolicy([]);

const { makePools, startRawServer, closeAll } = useExchanges();

describe('a connection', () => {
  it('that is refused fails with its own reason', async () => {
    const port = await startRawServer(() => undefined);
    await closeAll();
    const { error } = await post(makePools(), `http://a.test:${port}/`);
    expect(describeFailure(error)).toBe('Connection refused');
  });

  it('goes to the next vetted address when the first does not answer', async () => {
    const receiver = await startReceiver();
    const pools = makePools(LOCAL, toAddress('127.0.0.99', '127.0.0.1'));
    expect(await post(pools, `http://a.test:${receiver.port}/`)).toMatchObject({ status: 200, error: null });
  });

  it('to an unknown name fails with its own reason', async () => {
    const unknown: ResolveHost = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    const { error } = await post(makePools(LOCAL, unknown), 'http://nowhere.test/');
    expect(describeFailure(error)).toBe('Host name not found');
  });

  it('must be established within the timeout, including the lookup', async () => {
    const pools = makePools(LOCAL, () => new Promise(() => undefined), 100);
    const elapsedMs = startEventLoopClock();
    const { error } = await post(pools, 'http://a.test/');
    expect(elapsedMs()).toBeLessThan(300);
    expect(describeFailure(error)).toBe('No connection within 5 s');
  });
});

describe('an address that is not allowed', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://0x7f000001:PORT/',
    'http://2130706433:PORT/',
    'http://017700000001:PORT/',
    'http://127.1:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://0.0.0.0:PORT/',
    'http://169.254.169.254/latest/meta-data/',
  ])('is refused in every notation: %s', async (url) => {
    const receiver = await startReceiver();
    const { error, status } = await post(makePools(PUBLIC_ONLY), url.replace('PORT', String(receiver.port)));
    expect(describeFailure(error)).toBe('Address is not public');
    expect(status).toBeNull();
    expect(receiver.received).toHaveLength(0);
  });

  it('is refused when a name resolves to it', async () => {
    const receiver = await startReceiver();
    const { error } = await post(makePools(PUBLIC_ONLY), `http://local.test:${receiver.port}/`);
    expect(describeFailure(error)).toBe('Address is not public');
    expect(receiver.received).toHaveLength(0);
  });

  it('is refused when the other addresses of the name are public', async () => {
    const receiver = await startReceiver();
    const pools = makePools(PUBLIC_ONLY, toAddress('1.1.1.1', '127.0.0.1'));
    const { error } = await post(pools, `http://mixed.test:${receiver.port}/`);
    expect(describeFailure(error)).toBe('Address is not public');
    expect(receiver.received).toHaveLength(0);
  });

  it('is refused at the next connection when a name changes to it, and never reached by the open connection', async () => {
    const receiver = await startReceiver((response) => response.writeHead(200, { connection: 'close' }).end());
    const inside = makeAddressPolicy(['127.0.0.1/32']);
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    let lookups = 0;
    const rebinding: ResolveHost = (hostname) => toAddress(...(answers[lookups++] ?? []))(hostname);
    const pools = makePools(inside, rebinding);
    const url = `http://rebinding.test:${receiver.port}/`;
    expect(await post(pools, url)).toMatchObject({ status: 200 });
    const { error } = await post(pools, url);
    expect(describeFailure(error)).toBe('Address is not public');
    expect({ lookups, received: receiver.received.length }).toEqual({ lookups: 2, received: 1 });
  });

  it('is not reached when a resolver returns one address for the check and another for the connection', async () => {
    const receiver = await startReceiver();
    let lookups = 0;
    const pools = makePools(LOCAL, async () => {
      lookups += 1;
      return [{ address: '127.0.0.1', family: 4 }];
    });
    await post(pools, `http://once.test:${receiver.port}/`);
    expect(lookups).toBe(1);
  });
});
