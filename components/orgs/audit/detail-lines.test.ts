import { expect, it } from 'vitest';
import { detailLines } from './detail-lines';

const ID = '01a1fbe6-c475-7000-8000-0123456789ab';

it('joins a change into one line', () => {
  expect(detailLines({ from: 'VIEWER', to: 'ADMIN' })).toEqual([
    { label: 'Change', value: 'viewer → admin', isId: false },
  ]);
});

it('recognizes an id and labels it', () => {
  expect(detailLines({ projectId: ID })).toEqual([{ label: 'Project', value: ID, isId: true }]);
});

it('formats lists, numbers, constants and null', () => {
  expect(detailLines({ fields: ['name', 'url'], scope: 'READ_WRITE', gracePeriodHours: 24, expiresAt: null })).toEqual([
    { label: 'Fields', value: 'name, url', isId: false },
    { label: 'Scope', value: 'read write', isId: false },
    { label: 'Grace period hours', value: '24', isId: false },
    { label: 'Expires at', value: 'none', isId: false },
  ]);
});

it('shows unknown details as JSON', () => {
  expect(detailLines({ to: { deep: [1] } })).toEqual([{ label: 'To', value: '{"deep":[1]}', isId: false }]);
  expect(detailLines({})).toEqual([]);
});

it('leaves out the name of the target', () => {
  expect(detailLines({ targetName: 'Laptop' })).toEqual([]);
});
