import { expect, it } from 'vitest';
import { type SlotLocks, takeStreamSlot } from './stream-slot';

/** Web Locks of one browser. */
function makeLocks(): SlotLocks {
  const held = new Set<string>();
  return {
    request: async (name, _options, hold) => {
      if (held.has(name)) return hold(null);
      held.add(name);
      await hold({ name });
      held.delete(name);
    },
  };
}

it('lets a browser have three streams at once, and another one when one ends', async () => {
  const locks = makeLocks();
  const windows = Array.from({ length: 4 }, () => new AbortController());
  const take = (index: number) => takeStreamSlot(locks, (windows[index] as AbortController).signal);
  for (const index of [0, 1, 2]) await take(index);
  await expect(take(3)).rejects.toThrow('all streams');
  windows[1]?.abort();
  await expect(take(3)).resolves.toBeUndefined();
});

it('holds nothing for a stream that was given up meanwhile', async () => {
  const locks = makeLocks();
  for (let n = 0; n < 10; n++) await takeStreamSlot(locks, AbortSignal.abort());
});

it('bounds nothing in a browser without locks', async () => {
  for (let n = 0; n < 10; n++) await takeStreamSlot(undefined, new AbortController().signal);
});
