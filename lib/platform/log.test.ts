import { expect, it } from 'vitest';
import { makeLogger, withoutDatabaseDetail } from './log';

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

/** What a logger writes. */
function logged(...args: [object, string]): string {
  const lines: string[] = [];
  makeLogger({ write: (line) => void lines.push(line) }).error(...args);
  return lines.join('');
}

it.each([
  ['', (fields: object) => fields],
  [' in a field', (fields: object) => ({ request: fields })],
  [' four levels deep', (fields: object) => ({ a: { b: { c: { d: fields } } } })],
  [' in a list', (fields: object) => ({ all: [[fields]] })],
  [' of an error', (fields: object) => ({ err: Object.assign(new Error('failed'), { request: { headers: fields } }) })],
])('a line contains no secret%s, and the fields beside it', (_name, wrap) => {
  for (const name of ['authorization', 'cookie', 'password', 'token', 'secret', 'key', 'email']) {
    const line = logged(wrap({ [name]: 'hidden-value', count: 4711 }), 'happened');
    expect(line).not.toContain('hidden-value');
    expect(line).toContain('[redacted]');
    expect(line).toContain('4711');
  }
});

it('a line contains nothing that is nested more deeply than it is written', () => {
  const line = logged({ a: { b: { c: { d: { e: { token: 'hidden-value' } } } } } }, 'happened');
  expect(line).not.toContain('hidden-value');
});
