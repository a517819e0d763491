import { expect, it } from 'vitest';
import { withoutDatabaseDetail } from './log';

it('a logged database error contains its code, but no values of the row', () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "users_email_key"'), {
    code: '23505',
    detail: 'Key (email)=(ada@example.com) already exists.',
  });
  const logged = JSON.stringify(withoutDatabaseDetail(error));
  expect(logged).toContain('23505');
  expect(logged).not.toContain('ada@example.com');
});

it('a logged pool error does not contain the connection', () => {
  const error = Object.assign(new Error('terminating connection'), {
    code: '57P01',
    client: { connectionParameters: { user: 'event_delivery' }, secretKey: 2_141_309_101 },
  });
  const logged = JSON.stringify(withoutDatabaseDetail(error));
  expect(logged).toContain('57P01');
  expect(logged).not.toContain('secretKey');
});
