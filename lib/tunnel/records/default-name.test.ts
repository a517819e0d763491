import { expect, it } from 'vitest';
import { Name } from '@/lib/platform/text';
import { makeDefaultName } from './create-tunnel';

it('makes different names of two words', () => {
  const names = Array.from({ length: 200 }, makeDefaultName);
  for (const name of names) {
    expect(name).toMatch(/^[a-z]+-[a-z]+$/);
    expect(Name.parse(name)).toBe(name);
  }
  expect(new Set(names).size).toBeGreaterThan(50);
});
