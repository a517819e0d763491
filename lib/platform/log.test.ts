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
