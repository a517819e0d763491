import { expect, it } from 'vitest';
import { withoutDatabaseDetail } from './log';

it.each([
  ['23505', { detail: 'Key (email)=(ada@example.com) already exists.' }, 'ada@example.com'],
  ['57P01', { client: { connectionParameters: { user: 'event_delivery' }, secretKey: 2_141_309_101 } }, 'secretKey'],
])('a logged database error contains its code %s, but no values of the row and no connection', (code, more, hidden) => {
  const logged = JSON.stringify(withoutDatabaseDetail(Object.assign(new Error('refused'), { code, ...more })));
  expect(logged).toContain(code);
  expect(logged).not.toContain(hidden);
});

const refused = (more: object) => Object.assign(new Error('refused'), { code: '23505', ...more });
const DETAIL = { detail: 'Key (email)=(ada@example.com) already exists.' };

it.each([
  [
    'of the adapter of Prisma',
    refused({ meta: { driverAdapterError: { cause: { originalCode: '23505', ...DETAIL } } } }),
  ],
  ['of one of several', new AggregateError([refused(DETAIL)], 'refused')],
  ['in a list in a list', refused({ tries: [[{ code: '23505', ...DETAIL }]] })],
  ['of a cause', new Error('refused', { cause: refused(DETAIL) })],
  ['nested without end', refused({ meta: Array.from({ length: 50 }).reduce((meta) => ({ meta }), DETAIL) })],
])('a logged error contains no values of the row in the detail %s', (_name, error) => {
  const logged = JSON.stringify(withoutDatabaseDetail(error));
  expect(logged).toContain('refused');
  expect(logged).not.toContain('ada@example.com');
});

it('a logged error that refers to itself is written', () => {
  const error = refused({});
  Object.assign(error, { self: error });
  expect(JSON.stringify(withoutDatabaseDetail(error))).toContain('23505');
});
