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
    expect(refusal({ ownerId: 'ann' })).toEqual(['overloaded', 'Too many exports are in progress.', 10]);
    first.slot.release();
    expect(refusal({ ownerId: 'ann' })).toBeNull();
  });

  it('are free for everybody who asks while nobody was refused', () => {
    for (let turn = 0; turn < 100; turn++) {
      const owner = { ownerId: `owner-${turn % 2}` };
      const slots = [take(owner), take(owner), take()];
      for (const { slot } of slots) slot.release();
    }
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
    expect(refusal({ ownerId: 'ann' })?.[0]).toBe('overloaded');
    vi.advanceTimersByTime(1);
    take({ ownerId: 'ann' });
    expect([reading, later, longest].map(({ breakOff }) => breakOff.mock.calls.length)).toEqual([0, 0, 1]);
    vi.advanceTimersByTime(10_000);
    take();
    expect([reading, later].map(({ breakOff }) => breakOff.mock.calls.length)).toEqual([0, 1]);
    expect(refusal()?.[0]).toBe('overloaded');
  });

  it('ends the oldest work of the owner who has had slots for two minutes more than the newcomer’s', () => {
    const first = take({ ownerId: 'ann' });
    const second = take({ ownerId: 'ann' });
    vi.advanceTimersByTime(40_000);
    const other = take({ ownerId: 'bob' });
    vi.advanceTimersByTime(19_999);
    expect(refusal({ ownerId: 'cat' })?.[0]).toBe('overloaded');
    vi.advanceTimersByTime(1);
    const third = take({ ownerId: 'cat' });
    expect([first, second, other].map(({ breakOff }) => breakOff.mock.calls.length)).toEqual([1, 0, 0]);
    // Ann has had two minutes lately, so she takes nothing from the others for long.
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

describe('owners who were refused', () => {
  const ask = (ownerId: string, kind = KIND) => refusal({ ownerId }, kind)?.[0] ?? 'slot';

  it('get free slots in the order in which they were first refused', () => {
    const taken = [take(), take(), take()];
    for (const ownerId of ['ann', 'bob', 'cat', 'bob', 'ann']) expect(ask(ownerId)).toBe('overloaded');
    taken[0]?.slot.release();
    expect(['new', 'cat', 'bob'].map((ownerId) => ask(ownerId))).toEqual(Array(3).fill('overloaded'));
    const ann = take({ ownerId: 'ann' });
    for (const { slot } of [...taken, ann]) slot.release();
    // One of the three slots is for Bob, one for Cat, and one for the newcomer.
    expect([ask('ann'), ask('new')]).toEqual(['overloaded', 'slot']);
    const bob = take({ ownerId: 'bob' });
    expect(ask('ann')).toBe('slot');
    expect([ask('cat'), ask('cat')]).toEqual(['slot', 'slot']);
    bob.slot.release();
  });

  it('block nobody once they have not asked for 15 seconds, and go to the end when they ask later', () => {
    const kind = { ...KIND, atOnce: 1, perOwner: 1 };
    const taken = take({}, kind);
    expect(ask('ann', kind)).toBe('overloaded');
    vi.advanceTimersByTime(15_000);
    expect([ask('ann', kind), ask('bob', kind)]).toEqual(['overloaded', 'overloaded']);
    taken.slot.release();
    vi.advanceTimersByTime(15_000);
    expect(ask('bob', kind)).toBe('overloaded');
    vi.advanceTimersByTime(1);
    expect([ask('ann', kind), ask('bob', kind), ask('new', kind)]).toEqual(['overloaded', 'slot', 'overloaded']);
  });

  it('keep their turn for half as long again as their kind tells them to wait', () => {
    const kind = { ...KIND, atOnce: 1, perOwner: 1, retryAfterSeconds: 1 };
    const taken = take({}, kind);
    expect(ask('ann', kind)).toBe('overloaded');
    taken.slot.release();
    vi.advanceTimersByTime(1_500);
    expect(ask('bob', kind)).toBe('overloaded');
    vi.advanceTimersByTime(1);
    expect(ask('bob', kind)).toBe('slot');
  });

  it('end stalled work in that order, too', () => {
    const taken = [take(), take(), take()];
    expect([ask('ann'), ask('bob')]).toEqual(['overloaded', 'overloaded']);
    taken[0]?.wait();
    vi.advanceTimersByTime(5_000);
    expect(ask('bob')).toBe('overloaded');
    expect(taken[0]?.breakOff).not.toHaveBeenCalled();
    take({ ownerId: 'ann' });
    expect(taken[0]?.breakOff).toHaveBeenCalledOnce();
  });

  it('end the work of an owner who has had slots for much longer in that order, as far as they may end it', () => {
    const kind = { ...KIND, atOnce: 1, perOwner: 1 };
    const earlier = take({ ownerId: 'heavy' }, kind);
    vi.advanceTimersByTime(40_000);
    earlier.slot.release();
    const running = take({ ownerId: 'long' }, kind);
    vi.advanceTimersByTime(115_000);
    for (const ownerId of ['heavy', 'ann', 'bob']) expect(ask(ownerId, kind)).toBe('overloaded');
    vi.advanceTimersByTime(5_000);
    expect([ask('bob', kind), running.breakOff.mock.calls.length]).toEqual(['overloaded', 0]);
    expect([ask('ann', kind), running.breakOff.mock.calls.length]).toEqual(['slot', 1]);
  });

  it('end no work while a slot is free', () => {
    const taken = [take(), take(), take()];
    expect(ask('ann')).toBe('overloaded');
    taken[0]?.slot.release();
    taken[1]?.wait();
    vi.advanceTimersByTime(10_000);
    expect(ask('bob')).toBe('overloaded');
    expect(taken[1]?.breakOff).not.toHaveBeenCalled();
  });

  it.each([
    ['free their slots after 20 seconds', () => undefined],
    ['stop reading', ({ wait }: ReturnType<typeof take>) => wait()],
  ])('get in within a turn beside twelve owners who take turns and %s', (_, hold) => {
    const kind = { ...KIND, atOnce: 2, perOrganization: 1, perOwner: 1 };
    const rotating = Array.from({ length: 12 }, (_, n) => `rotating-${n}`);
    const running: (ReturnType<typeof take> & { endsAt: number; ownerId: string })[] = [];
    const turns = new Map<string, number>();
    const tryTo = (ownerId: string, now: number) => {
      try {
        const taken = take({ id: ownerId, ownerId, organizationId: ownerId }, kind);
        hold(taken);
        running.push({ ...taken, endsAt: now + 20_000, ownerId });
        turns.set(ownerId, (turns.get(ownerId) ?? 0) + 1);
      } catch {
        // Refused.
      }
    };
    for (let now = 0; now < 600_000 && !turns.has('newcomer'); now += 500) {
      for (const each of running.splice(0)) {
        if (each.endsAt <= now) each.slot.release();
        else if (each.breakOff.mock.calls.length === 0) running.push(each);
      }
      for (const ownerId of rotating) tryTo(ownerId, now);
      // The newcomer does as Retry-After says.
      if (now % 10_000 === 5_000) tryTo('newcomer', now);
      vi.advanceTimersByTime(500);
    }
    expect(turns.get('newcomer')).toBe(1);
    expect(Math.max(...turns.values())).toBeLessThanOrEqual(2);
  });
});
