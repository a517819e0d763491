import { compileFilter, toFilteredEvent } from '@/lib/delivery/filters/filter';

// A process of the benchmark `filters`: says which pairs of a filter and an event it knows, then runs those that it is asked for.

const BYTES = 256 * 1024;

/** Fills 256 KiB of data whose member `a` begins with `open` and ends with `close`. */
function fill(unit: string | ((index: number) => string), open: string, close: string, end = ''): string {
  const parts: string[] = [];
  let left = BYTES - open.length - close.length - end.length - '{"a":}'.length;
  for (let index = 0; ; index++) {
    const part = typeof unit === 'string' ? unit : unit(index);
    left -= Buffer.byteLength(part);
    if (left < 0) break;
    parts.push(part);
  }
  return `{"a":${open}${parts.join('')}${end}${close}}`;
}

const listOf = (unit: string | ((index: number) => string)) => fill(unit, '[', ']', '1');
const objectOf = (unit: string | ((index: number) => string)) => fill(unit, '{', '}', '"end":1');
const textOf = (unit: string) => fill(unit, '"', '"');
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const name = (index: number) => index.toString(36);

const EVENTS: Record<string, string> = {
  'empty arrays': listOf('[],'),
  'empty objects': listOf('{},'),
  digits: listOf('1,'),
  numbers: listOf((index) => `${index},`),
  decimals: listOf((index) => `0.${index},`),
  exponents: listOf('1e9,'),
  literals: listOf('null,'),
  'empty strings': listOf('"",'),
  'short strings': listOf((index) => `"${name(index)}",`),
  'strings of two bytes': listOf('"é€",'),
  'strings with escapes': listOf('"\\"",'),
  objects: listOf('{"a":1},'),
  'pairs of arrays': listOf('[1,[]],'),
  'white space': listOf(' 1 ,'),
  'short names': objectOf((index) => `"${name(index)}":0,`),
  'names with escapes': objectOf((index) => `"\\t${name(index)}":0,`),
  'repeated names': objectOf('"a":0,'),
  'two names in turn': objectOf((index) => `"${index % 2}":[],`),
  'a long name': `{"${'a'.repeat(BYTES - 20)}":1,"a":1}`,
  'a long text': textOf('a'),
  'a long text with few other letters': textOf(`${'a'.repeat(80)}c`),
  'a long text of two bytes': textOf('aé€'),
  'a long text of quotes': textOf('\\"'),
  'a long text of escapes': textOf('\\u0061'),
  'a long number': fill('1', '', '', '2'),
  'a long fraction': fill('0', '1.', '', '2'),
  'deep arrays': nested(BYTES / 2 - 4).replace(/.*/, '{"a":$&}'),
  'many deep arrays': listOf(`${nested(2_000)},`),
  'arrays in arrays': fill('[],', '[[[[[[[[', ']]]]]]]]', '1'),
  'digits in objects': fill('1,', `${'{"a":'.repeat(7)}[`, `]${'}'.repeat(7)}`, '1'),
  'names in objects': fill((index) => `"${name(index)}":0,`, `${'{"a":'.repeat(7)}{`, '}'.repeat(8), '"end":1'),
  orders: listOf(
    (index) => `{"sku":"sku-${index}","price":{"amount":${index}.50,"currency":"EUR"},"tags":["new","blue"]},`,
  ),
};

interface Condition {
  path: string;
  op: string;
  value: unknown;
}

const MAX_BYTES = 4 * 1024;

/** Makes a filter of the first conditions that fit. */
function anyOf(conditions: Condition[]): string {
  const kept = conditions.slice(0, 49);
  while (Buffer.byteLength(JSON.stringify({ any: kept })) > MAX_BYTES) kept.pop();
  return JSON.stringify({ any: kept });
}

const on = (path: string, op: string, value: unknown): Condition => ({ path, op, value });
const upTo = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));
const VALUES = ['x', '', 7, 0.5, true, null, [], [[]], [1, [2]], {}, { a: 2 }, { b: { c: 1 } }, ['x'], 'xx', 12345.678];
const levels = (member: string) => upTo(8, (level) => `data.a${`.${member}`.repeat(level)}`);

const FILTERS: Record<string, string> = {
  'eq of one number': anyOf([on('data.a', 'eq', 7)]),
  'eq of an object': anyOf([on('data.a', 'eq', { a: [1], b: 2 })]),
  'eq and in': anyOf([on('data.a', 'eq', [1, 2]), on('data.a', 'in', VALUES), on('data.a', 'eq', 'a'.repeat(2_000))]),
  'contains of one value': anyOf([on('data.a', 'contains', { a: 3 })]),
  'contains of 49 values': anyOf(upTo(49, (index) => on('data.a', 'contains', VALUES[index] ?? [index]))),
  'contains of 45 texts': anyOf(upTo(45, (index) => on('data.a', 'contains', `${'a'.repeat(index)}b`))),
  'contains of 4 KiB of texts': anyOf(
    upTo(22, (index) => on('data.a', 'contains', `${'a'.repeat(80 + index)}b${index}`)),
  ),
  'contains of other letters': anyOf(
    upTo(22, (index) => on('data.a', 'contains', String.fromCharCode(...upTo(60, (at) => 0x100 + 60 * index + at)))),
  ),
  'contains of long texts': anyOf(upTo(2, (index) => on('data.a', 'contains', `${'a'.repeat(1_900 + index)}b`))),
  'contains of two texts': anyOf(upTo(2, (index) => on('data.a', 'contains', `b${'a'.repeat(240 + index)}`))),
  'startsWith, endsWith and orders': anyOf([
    ...['startsWith', 'endsWith', 'gt', 'lt'].map((op) => on('data.a', op, op === 'lt' ? '' : 'b'.repeat(800))),
    on('data.a', 'lt', 1),
    on('data.a', 'gt', 1e300),
  ]),
  '49 members': anyOf(upTo(49, (index) => on(`data.a.${name(1_000 + index)}`, 'eq', 7))),
  '49 places': anyOf(upTo(49, (index) => on(`data.a.${index * 1_000}`, 'eq', [index]))),
  '49 members of places': anyOf(upTo(49, (index) => on(`data.a.${index * 100}.price.amount`, 'eq', 0.1))),
  'eq in eight arrays': anyOf(levels('0').map((path) => on(path, 'eq', [[1]]))),
  'eq in eight objects': anyOf(levels('a').map((path) => on(path, 'in', [{ a: { a: 1 } }, [1]]))),
  'contains in eight arrays': anyOf(levels('0').map((path) => on(path, 'contains', [[1]]))),
  'contains in eight objects': anyOf(levels('a').map((path) => on(path, 'contains', [1]))),
};

/** A question: how long does the pair take, in milliseconds? The event comes as bytes, as it does in the product. */
function measure(pair: string): number {
  const [event = '', filter = ''] = pair.split(' × ');
  const bytes = Buffer.from(EVENTS[event] ?? '');
  const startedAt = performance.now();
  compileFilter(FILTERS[filter] ?? '').matches(toFilteredEvent('order.paid', bytes));
  return performance.now() - startedAt;
}

process.on('message', (pair: string) => process.send?.(measure(pair)));
process.on('disconnect', () => process.exit());
process.send?.(Object.keys(EVENTS).flatMap((event) => Object.keys(FILTERS).map((filter) => `${event} × ${filter}`)));
