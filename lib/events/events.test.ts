import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DELIVERY_STATE_LABELS,
  DELIVERY_STATES,
  DELIVERY_STATUS_FILTERS,
  deliveryStateOf,
  storedStatusesOf,
} from './delivery-state-policy';
import { memberText } from './member-text';
import { exactNumber, isSameJson } from './same-json';
import { EventType } from './schema';
import { splitPattern, TYPE_PATTERN } from './type-pattern-policy';

/** Writes the same value differently: other order of members, other spacing, other escapes. */
function respell(value: unknown): string {
  if (Array.isArray(value)) return `[ ${value.map(respell).join(' ,\n')} ]`;
  if (typeof value === 'string') return respellString(value);
  if (typeof value !== 'object' || value === null) return ` ${JSON.stringify(value)}\t`;
  const members = Object.entries(value).map(([name, member]) => `${respellString(name)} : ${respell(member)}`);
  return `{${members.reverse().join(', ')}}`;
}

const respellString = (text: string) =>
  `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;

describe('two JSON texts', () => {
  it.each([
    ['{"a":1,"b":[true,null]}', '{ "b" : [true, null], "a" : 1 }'],
    ['{"price":1.10}', '{"price":1.1}'],
    ['{"n":1e3}', '{"n":1000}'],
    ['{"n":1E400}', '{"n":10e399}'],
    ['{"n":0.00}', '{"n":-0e7}'],
    ['{"n":1e-2}', '{"n":0.01}'],
    ['{"n":1e99999999999999999999}', '{"n":1E+099999999999999999999}'],
    ['{"s":"\\u00e9\\/"}', '{"s":"é/"}'],
    ['{"a":1,"a":2}', '{"a":2}'],
    ['{"__proto__":{"a":1}}', '{ "__proto__": {"a":1} }'],
    ['{"s":"\\u0000\\ud800"}', '{ "s":"\\u0000\\uD800" }'],
  ])('%s and %s have the same value', (left, right) => {
    expect(isSameJson(left, right)).toBe(true);
  });

  it.each([
    ['{"a":1}', '{"a":"1"}'],
    ['{"id":9007199254740993}', '{"id":9007199254740992}'],
    ['{"n":1E400}', '{"n":1E401}'],
    ['{"n":1e99999999999999999999}', '{"n":1e99999999999999999998}'],
    ['{"n":1e99999999999999999999}', '{"n":1e-99999999999999999999}'],
    ['{"n":-1}', '{"n":1}'],
    ['{"n":10}', '{"n":1}'],
    ['{"n":null}', '{}'],
    ['{"n":null}', '{"m":null}'],
    ['{"l":[1,2]}', '{"l":[2,1]}'],
    ['{"l":[]}', '{"l":{}}'],
    ['{"l":[1]}', '{"l":{"0":1}}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
    ['{"a":{}}', '{"a":{"toString":1}}'],
    ['{"n":12}', '{"n":"n12"}'],
  ])('%s and %s have different values', (left, right) => {
    expect(isSameJson(left, right)).toBe(false);
  });

  it('have the same value if they differ in order, spacing and escapes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed = JSON.parse(JSON.stringify(value));
        expect(isSameJson(JSON.stringify(parsed), respell(parsed))).toBe(true);
      }),
    );
  });

  it('of doubles have the same value exactly if JSON.parse returns the same', () => {
    const json = fc.jsonValue().map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(json, json, (left, right) => {
        const sortedText = (text: string) => JSON.stringify(JSON.parse(text), sortMembers).replaceAll('-0', '0');
        expect(isSameJson(left, right)).toBe(sortedText(left) === sortedText(right));
      }),
    );
  });

  it('may be nested as deep as a body allows', () => {
    const deep = (inner: string) => `{"data":${'['.repeat(120_000)}${inner}${']'.repeat(120_000)}}`;
    expect(isSameJson(deep('1'), deep('1.0'))).toBe(true);
    expect(isSameJson(deep('1'), deep('2'))).toBe(false);
  });

  it('are compared in linear time', () => {
    const texts: ((count: number) => string)[] = [
      (count) => `{"n":${'9'.repeat(count)}}`,
      (count) => `{"n":1e${'9'.repeat(count)}}`,
      (count) => `{"n":0.${'0'.repeat(count)}}`,
      (count) => `{"s":"${'\\\\'.repeat(count / 2)}"}`,
      (count) =>
        `{"l":[${Array(count / 4)
          .fill('1.5')
          .join(',')}]}`,
    ];
    /** The least of three, in milliseconds. */
    const timeOf = (text: string) => {
      const times = [1, 2, 3].map(() => {
        const started = performance.now();
        expect(isSameJson(text, ` ${text}`)).toBe(true);
        return performance.now() - started;
      });
      return Math.min(...times);
    };
    for (const make of texts) expect(timeOf(make(240_000)) / Math.max(1, timeOf(make(12_000)))).toBeLessThan(150);
  });
});

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('a whole number', () => {
  it('is the same in each notation, with as many digits as it has', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat({ max: 20 }), (whole, zeros) => {
        const text = `${whole * 10n ** BigInt(zeros)}`;
        expect(exactNumber(text)).toEqual(exactNumber(`${text}.0e0`));
      }),
    );
  });
});

describe('the text of a member of a JSON object', () => {
  it('is exactly what was sent, with its numbers and spacing', () => {
    const data = '{ "id": 12345678901234567890, "price": 1.10, "e": 1E400, "s": "\\u00e9\\/" }';
    expect(memberText(`{"type":"order.paid","data": ${data} }`, 'data')).toBe(data);
  });

  it('is found in spite of the same name in strings, nested objects and escapes', () => {
    const json = '{"type":"\\"data\\":{}","x":{"data":[1]},"d\\u0061ta":{"ok":"}]\\\\"}}';
    expect(memberText(json, 'data')).toBe('{"ok":"}]\\\\"}');
  });

  it('is that of the last member if a name is repeated, as in JSON.parse', () => {
    expect(memberText('{"data":{"n":1},"data":{"n":2}}', 'data')).toBe('{"n":2}');
  });

  it('is null if the member is missing', () => {
    expect(memberText('{}', 'data')).toBeNull();
    expect(memberText(' { "type" : "a" } ', 'data')).toBeNull();
  });

  it('has the value that JSON.parse returns, for any object and spacing', () => {
    const spaced = fc.constantFrom(undefined, 1, '\t', ' \n\r');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), spaced, (others, data, space) => {
        const json = JSON.stringify({ ...others, data }, null, space);
        expect(JSON.parse(memberText(json, 'data') ?? '')).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });
});

describe('the state of a delivery', () => {
  it.each([
    ['PENDING', 0, 'QUEUED'],
    ['PENDING', 1, 'RETRYING'],
    ['PENDING', 9, 'RETRYING'],
    ['SUCCEEDED', 1, 'SUCCEEDED'],
    ['FAILED', 10, 'FAILED'],
  ] as const)('of a %s delivery with %i attempts is %s', (status, attemptCount, state) => {
    expect(deliveryStateOf({ status, attemptCount })).toBe(state);
  });

  it('has a word of its own', () => {
    expect(new Set(DELIVERY_STATES.map((state) => DELIVERY_STATE_LABELS[state])).size).toBe(DELIVERY_STATES.length);
  });
});

describe('a filter by state', () => {
  const STORED = [
    { status: 'PENDING', attemptCount: 0 },
    { status: 'PENDING', attemptCount: 2 },
    { status: 'SUCCEEDED', attemptCount: 1 },
    { status: 'FAILED', attemptCount: 3 },
  ] as const;

  it.each(DELIVERY_STATUS_FILTERS)('%s selects the deliveries in that state and no others', (filter) => {
    const { statuses, hasAttempts } = storedStatusesOf(filter);
    const selected = STORED.filter(
      ({ status, attemptCount }) =>
        statuses?.includes(status) &&
        (hasAttempts === null || status !== 'PENDING' || attemptCount > 0 === hasAttempts),
    );
    const both = { PENDING: ['QUEUED', 'RETRYING'], UNDELIVERED: ['RETRYING', 'FAILED'] };
    const expected = filter === 'PENDING' || filter === 'UNDELIVERED' ? both[filter] : [filter];
    expect(selected.map(deliveryStateOf)).toEqual(expected);
  });

  it('selects every delivery when it is absent', () => {
    expect(storedStatusesOf(undefined)).toEqual({ statuses: null, hasAttempts: null });
  });
});

describe('an event type', () => {
  it.each(['a', '-', 'a.', '.a', '...', '.a.', 'order.paid', 'x'.repeat(128)])('is %j', (text) => {
    expect(EventType.safeParse(text).success).toBe(true);
  });

  it.each(['', '.', '..', 'a b', 'ä', 'a\n', 'x'.repeat(129)])('is not %j', (text) => {
    expect(EventType.safeParse(text).success).toBe(false);
  });
});

describe('a pattern of types', () => {
  it.each([
    ['order.paid', { exact: 'order.paid', prefix: null }],
    ['order.*', { exact: null, prefix: 'order.' }],
    ['*', { exact: null, prefix: null }],
  ])('splits %s', (pattern, parts) => {
    expect(TYPE_PATTERN.test(pattern)).toBe(true);
    expect(splitPattern(pattern)).toEqual(parts);
  });

  it.each(['', 'order*', '.*x', '**', '*.*', 'a b', 'ä', 'x'.repeat(129), `${'x'.repeat(127)}.*`])(
    'refuses %j',
    (text) => {
      expect(TYPE_PATTERN.test(text)).toBe(false);
    },
  );
});
