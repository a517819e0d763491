import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter, FilterFault, keptFilter, toFilteredEvent } from './filter';

const matches = (filter: unknown, data: unknown, type = 'order.paid') =>
  compileFilter(typeof filter === 'string' ? filter : JSON.stringify(filter)).matches(
    toFilteredEvent(type, typeof data === 'string' ? data : JSON.stringify(data)),
  );
const is = (path: string, op: string, value: unknown) => ({ path, op, value });
const lists = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('a condition', () => {
  const DATA = {
    amount: 42,
    zero: 0,
    name: 'Åse 𝕏',
    tags: ['vip', 7, null],
    lines: [{ sku: 'a-1' }, { sku: 'b-2' }],
    nothing: null,
    deep: { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } },
    '0': 'a member',
  };

  it.each([
    ['eq', 'data.amount', 42, true],
    ['eq', 'data.amount', '42', false],
    ['eq', 'data.amount', 42.0, true],
    ['eq', 'data.lines', [{ sku: 'a-1' }, { sku: 'b-2' }], true],
    ['eq', 'data.nothing', null, true],
    ['eq', 'data.absent', null, false],
    ['eq', 'type', 'order.paid', true],
    ['eq', 'data.lines.1.sku', 'b-2', true],
    ['eq', 'data.lines.2.sku', 'b-2', false],
    ['eq', 'data.0', 'a member', true],
    ['eq', 'data.deep.a.b.c.d.e.f.g', 1, true],
    ['ne', 'data.amount', 42, false],
    ['ne', 'data.absent', 1, true],
    ['in', 'data.amount', [1, 42], true],
    ['in', 'data.amount', [], false],
    ['in', 'data.absent', [null], false],
    ['nin', 'data.amount', [1, 42], false],
    ['nin', 'data.absent', [1], true],
    ['gt', 'data.amount', 41.9, true],
    ['gt', 'data.amount', 42, false],
    ['gte', 'data.amount', 42, true],
    ['lt', 'data.zero', -0.5, false],
    ['lte', 'data.zero', 0, true],
    ['gt', 'data.name', 'Å', true],
    ['gt', 'data.name', 1, false],
    ['lt', 'data.absent', 1, false],
    ['startsWith', 'data.name', 'Åse', true],
    ['startsWith', 'data.amount', '4', false],
    ['endsWith', 'data.name', '𝕏', true],
    ['endsWith', 'data.name', 'XÅse 𝕏', false],
    ['contains', 'data.name', 'se 𝕏', true],
    ['contains', 'data.tags', 'vip', true],
    ['contains', 'data.tags', 7, true],
    ['contains', 'data.tags', null, true],
    ['contains', 'data.tags', 'VIP', false],
    ['contains', 'data.lines', { sku: 'a-1' }, true],
    ['contains', 'data.amount', 42, false],
    ['exists', 'data.nothing', true, true],
    ['exists', 'data.absent', true, false],
    ['exists', 'data.absent', false, true],
    ['exists', 'data.amount.more', false, true],
  ] as const)('%s of %s with %j is %j', (op, path, value, expected) => {
    expect(matches(is(path, op, value), DATA)).toBe(expected);
  });

  it.each(['eq', 'in', 'gt', 'gte', 'lt', 'lte', 'startsWith', 'endsWith', 'contains'])(
    '%s of an absent path is false',
    (op) => {
      const value = op === 'in' ? ['x'] : 'x';
      expect(matches(is('data.absent', op, value), DATA)).toBe(false);
    },
  );

  it('has exact numbers, beyond 2^53, doubles and their exponents', () => {
    const test = (op: string, actual: string, value: string) =>
      matches(`{"path":"data.n","op":"${op}","value":${value}}`, `{"n":${actual}}`);
    expect(test('eq', '9007199254740993', '9007199254740992')).toBe(false);
    expect(test('gt', '9007199254740993', '9007199254740992')).toBe(true);
    expect(test('lt', '0.10000000000000000000001', '0.1')).toBe(false);
    expect(test('eq', '1.50e1', '15')).toBe(true);
    expect(test('gt', '1e400', '9e399')).toBe(true);
    expect(test('lt', '-1e400', '-9e399')).toBe(true);
    expect(test('gt', '1e99999999999999999999', '1e99999999999999999998')).toBe(true);
    expect(test('lt', '1e-99999999999999999999', '1e-99999999999999999998')).toBe(true);
    expect(test('in', '100', '[1e2]')).toBe(true);
  });

  it('compares numbers as doubles do where they are exact, and strings by code point', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect([matches(is('data.n', 'lt', b), { n: a }), matches(is('data.n', 'gte', b), { n: a })]).toEqual([
          a < b,
          a >= b,
        ]);
      }),
    );
    const surrogate = fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit));
    const few = fc.constantFrom('\ud83d', '\ude00', '\u{1f600}', '\ue000', 'a');
    const any = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 });
    const text = fc.string({ unit: fc.oneof(few, surrogate, any), maxLength: 5 });
    const toBytes = (of: string) => {
      const points = Array.from(of, (character) => character.codePointAt(0) ?? 0);
      return Buffer.concat(points.map((point) => Buffer.from([point >> 16, point >> 8, point])));
    };
    fc.assert(
      fc.property(text, text, (a, b) => {
        const order = Buffer.compare(toBytes(a), toBytes(b));
        expect([matches(is('data.s', 'lt', b), { s: a }), matches(is('data.s', 'lte', b), { s: a })]).toEqual([
          order < 0,
          order <= 0,
        ]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('tells the text of a number from the number, and reads no inherited member', () => {
    expect(matches(is('data.n', 'eq', 'n1e0'), { n: 1 })).toBe(false);
    for (const name of ['constructor', '__proto__', 'toString', 'length']) {
      expect(matches(is(`data.${name}`, 'exists', true), {})).toBe(false);
      expect(matches(is(`data.a.${name}`, 'exists', true), { a: [1] })).toBe(false);
      expect(matches(`{"path":"data.${name}","op":"eq","value":1}`, `{"${name}":1}`)).toBe(true);
    }
  });
});

describe('groups', () => {
  const yes = is('data.a', 'exists', true);
  const no = is('data.a', 'exists', false);

  it.each([
    [{ all: [yes, yes] }, true],
    [{ all: [yes, no] }, false],
    [{ any: [no, yes] }, true],
    [{ any: [no] }, false],
    [{ not: no }, true],
    [{ not: { all: [yes, { any: [no, { not: no }] }] } }, false],
  ])('%j is %j', (filter, expected) => {
    expect(matches(filter, { a: 1 })).toBe(expected);
  });
});

describe('a filter', () => {
  const ok = is('type', 'eq', 'a');
  const nested = (levels: number): object => (levels === 1 ? ok : { not: nested(levels - 1) });

  it.each([
    [null, ''],
    [[], ''],
    ['text', ''],
    [{}, ''],
    [{ all: [] }, 'all'],
    [{ any: {} }, 'any'],
    [{ all: [ok], any: [ok] }, 'all'],
    [{ all: [ok, {}] }, 'all.1'],
    [{ not: [ok] }, 'not'],
    [{ path: 'type', op: 'eq' }, 'value'],
    [{ ...ok, more: 1 }, 'more'],
    [is('types', 'eq', 1), 'path'],
    [is('data', 'eq', 1), 'path'],
    [is('data.', 'eq', 1), 'path'],
    [is('data.a..b', 'eq', 1), 'path'],
    [is('data.1.2.3.4.5.6.7.8.9', 'eq', 1), 'path'],
    [is('data.a', 'matches', '.*'), 'op'],
    [is('data.a', 'in', 1), 'value'],
    [
      is(
        'data.a',
        'nin',
        Array.from({ length: 101 }, () => 1),
      ),
      'value',
    ],
    [is('data.a', 'gt', null), 'value'],
    [is('data.a', 'startsWith', 1), 'value'],
    [is('data.a', 'exists', 'true'), 'value'],
    [{ any: [ok, { not: is('data.a', 'exists', 1) }] }, 'any.1.not.value'],
    [nested(9), 'not.not.not.not.not.not.not.not'],
    [{ all: Array.from({ length: 50 }, () => ok) }, ''],
    [is('data.a', 'eq', 'x'.repeat(4_096)), ''],
    [is('data.a', 'eq', lists(257)), 'value'],
    [is('data.a', 'nin', [1, lists(257)]), 'value'],
    [is('data.a', 'contains', lists(257)), 'value'],
  ])('%# is refused, and says where', (filter, at) => {
    let fault: unknown;
    try {
      compileFilter(JSON.stringify(filter));
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(FilterFault);
    expect((fault as FilterFault).at).toBe(at);
  });

  it.each(['eq', 'contains'])('compares values of up to 256 levels with %s, and deeper data is another value', (op) => {
    const dataOf = (levels: number) => (op === 'eq' ? lists(levels) : [lists(levels)]);
    const filter = is('data.a', op, lists(256));
    expect(matches(filter, { a: dataOf(256) }, 'a')).toBe(true);
    expect(matches(filter, { a: dataOf(2_045) }, 'a')).toBe(false);
  });

  it.each([
    ['eq', lists(257), false],
    ['ne', lists(257), true],
    ['in', [1, lists(257)], false],
    ['nin', [1, lists(257)], true],
    ['contains', lists(257), false],
  ])('that is stored with deeper values equals none by %s, and compares the others', (op, value, isMatch) => {
    const filter = keptFilter(JSON.stringify({ all: [is('data.a', op, value), is('data.b', 'eq', 1)] }));
    const says = (a: unknown, b = 1) => filter.matches(toFilteredEvent('a', JSON.stringify({ a, b })));
    for (const data of [lists(257), lists(258), [lists(257)], 'x']) expect(says(data)).toBe(isMatch);
    expect(says(1)).toBe(['ne', 'in'].includes(op));
    expect(says(lists(257), 2)).toBe(false);
  });

  it('that is stored is compiled when an event is tested, not when it is prepared', () => {
    const event = toFilteredEvent('a', '{"a":1}');
    const [faulty, valid] = ['{}', JSON.stringify(is('data.a', 'eq', 1))].map(keptFilter);
    expect(() => faulty?.matches(event)).toThrow(FilterFault);
    expect(() => faulty?.explain(event)).toThrow(FilterFault);
    expect(valid?.matches(event)).toBe(true);
  });

  it('has up to 50 conditions in 8 levels', () => {
    expect(matches({ all: Array.from({ length: 49 }, () => ok) }, {}, 'a')).toBe(true);
    expect(matches(nested(8), {}, 'a')).toBe(false);
  });

  it('whose groups are read in any way says the same as its conditions do', () => {
    const condition = fc.record({
      path: fc.constantFrom('data.a', 'data.b', 'data.c.0'),
      op: fc.constantFrom('eq', 'ne', 'contains'),
      value: fc.constantFrom(1, 2, 'x'),
    });
    const { filter } = fc.letrec<{ filter: object }>((tie) => ({
      filter: fc.oneof(
        { depthSize: 'small', maxDepth: 3 },
        condition,
        fc.record({ all: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ any: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ not: tie('filter') }),
      ),
    }));
    const value = fc.constantFrom(1, 2, 'x', 'xx', ['x', 1]);
    const data = fc.record({ a: value, b: value, c: fc.array(value, { maxLength: 1 }) }, { requiredKeys: [] });
    const says = (node: Record<string, unknown>, given: object): boolean => {
      if (Array.isArray(node.all)) return node.all.every((each) => says(each, given));
      if (Array.isArray(node.any)) return node.any.some((each) => says(each, given));
      if (node.not !== undefined) return !says(node.not as Record<string, unknown>, given);
      return matches(node, given);
    };
    fc.assert(
      fc.property(filter, data, (given, sent) => {
        expect(matches(given, sent)).toBe(says(given as Record<string, unknown>, sent));
      }),
    );
  });
});

it.each([
  ['amount', ', such as data.amount'],
  ['customer.id', ', such as data.customer.id'],
  ['data', ''],
  ['a..b', ''],
  ['1.2.3.4.5.6.7.8.9', ''],
])('says of the path %s what it must be, and offers the member of data with this name', (path, offer) => {
  expect(() => compileFilter(JSON.stringify(is(path, 'eq', 1)))).toThrow(
    expect.objectContaining({ message: `must be type, or data. and at most 8 members separated by dots${offer}` }),
  );
});
