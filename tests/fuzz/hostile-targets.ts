import fc from 'fast-check';
import type { Mutation } from './hostile-bodies';
import { hostileEncodedText, words } from './hostile-values';
import type { Plan } from './plan';

const IDS = [
  ...words(`
    x 0 -1 null undefined %00 %2e%2e .. . % %zz %ff %2f a%2fb %5c %20 * 00000000-0000-0000-0000-000000000000
    ffffffff-ffff-ffff-ffff-ffffffffffff __proto__ constructor {projectId}%00 %7B{projectId}%7D
    {projectId}{projectId} {strangerProjectId} {strangerOrgId} {strangerId} %F0%9F%98%80 ;a=b # ?
  `),
  'a'.repeat(8_000),
  '%41'.repeat(2_000),
  '1'.repeat(400),
  "'%20OR%201=1--",
];

/** Replaces an id of the path by another id or an invalid one. */
const replaceId: fc.Arbitrary<Mutation> = fc
  .tuple(fc.nat(9), fc.oneof(fc.constantFrom(...IDS), hostileEncodedText))
  .map(([draw, id]) => (plan) => {
    const places = [...plan.path.matchAll(/\{\w+\}/g)];
    const place = places[draw % Math.max(1, places.length)];
    if (place === undefined) return { ...plan, path: `${plan.path}/${id}` };
    return { ...plan, path: plan.path.slice(0, place.index) + id + plan.path.slice(place.index + place[0].length) };
  });

const PATHS: ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => path.replace('/api/v1/', '/api/v1/../v1/'),
  (path) => path.replace('/v1/', '/%76%31/'),
  (path) => path.replaceAll('/', '%2f'),
  (path) => path.replaceAll('/', '\\'),
  (path) => `http://other.example${path}`,
  (path) => `${path}%00`,
  (path) => `${path};jsessionid=1`,
  (path) => `${path}/%2e%2e/%2e%2e/%2e%2e/etc/passwd`,
  (path) => `${path}\x01\xff`,
  () => '*',
  () => '?',
  () => '',
];
const bendPath: fc.Arbitrary<Mutation> = fc
  .constantFrom(...PATHS)
  .map((bend) => (plan) => ({ ...plan, path: bend(plan.path) }));

const CURSORS = [
  '{cursor}',
  '{cursor}x',
  '{otherCursor}',
  'AAAAAAAAAAAAAAAAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAAA{cursorTag}',
  '______________________{cursorTag}',
  '{cursorTag}',
  'x{cursorTag}',
  '%00{cursorTag}',
  '{projectId}{cursorTag}',
];
const NAMES = words('limit cursor type from to status action actorId email name format userCode x');
const LIMITS = ['0', '-1', '101', '1e2', '1.5', '9'.repeat(400), '٣', '%31', '00001', ' 1', '0x1', 'NaN', '100'];

const aValue = fc.oneof(
  { weight: 2, arbitrary: hostileEncodedText },
  { weight: 1, arbitrary: fc.constantFrom(...CURSORS) },
  { weight: 1, arbitrary: fc.constantFrom(...LIMITS) },
);

const setParameter: fc.Arbitrary<Mutation> = fc.tuple(fc.nat(99), aValue).map(([draw, value]) => (plan) => {
  const [name] = plan.query[draw % Math.max(1, plan.query.length)] ?? [NAMES[draw % NAMES.length] ?? 'x'];
  return { ...plan, query: [...plan.query.filter(([other]) => other !== name), [name, value]] };
});
const addParameter: fc.Arbitrary<Mutation> = fc
  .tuple(fc.oneof(fc.constantFrom(...NAMES), hostileEncodedText), aValue)
  .map(([name, value]) => (plan) => ({ ...plan, query: [...plan.query, [name, value]] }));
const setCursor: fc.Arbitrary<Mutation> = fc
  .constantFrom(...CURSORS)
  .map((cursor) => (plan) => ({ ...plan, query: [...plan.query, ['cursor', cursor]] }));
const addManyParameters: fc.Arbitrary<Mutation> = fc.constantFrom(3, 400).map((count) => (plan) => ({
  ...plan,
  query: [...plan.query, ...Array.from({ length: count }, (_, index): [string, string] => [`p${index}`, ''])],
}));

/** Mutates the path and its ids. */
export const mutatePath: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 3, arbitrary: replaceId },
  { weight: 1, arbitrary: bendPath },
);

/** Mutates the query. */
export const mutateQuery: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 4, arbitrary: setParameter },
  { weight: 2, arbitrary: addParameter },
  { weight: 2, arbitrary: setCursor },
  { weight: 1, arbitrary: addManyParameters },
);

const VERBS = [...words('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND CONNECT get post X'), 'G\0T'];

/** Uses a verb that the path, or every path, lacks. */
export const mutateVerb: fc.Arbitrary<Mutation> = fc
  .constantFrom(...VERBS)
  .map((method) => (plan: Plan) => ({ ...plan, method }));
