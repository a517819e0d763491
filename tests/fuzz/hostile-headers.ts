import fc from 'fast-check';
import type { Mutation } from './hostile-bodies';
import { words } from './hostile-values';

type Header = [name: string, value: string];

const CREDENTIAL_NAMES = ['authorization', 'x-api-key', 'x-platform-admin-token', 'cookie'];

/** Below and above the 32 KiB of headers that a server reads. */
const LONG = 'x'.repeat(20_000);
const TOO_LONG = 'x'.repeat(40_000);

const BEARERS = [
  ...words(`
    {bearer} {portalToken} {readingPortalToken} {strangerPortalToken} {portalLink} {strangerBearer} {viewerBearer} {expiredBearer} {unsignedBearer} {key} {operatorToken} x a.b.c ...
    {bearer}x eyJhbGciOiJub25lIn0.e30.
  `),
  '',
  '{bearer} {bearer}',
  '\xff\xfe',
  LONG,
];
const KEYS = [
  '{key}',
  '{portalToken}',
  '{readOnlyKey}',
  '{strangerKey}',
  '{bearer}',
  '',
  'x',
  '{key}x',
  '{key}, {key}',
  '\xff',
  LONG,
];
const AUTHORIZATIONS = [
  'Basic YTpi',
  'Bearer',
  'bearer {bearer}',
  'Bearer  {bearer} ',
  'Bearer\t{bearer}',
  'Digest x',
  '\xa0',
];
const COOKIES = [
  '{refresh}',
  '{strangerRefresh}',
  '',
  'x',
  '%',
  '%00',
  '\xff',
  '"{refresh}"',
  '{refresh}; refresh_token=x',
  LONG,
].map((value) => `refresh_token=${value}`);
const MORE_COOKIES = [
  ...words('= ; a __proto__=1 next-auth.session-token=x {idpCookies}'),
  '; ; ;',
  `${'a=b; '.repeat(900)}a=b`,
];
const OPERATOR_TOKENS = [
  ...words('{operatorToken} {operatorToken}x x'),
  '',
  '\xff',
  '{operatorToken}, {operatorToken}',
  LONG,
];

const credential: fc.Arbitrary<Header> = fc.oneof(
  fc
    .constantFrom(...BEARERS.map((token) => `Bearer ${token}`), ...AUTHORIZATIONS)
    .map((value): Header => ['Authorization', value]),
  fc.constantFrom(...KEYS).map((value): Header => ['X-API-Key', value]),
  fc.constantFrom(...COOKIES, ...MORE_COOKIES).map((value): Header => ['Cookie', value]),
  fc.constantFrom(...OPERATOR_TOKENS).map((value): Header => ['X-Platform-Admin-Token', value]),
);

const withoutCredentials = (headers: Header[]) =>
  headers.filter(([name]) => !CREDENTIAL_NAMES.includes(name.toLowerCase()));

const adding =
  (...headers: Header[]): Mutation =>
  (plan) => ({ ...plan, headers: [...plan.headers, ...headers] });

/** Removes, replaces or adds credentials. */
export const mutateCredentials: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Mutation>((plan) => ({ ...plan, headers: withoutCredentials(plan.headers) })) },
  {
    weight: 4,
    arbitrary: fc.array(credential, { minLength: 1, maxLength: 3 }).map(
      (given): Mutation =>
        (plan) => ({ ...plan, headers: [...withoutCredentials(plan.headers), ...given] }),
    ),
  },
  { weight: 2, arbitrary: credential.map((given) => adding(given)) },
);

const MEDIA_TYPES = [
  ...words(`
    text/plain application/xml application/x-www-form-urlencoded / */* application/json;charset="utf-8"
    APPLICATION/JSON application/problem+json json
  `),
  'multipart/form-data; boundary=x',
  '',
  'application/json; charset=latin1',
  'application/json; charset=utf-16',
  'application/json, text/plain',
  'application/json; x=y',
  '\xff',
  `a/${'b'.repeat(5_000)}`,
];

/** Sets a wrong, odd or no media type, or a content coding. */
export const mutateMediaType: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(...MEDIA_TYPES, null).map(
      (type): Mutation =>
        (plan) => {
          const others = plan.headers.filter(([name]) => name.toLowerCase() !== 'content-type');
          return { ...plan, headers: type === null ? others : [...others, ['Content-Type', type]] };
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('gzip', 'identity', 'br', 'deflate, gzip', 'x', '', '\xff')
      .map((coding) => adding(['Content-Encoding', coding])),
  },
);

const OTHERS: Header[] = [
  ...['a', '', ' ', 'x'.repeat(255), 'x'.repeat(256), '\xe4', 'a b', '{fresh}', LONG].map(
    (v): Header => ['Idempotency-Key', v],
  ),
  ...['*', '""', 'W/"x"', '"a", "b"', ',', '"', LONG].map((value): Header => ['If-None-Match', value]),
  ...['null', 'http://evil.example', 'http://localhost:3000', 'x', 'http://[', '\xff'].map(
    (value): Header => ['Origin', value],
  ),
  ...['cross-site', 'same-origin', 'none', ''].map((value): Header => ['Sec-Fetch-Site', value]),
  ...['text/csv', 'text/csv;q=0', '*/*', ',;,', 'application/json;q=9', LONG].map((value): Header => ['Accept', value]),
  ...['a', 'a b', '\xff', 'x'.repeat(129), '<script>', ''].map((value): Header => ['X-Request-Id', value]),
  ...['1.2.3.4', ', ,', '::1%eth0', "'; --", LONG].map((value): Header => ['X-Forwarded-For', value]),
  ...['x', '\xff\xfe', '', 'a'.repeat(600), LONG].map((value): Header => ['User-Agent', value]),
  ...['100-continue', 'x'].map((value): Header => ['Expect', value]),
  ...['evil.example', '', 'localhost:99999', '[::1', 'a b'].map((value): Header => ['Host', value]),
  ...['keep-alive', 'Upgrade', 'X-Api-Key'].map((value): Header => ['Connection', value]),
  ['Upgrade', 'websocket'],
  ['Range', 'bytes=0-1,5-'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Access-Control-Request-Method', 'PUT'],
  ['Content-Length', '-1'],
  ['Content-Length', '1e3'],
  ['Na me', 'x'],
  ['X-Nul', 'a\0b'],
  ['X-Surplus', TOO_LONG],
  ['X-Folded', 'a\r\n b'],
];

const NAMES_TO_REPEAT = words('content-type authorization x-api-key idempotency-key if-none-match cookie x-request-id');

/** Repeats a header with the same or another value. */
const repeatHeader: fc.Arbitrary<Mutation> = fc
  .tuple(fc.constantFrom(...NAMES_TO_REPEAT), fc.boolean(), fc.constantFrom(1, 1, 30))
  .map(([name, isSame, times]) => (plan) => {
    const value = plan.headers.find(([other]) => other.toLowerCase() === name)?.[1] ?? 'a';
    const again = Array.from({ length: times }, (): Header => [name, isSame ? value : `${value}2`]);
    return { ...plan, headers: [...plan.headers, [name, value], ...again] };
  });

const manyHeaders = adding(...Array.from({ length: 2_100 }, (_, index): Header => [`X${index}`, '']));

/** Adds other headers that are odd, repeated, too long or too many. */
export const mutateHeaders: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...OTHERS).map((given) => adding(given)) },
  { weight: 3, arbitrary: repeatHeader },
  { weight: 1, arbitrary: fc.constant(manyHeaders) },
);
