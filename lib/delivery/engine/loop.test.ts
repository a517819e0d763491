import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeEndpointSecret } from '@/lib/delivery/credentials';
import { setOnce } from '@/lib/platform/globals';
import { respondWith, startReceiver } from '@/tests/http/receiver';
import { setTestConfig } from '@/tests/setup/variables';
import { Loop, WakeTimer } from './loop';
import { closeDeliveryPools, sendOnce } from './send-once';

setOnce('log', { error() {} });

describe('a loop', () => {
  it('runs once more for any number of wakes during a run, and never twice at once', async () => {
    let runs = 0;
    let atOnce = 0;
    let mostAtOnce = 0;
    const loop = new Loop('test', async () => {
      runs += 1;
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      await sleep(10);
      atOnce -= 1;
      return false;
    });
    for (let count = 0; count < 5; count += 1) loop.wake();
    await sleep(5);
    for (let count = 0; count < 5; count += 1) loop.wake();
    await sleep(50);
    expect({ runs, mostAtOnce }).toEqual({ runs: 2, mostAtOnce: 1 });
  });

  it('with an interval starts at once, and then no more often than its interval', async () => {
    const starts: number[] = [];
    const loop = new Loop('test', async () => starts.push(performance.now()) < 0, 60);
    const first = performance.now();
    for (let count = 0; count < 40; count += 1) {
      loop.wake();
      await sleep(5);
    }
    await sleep(100);
    await loop.stop();
    expect((starts[0] ?? 0) - first).toBeLessThan(50);
    expect(starts.length).toBeGreaterThanOrEqual(3);
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
    // A timer may be a fraction of a millisecond early.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(59);
  });

  it('repeats its work while the work returns true', async () => {
    let left = 5;
    const loop = new Loop('test', async () => --left > 0);
    loop.wake();
    await sleep(20);
    expect(left).toBe(0);
  });

  it('tries again some time after a failure', async () => {
    let runs = 0;
    const loop = new Loop('test', async () => {
      runs += 1;
      if (runs < 2) throw new Error('no database');
      return false;
    });
    loop.wake();
    await sleep(50);
    expect(runs).toBe(1);
    await sleep(150);
    expect(runs).toBe(2);
  });

  it('waits for its work when it stops, and starts no more', async () => {
    let runs = 0;
    const loop = new Loop('test', async () => {
      runs += 1;
      await sleep(20);
      return true;
    });
    loop.wake();
    await sleep(5);
    await loop.stop();
    const ran = runs;
    loop.wake();
    await sleep(30);
    expect(runs).toBe(ran);
  });
});

describe('a wake timer', () => {
  it('fires once, for the soonest reason', async () => {
    let wakes = 0;
    const timer = new WakeTimer(() => {
      wakes += 1;
    });
    for (const ms of [5_000, 30, 4_000]) timer.within(ms);
    await sleep(80);
    expect(wakes).toBe(1);
    timer.within(5_000);
    timer.stop();
    timer.within(1);
    await sleep(50);
    expect(wakes).toBe(1);
  });
});

const EVENT = { id: 'evt_1', type: 'endpoint.test', timestamp: '2026-11-20T12:00:00.000Z', data: '{"ok":true}' };

describe('a test event', () => {
  beforeAll(() => void setTestConfig());
  afterEach(closeDeliveryPools);

  it('is signed, and its response is returned', async () => {
    const receiver = await startReceiver(respondWith(202, 'fine'));
    const secrets = [makeEndpointSecret(), makeEndpointSecret()];
    expect((await sendOnce({ url: receiver.url, secrets }, EVENT)).result).toMatchObject({
      succeeded: true,
      responseStatus: 202,
      durationMs: expect.any(Number),
      error: null,
      responseBody: 'fine',
    });
    const [request] = receiver.received;
    for (const secret of secrets) {
      const verified = new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>);
      expect(verified).toEqual({ type: 'endpoint.test', timestamp: EVENT.timestamp, data: { ok: true } });
    }
  });

  it('returns why it failed', async () => {
    const receiver = await startReceiver(respondWith(301, '', { location: '/elsewhere' }));
    expect((await sendOnce({ url: receiver.url, secrets: [] }, EVENT)).result).toMatchObject({
      succeeded: false,
      responseStatus: 301,
      error: 'Answered with status 301: redirects are not followed',
    });
  });

  it('cannot be sent to an address that deliveries must not reach', async () => {
    setTestConfig({ DELIVERY_ALLOWED_CIDRS: '' });
    const receiver = await startReceiver();
    expect((await sendOnce({ url: receiver.url, secrets: [] }, EVENT)).result).toMatchObject({
      succeeded: false,
      responseStatus: null,
      error: 'Address is not public',
    });
    expect(receiver.received).toEqual([]);
    setTestConfig();
  });
});
