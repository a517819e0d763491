import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHANGE_KINDS } from '@/lib/changes/types';
import { ProjectStream, readEvents, type StreamEvent } from './project-stream';

const READY = 'event: ready\ndata: {}\n\n';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A browser and a server that the test drives. */
function setUp() {
  const browser = { isOnline: true, isVisible: true, notify: () => {} };
  const connections: { send: (text: string) => void; end: () => void; signal: AbortSignal }[] = [];
  let refuse: (() => unknown) | null = null;
  const open = vi.fn(async (_projectId: string, signal: AbortSignal) => {
    if (refuse !== null) throw refuse();
    const encoder = new TextEncoder();
    return new ReadableStream<Uint8Array>({
      start(controller) {
        const send = (text: string) => controller.enqueue(encoder.encode(text));
        signal.addEventListener('abort', () => controller.error(new Error('aborted')));
        connections.push({ send, end: () => controller.close(), signal });
      },
    });
  });
  const stream = new ProjectStream('shop', {
    open,
    isOnline: () => browser.isOnline,
    isVisible: () => browser.isVisible,
    onActivity: (listener) => {
      browser.notify = listener;
      return () => {
        browser.notify = () => {};
      };
    },
  });
  const told: string[] = [];
  stream.listen((kinds) => void told.push(kinds.join()));
  const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
  const last = () => connections[connections.length - 1] as (typeof connections)[number];
  const refuseWith = (make: (() => unknown) | null) => {
    refuse = make;
  };
  return { browser, connections, stream, open, told, tick, last, refuseWith };
}

const ALL = CHANGE_KINDS.join();

describe('the stream of a project', () => {
  it('is live when the server is ready, and passes on which kinds changed', async () => {
    const { stream, told, tick, last } = setUp();
    await tick();
    expect(stream.getState()).toBe('connecting');
    last().send(`${READY}event: change\ndata: {"kinds":["events","something new"]}\n\n`);
    await tick();
    expect([stream.getState(), told]).toEqual(['live', ['events']]);
    stream.stop();
  });

  it('reconnects at once when its time is over, stays live, and tells that anything may have changed', async () => {
    const { stream, told, tick, last, open } = setUp();
    await tick();
    last().send(READY);
    await tick(10_000);
    last().end();
    await tick();
    expect(open).toHaveBeenCalledTimes(2);
    last().send(READY);
    await tick();
    expect([stream.getState(), told]).toEqual(['live', [ALL]]);
    stream.stop();
  });

  it('polls while it is refused, and asks less and less, at most once a minute', async () => {
    const { stream, tick, open, refuseWith, last, connections } = setUp();
    refuseWith(() => Object.assign(new Error('429'), { retryAfterSeconds: 10 }));
    await tick(9_000);
    // The first request had started before it was refused.
    expect(stream.getState()).toBe('polling');
    const before = open.mock.calls.length;
    await tick(600_000);
    expect(open.mock.calls.length - before).toBeLessThan(25);
    refuseWith(null);
    for (const count = connections.length; connections.length === count; ) await tick(1000);
    last().send(READY);
    await tick();
    expect(stream.getState()).toBe('live');
    stream.stop();
  });

  it('does not flood a server that ends each stream at once', async () => {
    const { stream, tick, open, connections } = setUp();
    for (let second = 0; second < 60; second++) {
      for (const connection of connections.splice(0)) {
        connection.send(READY);
        connection.end();
      }
      await tick(1000);
    }
    expect(open.mock.calls.length).toBeLessThan(10);
    stream.stop();
  });

  it('polls when a proxy holds the stream back, or drops it silently', async () => {
    const { stream, tick, last } = setUp();
    await tick(4_000);
    expect([stream.getState(), last().signal.aborted]).toEqual(['polling', true]);
    await tick(1_500);
    last().send(READY);
    await tick(39_000);
    last().send(':\n\n');
    await tick(39_000);
    expect(stream.getState()).toBe('live');
    const silent = last();
    await tick(1_000);
    expect(silent.signal.aborted).toBe(true);
    stream.stop();
  });

  it('closes while the tab is hidden, and catches up when it is shown', async () => {
    const { stream, browser, told, tick, last, open } = setUp();
    await tick();
    last().send(READY);
    await tick();
    browser.isVisible = false;
    browser.notify();
    await tick(60_000);
    expect([last().signal.aborted, open.mock.calls.length]).toEqual([true, 1]);
    browser.isVisible = true;
    browser.notify();
    await tick();
    last().send(READY);
    await tick();
    expect([stream.getState(), told]).toEqual(['live', [ALL]]);
    stream.stop();
  });

  it('is offline while the browser is, and comes back by itself', async () => {
    const { stream, browser, tick, last } = setUp();
    await tick();
    last().send(READY);
    await tick();
    browser.isOnline = false;
    browser.notify();
    await tick();
    expect(stream.getState()).toBe('offline');
    browser.isOnline = true;
    browser.notify();
    await tick();
    last().send(READY);
    await tick();
    expect(stream.getState()).toBe('live');
    stream.stop();
  });

  it('opens nothing after it was stopped', async () => {
    const { stream, tick, last, open } = setUp();
    await tick();
    stream.stop();
    await tick(120_000);
    expect([last().signal.aborted, open.mock.calls.length, vi.getTimerCount()]).toEqual([true, 1, 0]);
  });
});

describe('readEvents', () => {
  async function readAll(chunks: string[]): Promise<{ events: StreamEvent[]; bytes: number }> {
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
        controller.close();
      },
    });
    const events: StreamEvent[] = [];
    let bytes = 0;
    await readEvents(body, {
      onEvent: (event) => void events.push(event),
      onBytes: () => {
        bytes += 1;
      },
    });
    return { events, bytes };
  }

  describe('server-sent events', () => {
    it('are read whole, however they are cut', async () => {
      const text = 'event: ready\ndata: {}\n\nevent: change\ndata: {"kinds":["événement"]}\n\n';
      const expected = [
        { type: 'ready', data: '{}' },
        { type: 'change', data: '{"kinds":["événement"]}' },
      ];
      expect((await readAll([text])).events).toEqual(expected);
      expect((await readAll([...text])).events).toEqual(expected);
    });

    it('are separate from comments, which show that the connection lives', async () => {
      expect(await readAll([':\n\n', 'event: change\ndata: {}\n\n:\n\n'])).toEqual({
        events: [{ type: 'change', data: '{}' }],
        bytes: 2,
      });
    });

    it('that never end are refused', async () => {
      await expect(readAll(['data: ', 'x'.repeat(5000)])).rejects.toThrow('too long');
    });

    it('without an end are not told', async () => {
      expect((await readAll(['event: change\ndata: {}\n'])).events).toEqual([]);
    });
  });
});
