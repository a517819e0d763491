import { version } from 'uuid';
import { describe, expect, it, vi } from 'vitest';
import { isId, lowestIdAt, newId, timeOfId } from './ids';

describe('a new id', () => {
  const ids = Array.from({ length: 20_000 }, newId);

  it('is a unique UUIDv7', () => {
    expect(ids.every((id) => isId(id) && version(id) === 7)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sorts after every id made before it, also within a millisecond', () => {
    expect([...ids].sort()).toEqual(ids);
  });

  it('contains its creation time', () => {
    const before = new Date();
    const id = newId();
    expect(id >= lowestIdAt(before)).toBe(true);
    expect(id < lowestIdAt(new Date(Date.now() + 1))).toBe(true);
  });

  it('cannot be predicted from the previous one: its last six bytes are random', () => {
    const tails = ids.map((id) => id.slice(-12));
    expect(new Set(tails).size).toBe(tails.length);
  });
});

it('new ids follow a clock that was set back by more than a minute', () => {
  vi.useFakeTimers({ now: Date.now() + 86_400_000 });
  newId();
  vi.useRealTimers();
  expect(Math.abs(timeOfId(newId()) - Date.now())).toBeLessThan(60_000);
});
