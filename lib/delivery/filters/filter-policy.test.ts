import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeFilter, describeReasons, type FilterRow, filterTextOf, jsonOf, rowsOf } from './filter-policy';

describe('the sentence of a filter', () => {
  it.each([
    ['{"path":"data.amount","op":"gte","value":1000}', 'data.amount is at least 1000'],
    [
      '{"all":[{"path":"data.amount","op":"gte","value":1000},{"path":"data.customer.country","op":"in","value":["DE","AT"]}]}',
      'data.amount is at least 1000 and data.customer.country is one of DE, AT',
    ],
    [
      '{"any":[{"path":"type","op":"startsWith","value":"order."},{"not":{"path":"data.test","op":"eq","value":true}}]}',
      'type starts with order. or not (data.test is true)',
    ],
    [
      '{"all":[{"path":"data.a","op":"exists","value":true},{"any":[{"path":"data.b","op":"exists","value":false},{"path":"data.c","op":"ne","value":null}]}]}',
      'data.a exists and (data.b does not exist or data.c is not null)',
    ],
    ['{"all":[{"any":[{"path":"data.a","op":"lt","value":1}]}]}', 'data.a is less than 1'],
    [
      '{"path":"data.a","op":"nin","value":["1","two words","true","x"]}',
      'data.a is none of "1", "two words", "true", x',
    ],
    ['{"path":"data.a","op":"in","value":[]}', 'data.a is one of []'],
    ['{"path":"data.a","op":"contains","value":{"b":1}}', 'data.a contains {"b":1}'],
  ])('of %s', (filter, sentence) => {
    expect(describeFilter(JSON.parse(filter))).toBe(sentence);
  });

  it('says what an event has where a condition is not true', () => {
    const reasonOf = (actual: unknown) => describeReasons([{ path: 'data.amount', actual }]);
    expect(reasonOf(42)).toBe('data.amount is 42');
    expect(reasonOf('42')).toBe('data.amount is "42"');
    expect(reasonOf(null)).toBe('data.amount is null or missing');
    expect(reasonOf('x'.repeat(500))).toHaveLength('data.amount is '.length + 121);
    const many = ['a', 'a', 'b', 'c', 'd', 'e'].map((name) => ({ path: `data.${name}`, actual: 1 }));
    expect(describeReasons(many)).toBe('data.a is 1; data.b is 1; data.c is 1; 2 more');
  });
});

describe('the rows of a filter', () => {
  it.each([
    ['gte', '1000', '1000'],
    ['eq', '12345678901234567890.10', '12345678901234567890.10'],
    ['eq', 'DE', '"DE"'],
    ['eq', '"true"', '"true"'],
    ['eq', 'two words', '"two words"'],
    ['eq', '{"a": 1.0}', '{"a": 1.0}'],
    ['eq', '{"a": 1', null],
    ['eq', ' ', null],
    ['in', 'DE, AT,1.10, "x, y"', '["DE","AT",1.10,"x, y"]'],
    ['in', '["DE", 1]', '["DE", 1]'],
    ['in', '["DE"', null],
    ['in', '', null],
    ['startsWith', '42', '"42"'],
    ['endsWith', '"42"', '"42"'],
    ['contains', '42', '42'],
    ['exists', '', 'true'],
    ['absent', '', 'false'],
  ] as const)('reads for %s what is typed as %s', (op, value, json) => {
    expect(jsonOf({ path: 'data.a', op, value })).toBe(json);
  });

  it('make the filter that they were made of', () => {
    const value = fc.oneof(
      fc.constantFrom(
        '1',
        '1.0',
        '12345678901234567890',
        'true',
        'null',
        '"DE"',
        '"1"',
        '"a, b"',
        '" a"',
        '""',
        '"\\n"',
      ),
      fc.string().map((text) => JSON.stringify(text)),
    );
    const condition = fc.oneof(
      fc
        .record({ op: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains'), value })
        .map((each) => `{"path":"data.a","op":"${each.op}","value":${each.value}}`),
      fc
        .record({ op: fc.constantFrom('startsWith', 'endsWith'), part: fc.string() })
        .map(({ op, part }) => `{"path":"data.a","op":"${op}","value":${JSON.stringify(part)}}`),
      fc
        .record({ op: fc.constantFrom('in', 'nin'), values: fc.array(value, { maxLength: 4 }) })
        .map(({ op, values }) => `{"path":"data.a","op":"${op}","value":[${values.join(',')}]}`),
      fc.boolean().map((exists) => `{"path":"type","op":"exists","value":${exists}}`),
    );
    const filter = fc.oneof(
      condition,
      fc
        .tuple(fc.constantFrom('all', 'any'), fc.array(condition, { minLength: 2, maxLength: 4 }))
        .map(([join, each]) => `{"${join}":[${each.join(',')}]}`),
    );
    fc.assert(
      fc.property(filter, (text) => {
        const rows = rowsOf(JSON.parse(text));
        expect(rows).not.toBeNull();
        if (rows !== null) expect(filterTextOf(rows)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('are not those of a filter with groups in groups, or of none that the API takes', () => {
    const row: FilterRow = { path: 'data.a', op: 'eq', value: '1' };
    const condition = { path: 'data.a', op: 'eq', value: 1 };
    expect(rowsOf({ any: [condition, condition] })).toEqual({ join: 'any', rows: [row, row] });
    for (const other of [
      { not: condition },
      { all: [{ any: [condition] }] },
      { path: 'a', op: 'like', value: 1 },
      {},
    ]) {
      expect(rowsOf(other)).toBeNull();
    }
    expect(rowsOf(null)).toEqual({ join: 'all', rows: [] });
    expect(filterTextOf({ join: 'any', rows: [] })).toBeNull();
  });
});
