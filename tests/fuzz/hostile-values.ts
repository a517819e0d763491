import fc from 'fast-check';

const MANY = 5_000;

/** Returns what white space separates. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** Texts that a parser may mishandle: of a date, an address, a URL, an id, a name, SQL, or a key of an object. */
const TEXTS = [
  ...words(`
    %00 %zz ../../etc/passwd __proto__ constructor hasOwnProperty toString null NaN Infinity -0 1e400 0x10
    0000-01-01T00:00:00Z 275761-01-01T00:00:00Z +275760-09-13T00:00:00.000Z 2016-12-31T23:59:60Z
    2026-02-30T00:00:00Z 9999-12-31T23:59:59.999999999Z -000001-01-01T00:00:00Z 2026-01-01T00:00:00+99:99
    9999-12-31T23:59:59-14:00 1970-01-01T00:00:00+23:59 2026-01-01 9999-12-31 0000-01-01 http://[::1 http://a:b@c
    javascript:alert(1) http://xn-- http://1.2.3.4.5 https://%00 http://127.0.0.1:99999 //example.com @ a@b
    ａ@example.com İ@example.com "quoted"@example.com a@例え.jp OWNER owner READ_WRITE * a.* . .. BCDF-GHJK ｂｃｄｆｇｈｊｋ
    ---- 00000000-0000-0000-0000-000000000000 FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF {strangerProjectId} {projectId}
  `),
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfff\ud800b',
  '\u202e',
  '\u2028',
  '\ufeff',
  '\u200b',
  '\u{1f600}'.repeat(300),
  'x'.repeat(MANY),
  '\u0130'.repeat(200),
  'ﷺ'.repeat(100),
  "'; DROP TABLE users; --",
  'Invalid Date',
  'http://\0',
  `http://${'a'.repeat(2_030)}.example`,
  'http://例え.jp/\ud800',
  '/\\example.com',
  `a@${'x'.repeat(300)}.com`,
  `${'a'.repeat(125)}.*`,
];

/** Valid JSON numbers beyond what JavaScript or PostgreSQL can represent. */
const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1',
  '1.5',
  '1e308',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '2147483648',
  '9'.repeat(400),
  `0.${'1'.repeat(400)}`,
  '1e99999999999',
  '9223372036854775808',
  '604801',
  '8761',
  '-9.99e-99',
];

const STRUCTURES = [
  'null',
  'true',
  'false',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '[1e400]',
  '[{}]',
  '{"a":{"b":[1,{"c":null}]}}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"toString":1,"valueOf":2}',
  '{"toJSON":1,"then":1,"length":1e9}',
  `[${'1,'.repeat(MANY)}1]`,
  '{"a":1,"a":2}',
  '{"":{"":{"":""}}}',
];

/** Random text, mostly hostile. */
const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

/** Hostile text for a URL: percent-encoded, or with a broken encoding. */
export const hostileEncodedText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: hostileText.map((text) => encodeURIComponent(text.toWellFormed())) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...words('% %0 %zz %00 %ff %c0%af %ed%a0%80 %2f %2F..%2f %0d%0aX:1 + %25')),
  },
);

/** Levels around those at which recursion overflows or a body reaches its limit. */
const depth = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(10, 500, 3_000) },
  { weight: 1, arbitrary: fc.constantFrom(20_000, 100_000) },
);

const deepJson = fc.tuple(depth, fc.boolean()).map(([levels, isList]) => {
  const [open, close] = isList ? ['[', ']'] : ['{"a":', '}'];
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
});

/** JSON text of any type; some of it has no equivalent value in JavaScript. */
export const hostileJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: hostileText.map((text) => JSON.stringify(text)) },
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 3, arbitrary: fc.constantFrom(...STRUCTURES) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: deepJson },
);

/** A hostile name of a field. */
export const hostileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...words('__proto__ constructor prototype toString a.b id'), '', '\0', '\ud800', 'x'.repeat(3_000)),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
