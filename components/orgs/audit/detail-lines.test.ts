import { expect, it } from 'vitest';
import { PROVIDERS } from '@/components/sources/providers';
import { detailLines } from './detail-lines';

const ID = '01a1fbe6-c475-7000-8000-0123456789ab';

it('joins a change into one line', () => {
  expect(detailLines({ from: 'VIEWER', to: 'ADMIN' })).toEqual([
    { label: 'Change', value: 'Viewer → Admin', isId: false },
  ]);
});

it('recognizes an id and labels it', () => {
  expect(detailLines({ projectId: ID })).toEqual([{ label: 'Project', value: ID, isId: true }]);
});

it('formats lists, hours, constants and null', () => {
  expect(
    detailLines({ fields: ['eventType', 'url'], state: 'READ_WRITE', gracePeriodHours: 24, expiresAt: null }),
  ).toEqual([
    { label: 'Changed', value: 'event type, URL', isId: false },
    { label: 'State', value: 'Read write', isId: false },
    { label: 'Grace period', value: '24 h', isId: false },
    { label: 'Expires at', value: '–', isId: false },
  ]);
});

it('names a value as its own page names it', () => {
  const valuesOf = (details: Record<string, unknown>) => detailLines(details).map(({ value }) => value);
  expect(valuesOf({ role: 'VIEWER', scope: 'READ_WRITE', method: 'PASSWORD' })).toEqual([
    'Viewer',
    'Read and write',
    'Password',
  ]);
  expect(valuesOf({ provider: 'GENERIC_HMAC' })).toEqual([PROVIDERS.GENERIC_HMAC.name]);
  expect(valuesOf({ cause: 'account.deleted', reason: 'gone' })).toEqual([
    'Account deleted',
    'Responded with 410 Gone',
  ]);
  expect(valuesOf({ role: 'toString' })).toEqual(['toString']);
});

it('shows unknown details as JSON', () => {
  expect(detailLines({ to: { deep: [1] } })).toEqual([{ label: 'To', value: '{"deep":[1]}', isId: false }]);
  expect(detailLines({})).toEqual([]);
});

it('leaves out the name of the target', () => {
  expect(detailLines({ targetName: 'Laptop' })).toEqual([]);
});
