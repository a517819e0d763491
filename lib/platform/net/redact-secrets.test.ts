import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { credentialRedactor, secretRedactor } from './redact-secrets';

const redact = (text: string, secrets: string[], cutChars: number | null = null) =>
  secretRedactor(secrets, { replacement: '[x]', cutChars: cutChars ?? 6 })(text, cutChars !== null);
const hex = (char: string, digits: number) => char.charCodeAt(0).toString(16).padStart(digits, '0');

/** Each writes a character in another way. */
const SPELLINGS = [
  (char: string) => char,
  (char: string) => `\\u${hex(char, 4)}`,
  (char: string) => `\\\\u${hex(char, 4).toUpperCase()}`,
  (char: string) => (/[\w"]/.test(char) ? char : `\\${char}`),
  (char: string) => `\\x${hex(char, 2)}`,
  (char: string) => `\\u{${hex(char, 2)}}`,
  (char: string) => `%${hex(char, 2)}`,
  (char: string) => `%25${hex(char, 2)}`,
  (char: string) => `&#${char.charCodeAt(0)};`,
  (char: string) => `&#x${hex(char, 4)};`,
];
// Not characters that could be parts of an escape: "%" before "41" spells "A".
const secret = fc.stringMatching(/^[g-z+/=_.~!@-]{6,40}$/);

it('replaces a secret in any usual spelling, and leaves the rest as it is', () => {
  fc.assert(
    fc.property(secret, fc.array(fc.nat(SPELLINGS.length - 1), { minLength: 1, maxLength: 40 }), (value, choices) => {
      const spelled = [...value].map((char, at) => SPELLINGS[choices[at % choices.length] ?? 0]?.(char)).join('');
      expect(redact(`{"got": "${spelled}", "n": "50%"}`, [value])).toBe('{"got": "[x]", "n": "50%"}');
    }),
  );
});

it('replaces the start of a secret at the end of a text that was cut', () => {
  expect(redact('got s3cret%2Fto', ['s3cret/token'], 6)).toBe('got [x]');
  expect(redact('got s3cret%2Fto', ['s3cret/token'])).toBe('got s3cret%2Fto');
  expect(redact('got s3cre', ['s3cret/token'], 6)).toBe('got s3cre');
  expect(redact('got abc-abc-x-abc-abc-x-ab', ['abc-abc-x-abc-abc'], 6)).toBe('got [x]');
});

it('finds that start in linear time, however often the secret and the text repeat themselves', () => {
  const secret = `${'a'.repeat(2_000)}!`;
  const startedMs = performance.now();
  expect(redact(`%25252541${'a'.repeat(3_000)}c`, [secret], 6)).toBe(`%25252541${'a'.repeat(3_000)}c`);
  expect(redact(`c${'a'.repeat(1_500)}`, [secret], 6)).toBe('c[x]');
  // It took 9 s, and takes 0.02.
  expect(performance.now() - startedMs).toBeLessThan(2_000);
});

it('replaces letters beyond ASCII as bytes of UTF-8', () => {
  const bytes = Buffer.from('pässwörd').toString('latin1');
  const spellings = ['p\\u00e4ssw\\u00f6rd', 'p%C3%A4ssw%c3%b6rd', 'p&#228;ssw&#xf6;rd', 'p&auml;ssw&ouml;rd'];
  for (const spelled of [bytes, ...spellings]) expect(redact(`<${spelled}>`, [bytes])).toBe('<[x]>');
});

it('replaces characters beyond U+FFFF whose halves are escaped one by one', () => {
  const bytes = Buffer.from('ships 🚢 sail').toString('latin1');
  for (const spelled of [bytes, 'ships \\ud83d\\udea2 sail', 'ships &#55357;&#56994; sail', 'ships &#x1f6a2; sail']) {
    expect(redact(`<${spelled}>`, [bytes])).toBe('<[x]>');
  }
});

it('replaces the bytes of a secret in the other encodings of bytes', () => {
  const bytes = Buffer.from('fbef3e01'.repeat(4), 'hex');
  const spellings = [bytes.toString('hex'), bytes.toString('hex').toUpperCase(), bytes.toString('base64url')];
  for (const value of [...spellings, bytes.toString('base64')]) {
    for (const spelled of spellings) expect(redact(`<${spelled}>`, [value])).toBe('<[x]>');
  }
});

it('replaces a secret whose spaces are plus signs, as forms write them', () => {
  expect(redact('password=seven+tall+ships%21', ['seven tall ships!'])).toBe('password=[x]');
});

it('leaves a text without the secrets as it is, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200 }), (text) => {
      expect(redact(text, ['§ a secret §'])).toBe(text);
    }),
  );
});

it.each([
  ['escapes', '\\\\\\\\u002f'],
  ['backslashes', '\\'],
  ['slashes', '/'],
  ['entities', '&sol'],
  ['percent signs', '%25%2'],
])('takes time in proportion to a hostile text of %s', (_, piece) => {
  const startedMs = performance.now();
  redact(piece.repeat(256 * 1024).slice(0, 256 * 1024), ['/'.repeat(512), `${'/'.repeat(300)}a`], 6);
  // It took minutes when the spellings of each character were an expression.
  expect(performance.now() - startedMs).toBeLessThan(3_000);
});

it('finds a secret that repeats itself in a text that does, too, in linear time', () => {
  const [before, after] = ['a'.repeat(1_000), 'a'.repeat(1_500)];
  const text = 'a'.repeat(4 * 1024);
  const startedMs = performance.now();
  expect(redact(`${text}b${text}`, [`${before}b${after}`])).toBe(`${text.slice(1_000)}[x]${text.slice(1_500)}`);
  expect(redact(text, ['a'.repeat(500)])).toBe(
    `${'[x]'.repeat(Math.floor(text.length / 500))}${'a'.repeat(text.length % 500)}`,
  );
  // It took 1.5 s, and takes 0.02.
  expect(performance.now() - startedMs).toBeLessThan(1_000);
});

it('replaces all of a text in which too much would have to be searched', () => {
  const secrets = Array.from({ length: 20 }, (_, index) => `${'a'.repeat(200)}b${'a'.repeat(100 + index)}`);
  expect(redact('a'.repeat(256 * 1024), secrets)).toBe('[x]');
  expect(redact('a'.repeat(3 * 1024), secrets)).toBe('a'.repeat(3 * 1024));
});

it('prepares the credentials of a target once, and gives each response the same time', () => {
  const read = vi.fn(() => `${'a'.repeat(180)}!`);
  const headers = Object.defineProperty({}, 'x-key', { get: read, enumerable: true }) as Record<string, string>;
  for (let response = 0; response < 3; response += 1) {
    const redactor = credentialRedactor(headers);
    expect(redactor.text(`got ${'a'.repeat(180)}!`)).toBe('got [credential]');
    expect(redactor.body(Buffer.from('aaa%'.repeat(256 * 1024)), false).toString()).toBe('[credential]');
    expect(redactor.text('got nothing')).toBe('[credential]');
  }
  expect(read).toHaveBeenCalledOnce();
});

it('replaces all of a response when the credentials have more than 200 parts', () => {
  const listOf = (count: number) => Array.from({ length: count }, (_, index) => `part-${1_000 + index}`).join(',');
  expect(credentialRedactor({ authorization: listOf(150) }).text('got part-1149, 1')).toBe('got [credential], 1');
  expect(credentialRedactor({ authorization: listOf(201) }).text('got nothing')).toBe('[credential]');
});

it('replaces what follows once the texts of a response together take too long', () => {
  const secrets = Array.from({ length: 60 }, (_, index) => `${'a'.repeat(180)}!${index}`);
  const redactor = secretRedactor(secrets, { replacement: '[x]', cutChars: 6 });
  const texts = Array.from({ length: 600 }, () => redactor(`${'a'.repeat(200)}!0`, false));
  expect(texts[0]).toBe(`${'a'.repeat(20)}[x]`);
  expect(texts.at(-1)).toBe('[x]');
});

/** Returns the fastest of several runs: others use the processor, too. */
function fastestMs(run: () => void): number {
  const times = Array.from({ length: 30 }, () => {
    const startedMs = performance.now();
    run();
    return performance.now() - startedMs;
  });
  return Math.min(...times);
}

it.each([
  ['that repeats itself', 'a'],
  ['with escapes of every kind', 'a&#97;aaaaaaaaaaaaaaaaaaaaaaaaaa%252561'],
  ['of escapes within escapes', '%25%32%35'],
  ['of entities that do not exist', '&abcdef;'],
])('takes a few milliseconds for a response %s, however many parts a cookie has', (_, piece) => {
  const parts = Array.from({ length: 580 }, (_, index) => `aa${index.toString(36).padStart(4, 'z')}`);
  const body = Buffer.from(piece.repeat(10_240).slice(0, 10_240));
  // It took 40 to 110 ms, and takes less than 4.
  expect(fastestMs(() => credentialRedactor({ cookie: parts.join(';') }).body(body, true))).toBeLessThan(50);
});

it('finds each of many parts of a cookie in a long response', () => {
  const parts = Array.from({ length: 40 }, (_, index) => [`name-${index}`, `value-${index}-${'0af9'.repeat(8)}`]);
  const cookie = parts.map((part) => part.join('=')).join('; ');
  const words = 'a long page with \\"escapes\\", %20 and &amp; '.repeat(180);
  const body = `${words}${parts.map(([, value]) => encodeURIComponent(`"${value}"`)).join()}${words}`;
  expect(credentialRedactor({ cookie }).text(body)).toBe(
    `${words}${parts.map(() => '%22[credential]%22').join()}${words}`,
  );
});

const redactHeaders = (body: string | Buffer, headers: Record<string, string>, isCut = false) =>
  credentialRedactor(headers).body(Buffer.from(body), isCut).toString();
const basic = { authorization: `Basic ${Buffer.from('shöp:pä"sswörd').toString('base64')}` };

it('replaces all of a text with escapes when the secrets have more than it unescapes', () => {
  for (const [count, expected] of [
    [100, 'a %20 b'],
    [101, '[x]'],
  ] as const) {
    const secret = '%41'.repeat(count);
    expect(redact('a %20 b', [secret])).toBe(expected);
    expect(redact(`a ${secret}`.replaceAll('%', '.'), [secret])).toBe(`a ${'.41'.repeat(count)}`);
  }
});

describe('a credential in a response body', () => {
  it.each([
    ['as sent', 'a Bearer t0ken-t0ken b', { authorization: 'Bearer t0ken-t0ken' }, 'a [credential] b'],
    ['without its scheme', 'a t0ken-t0ken b', { authorization: 'Bearer t0ken-t0ken' }, 'a [credential] b'],
    ['each time', 'k3y-k3y,k3y-k3y', { 'x-key': 'k3y-k3y' }, '[credential],[credential]'],
    ['as the password of Basic', 'a pä"sswörd b', basic, 'a [credential] b'],
    ['with the user of Basic', 'a shöp:pä"sswörd b', basic, 'a [credential] b'],
    ['escaped as JSON', `a ${JSON.stringify('pä"sswörd')} b`, basic, 'a "[credential]" b'],
  ])('is replaced %s', (_, body, headers, expected) => {
    expect(redactHeaders(body, headers)).toBe(expected);
  });

  it('is replaced also where reading ended within it, and only there', () => {
    const headers = { authorization: 'Bearer t0ken-t0ken' };
    expect(redactHeaders('a t0ken-t0', headers, true)).toBe('a [credential]');
    expect(redactHeaders('a Bearer t0k', headers, true)).toBe('a [credential]');
    expect(redactHeaders('a t0ken-t0', headers, false)).toBe('a t0ken-t0');
    expect(redactHeaders('a t0ken-t0 b', headers, true)).toBe('a t0ken-t0 b');
  });

  it('leaves all other bytes as they are', () => {
    const body = Buffer.from([0xff, 0x00, 0xc3, 0xa4, 0x80]);
    expect(credentialRedactor({ 'x-key': 'k3y-k3y' }).body(body, true)).toEqual(body);
    expect(redactHeaders('abc', { 'x-key': 'b' })).toBe('abc');
    expect(redactHeaders('abc', {})).toBe('abc');
    const cookie = { cookie: 'session=abcdef123456; theme=dark' };
    expect(redactHeaders('{"session":"abcdef123456","theme":"dark"}', cookie)).toBe(
      '{"[credential]":"[credential]","theme":"dark"}',
    );
  });
});
