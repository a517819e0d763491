import { describe, expect, it } from 'vitest';
import { systemSlots } from './resolve-host';

describe('slots of the system resolver', () => {
  it.each([
    [4, 1],
    [8, 1],
    [16, 3],
    [64, 15],
  ])('with %i threads are %i for each use', (threads, slots) => {
    expect(systemSlots(threads)).toBe(slots);
  });
});
