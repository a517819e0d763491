import { expect, it } from 'vitest';
import { detailLines } from './detail-lines';

const ID = '01a1fbe6-c475-7000-8000-0123456789ab';

it('tells a change as one line', () => {
  expect(detailLines({ from: 'VIEWER', to: 'ADMIN' })).toEqual([
    { label: 'Change', value: 'viewer → admin', isId: false },
  ]);
});

it('knows an id, and says whose it is', () => {
  expect(detailLines({ projectId: ID })).toEqual([{ label: 'Project', value: ID, isId: true }]);
});

it('puts lists, numbers, words of the API and nothing into words', () => {
  expect(detailLines({ fields: ['name', 'url'], scope: 'READ_WRITE', gracePeriodHours: 24, expiresAt: null })).toEqual([
    { label: 'Fields', value: 'name, url', isId: false },
    { label: 'Scope', value: 'read write', isId: false },
    { label: 'Grace period hours', value: '24', isId: false },
    { label: 'Expires at', value: 'none', isId: false },
  ]);
});

it('shows what it has never seen', () => {
  expect(detailLines({ to: { deep: [1] } })).toEqual([{ label: 'To', value: '{"deep":[1]}', isId: false }]);
  expect(detailLines({})).toEqual([]);
});
