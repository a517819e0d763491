import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppError } from './errors';
import { forgetAll } from './globals';
import { type SlotHolder, type SlotKind, takeSlot } from './slots';

const KIND: SlotKind = { name: 'test-slots', atOnce: 3, perOrganization: 2, perOwner: 2, noun: 'export' };

beforeEach(() => {
  forgetAll();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  forgetAll();
});

let holders = 0;
/** Takes a slot. By default each holder has an organization and an owner of its own. */
function take(holder: Partial<SlotHolder> = {}, kind = KIND) {
  const id = `holder-${++holders}`;
  const slot = takeSlot(kind, { id, organizationId: id, ownerId: id, ...holder });
  const breakOff = vi.fn();
  slot.breakOff = breakOff;
  return { slot, breakOff, wait: () => Object.assign(slot, { waitingSince: performance.now() }) };
}
function refusal(holder: Partial<SlotHolder> = {}, kind = KIND) {
  try {
    take(holder, kind).slot.release();
    return null;
  } catch (error) {
    const { code, message, options } = error as AppError;
    return [code, message.split(' Try')[0], options.retryAfterSeconds];
  }
}

describe('the slots of a process', () => {
  it('are one for a holder, two for an organization, and two for all organizations of an owner', () => {
    const { slot } = take({ id: 'ada', organizationId: 'one', ownerId: 'ann' });
    expect(refusal({ id: 'ada' })).toEqual(['rate_limited', 'You already have an export in progress.', 10]);
    take({ organizationId: 'one', ownerId: 'ann' });
    const third = ['rate_limited', 'Your organization already has 2 exports in progress.', 10];
    expect(refusal({ organizationId: 'one', ownerId: 'ann' })).toEqual(third);
    expect(refusal({ organizationId: 'two', ownerId: 'ann' })?.[1]).toMatch(/of your owner already have 2 exports/);
    expect(refusal()).toBeNull();
    slot.release();
    slot.release();
    expect(refusal({ organizationId: 'two', ownerId: 'ann' })).toBeNull();
  });

  it('name the holder and the time to wait as their kind says', () => {
    const kind = {
      ...KIND,
      name: 'counts',
      noun: 'count',
      holderHas: 'This project already has',
      retryAfterSeconds: 1,
    };
    take({ id: 'shop' }, kind);
    expect(refusal({ id: 'shop' }, kind)).toEqual(['rate_limited', 'This project already has a count in progress.', 1]);
  });

  it('are all taken until one is released, while every client reads', () => {
    const [first] = [take(), take(), take()];
    expect(refusal()).toEqual(['overloaded', 'Too many exports are in progress.', 10]);
    first.slot.release();
    expect(refusal()).toBeNull();
  });
});

describe('a newcomer, when all slots are taken', () => {
  it('ends the work that has waited longest for its client, once that is five seconds', () => {
    const reading = take();
    const later = take();
    const longest = take();
    longest.wait();
    vi.advanceTimersByTime(4_999);
    later.wait();
    expect(refusal()?.[0]).toBe('overloaded');
    vi.advanceTimersByTime(1);
    take();
    expect([reading, later, longest].map(({ breakOff }) => breakOff.mock.calls.length)).toEqual([0, 0, 1]);
    vi.advanceTimersByTime(10_000);
    take();
    expect([reading, later].map(({ breakOff }) => breakOff.mock.calls.length)).toEqual([0, 1]);
    expect(refusal()?.[0]).toBe('overloaded');
  });

  it('ends the oldest work of the owner who has had slots for 30 seconds more than the newcomer’s', () => {
    const first = take({ ownerId: 'ann' });
    const second = take({ ownerId: 'ann' });
    vi.advanceTimersByTime(10_000);
    const other = take({ ownerId: 'bob' });
    vi.advanceTimersByTime(4_999);
    expect(refusal({ ownerId: 'cat' })?.[0]).toBe('overloaded');
    vi.advanceTimersByTime(1);
    const third = take({ ownerId: 'cat' });
    expect([first, second, other].map(({ breakOff }) => breakOff.mock.calls.length)).toEqual([1, 0, 0]);
    // Ann has had 30 seconds lately, so she takes nothing from the others for long.
    vi.advanceTimersByTime(10_000);
    expect(refusal({ ownerId: 'ann' })?.[0]).toBe('overloaded');
    expect([second, other, third].map(({ breakOff }) => breakOff.mock.calls.length)).toEqual([0, 0, 0]);
  });

  it('never ends work whose client reads again, nor work that cannot be ended', () => {
    const [again, other] = [take(), take(), take()];
    again.wait();
    Object.assign(other.wait(), { breakOff: null });
    vi.advanceTimersByTime(10_000);
    again.slot.waitingSince = null;
    expect(refusal()?.[0]).toBe('overloaded');
    expect(again.breakOff).not.toHaveBeenCalled();
  });
});
