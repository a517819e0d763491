import { expect, it } from 'vitest';
import type { CatalogueType } from '@/lib/events/schema';
import { filterTypes, groupTypes } from './group-types';

const type = (name: string, more: Partial<CatalogueType> = {}): CatalogueType => ({
  name,
  description: null,
  group: null,
  status: 'ACTIVE',
  schema: null,
  example: null,
  mismatches: { count: 0, lastAt: null },
  lastSeenAt: null,
  createdAt: null,
  updatedAt: null,
  ...more,
});

const TYPES = [
  type('a', { status: 'SEEN' }),
  type('b', { group: 'Orders' }),
  type('c'),
  type('d', { group: 'Billing', description: 'Was PAID' }),
  type('e', { group: 'Orders', status: 'DEPRECATED' }),
];

it('shows groups in alphabetical order, then types without one, then those that are not defined', () => {
  expect(groupTypes(TYPES).map(({ title, types }) => [title, ...types.map(({ name }) => name)])).toEqual([
    ['Billing', 'd'],
    ['Orders', 'b', 'e'],
    [null, 'c'],
    [null, 'a'],
  ]);
});

it('finds types by text and status', () => {
  const namesOf = (filter: Parameters<typeof filterTypes>[1]) => filterTypes(TYPES, filter).map(({ name }) => name);
  expect(namesOf({ q: 'paid' })).toEqual(['d']);
  expect(namesOf({ q: 'ORD' })).toEqual(['b', 'e']);
  expect(namesOf({ q: 'ord', status: 'DEPRECATED' })).toEqual(['e']);
  expect(namesOf({ status: 'SEEN' })).toEqual(['a']);
});
