import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LowWatermarks } from '@/lib/delivery/engine/claims/low-watermarks';
import type { Dispatcher } from '@/lib/delivery/engine/dispatch/dispatcher';
import { FanOut } from './fan-out';
import { OutboxIntake } from './outbox-intake';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('while a take of light owners is under way', () => {
  /** An intake whose takes of light owners end when they are told to. */
  function makeIntake() {
    const takes: string[] = [];
    let end: (() => void) | undefined;
    vi.spyOn(FanOut.prototype, 'nextTakeInMs').mockReturnValue(null);
    vi.spyOn(FanOut.prototype, 'takeBatch').mockImplementation((loads) => {
      takes.push(loads.join(' or '));
      if (loads[0] !== 'light') return Promise.resolve(false);
      return new Promise((resolve) => {
        end = () => resolve(false);
      });
    });
    const intake = new OutboxIntake({} as Dispatcher, {
      onStored() {},
      onQuarantineFree() {},
      watermarks: new LowWatermarks(),
    });
    const ofLight = () => takes.filter((loads) => loads.includes('light'));
    return { intake, ofLight, end: () => end?.() };
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('what arrives for them waits for the next one: one statement takes all of it', async () => {
    const { intake, ofLight, end } = makeIntake();
    for (let rows = 0; rows < 5; rows++) {
      intake.wake();
      await settle();
    }
    expect(ofLight()).toEqual(['light']);
    end();
    await settle();
    expect(ofLight()).toEqual(['light', 'light']);
  });

  it('another one starts when it takes long', async () => {
    const { intake, ofLight } = makeIntake();
    intake.wake();
    await settle();
    intake.wake();
    vi.advanceTimersByTime(19);
    await settle();
    expect(ofLight()).toEqual(['light']);
    vi.advanceTimersByTime(2);
    await settle();
    expect(ofLight()).toEqual(['light', 'heavy or light']);
  });
});
