import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReceivedHeaders } from './received-headers-policy';
import { type CheckedRequest, type CheckedSecrets, diagnoseSignature } from './signature-diagnosis-policy';
import type { SignatureForm, SignatureScheme } from './signature-schemes-policy';
import { wordsForSource } from './signature-words-policy';

const AT = new Date('2026-11-22T12:00:00Z');
const NOW_SECONDS = AT.getTime() / 1000;
const SECRET = `whsec_${Buffer.from('a key of thirty-two bytes, or so').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another key of thirty-two bytes.').toString('base64')}`;
const BARE = SECRET.slice('whsec_'.length);
const key = Buffer.from(BARE, 'base64');

type Headers = [string, string][];
type Key = string | Buffer;
const hmac = (secret: Key, ...parts: (string | Buffer)[]) =>
  parts.reduce((each, part) => each.update(part), createHmac('sha256', secret)).digest();

const SOURCE_URL = 'https://events.example.com/api/v1/ingress/token?a=b';
/** Meta signs as GitHub does. The others have their own tests below. */
type OtherScheme = 'META' | 'TOKEN' | 'GITLAB' | 'TELEGRAM' | 'MICROSOFT_GRAPH' | 'DISCORD';

/** Signs a body as the documentation of each scheme says. */
const SIGN: Record<Exclude<SignatureScheme, OtherScheme>, (body: Buffer, secret: Key, seconds?: number) => Headers> = {
  STANDARD_WEBHOOKS: (body, secret, seconds = NOW_SECONDS) => [
    ['Webhook-Id', 'msg_1'],
    ['Webhook-Timestamp', String(seconds)],
    ['Webhook-Signature', `v1,${hmac(secret, `msg_1.${seconds}.`, body).toString('base64')}`],
  ],
  GENERIC_HMAC: (body, secret) => [['X-Sig', hmac(secret, body).toString('base64')]],
  STRIPE: (body, secret, seconds = NOW_SECONDS) => [
    ['Stripe-Signature', `t=${seconds},v1=${hmac(secret, `${seconds}.`, body).toString('hex')},v0=00`],
  ],
  GITHUB: (body, secret) => [['X-Hub-Signature-256', `sha256=${hmac(secret, body).toString('hex')}`]],
  SHOPIFY: (body, secret) => [['X-Shopify-Hmac-Sha256', hmac(secret, body).toString('base64')]],
  SLACK: (body, secret, seconds = NOW_SECONDS) => [
    ['X-Slack-Request-Timestamp', String(seconds)],
    ['X-Slack-Signature', `v0=${hmac(secret, `v0:${seconds}:`, body).toString('hex')}`],
  ],
  PADDLE: (body, secret, seconds = NOW_SECONDS) => [
    ['Paddle-Signature', `ts=${seconds};h1=${hmac(secret, `${seconds}:`, body).toString('hex')}`],
  ],
  CALENDLY: (body, secret, seconds = NOW_SECONDS) => [
    ['Calendly-Webhook-Signature', `t=${seconds},v1=${hmac(secret, `${seconds}.`, body).toString('hex')}`],
  ],
  ZENDESK: (body, secret, seconds = NOW_SECONDS) => {
    const time = new Date(seconds * 1000).toISOString();
    return [
      ['X-Zendesk-Webhook-Signature-Timestamp', time],
      ['X-Zendesk-Webhook-Signature', hmac(secret, time, body).toString('base64')],
    ];
  },
  HUBSPOT: (body, secret, seconds = NOW_SECONDS) => [
    ['X-HubSpot-Request-Timestamp', `${seconds}000`],
    ['X-HubSpot-Signature-v3', hmac(secret, `POST${SOURCE_URL}`, body, `${seconds}000`).toString('base64')],
  ],
  SQUARE: (body, secret) => [['X-Square-HmacSha256-Signature', hmac(secret, SOURCE_URL, body).toString('base64')]],
  ZOOM: (body, secret, seconds = NOW_SECONDS) => [
    ['x-zm-request-timestamp', String(seconds)],
    ['x-zm-signature', `v0=${hmac(secret, `v0:${seconds}:`, body).toString('hex')}`],
  ],
};
const SCHEMES = Object.keys(SIGN) as (keyof typeof SIGN)[];
const TIMED: (keyof typeof SIGN)[] = [
  'STANDARD_WEBHOOKS',
  'STRIPE',
  'SLACK',
  'PADDLE',
  'CALENDLY',
  'ZENDESK',
  'HUBSPOT',
  'ZOOM',
];
const formOf = (provider: SignatureScheme): SignatureForm => ({
  provider,
  header: 'X-Sig',
  encoding: 'base64',
  prefix: '',
});
const keyOf = (provider: SignatureScheme): Key => (provider === 'STANDARD_WEBHOOKS' ? key : SECRET);

const check = (
  provider: SignatureScheme,
  request: Partial<CheckedRequest> & Pick<CheckedRequest, 'headers'>,
  secrets: Partial<CheckedSecrets> = {},
) =>
  diagnoseSignature(
    formOf(provider),
    { body: Buffer.alloc(0), at: AT, url: SOURCE_URL, ...request },
    { current: SECRET, ...secrets },
  );

const anyScheme = fc.constantFrom(...SCHEMES);
const anyBody = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
/** JSON as a sender writes it, with letters outside ASCII and a number of spaces. */
const anyJson = fc
  .record({
    type: fc.string({ unit: 'grapheme' }),
    amount: fc.integer(),
    tags: fc.array(fc.string(), { maxLength: 4 }),
  })
  .map((value) => `{"type":${JSON.stringify(value.type)},  "data": ${JSON.stringify(value)}}`);
const text = (value: string) => Buffer.from(value);

describe('diagnoseSignature', () => {
  it('says verifies for any body that any scheme signed, with the current or the overlapping secret', () => {
    fc.assert(
      fc.property(anyScheme, anyBody, fc.boolean(), (provider, body, isPrevious) => {
        const headers = SIGN[provider](body, keyOf(provider));
        const previous = { secret: SECRET, endsAt: AT, isValid: true };
        const secrets = isPrevious ? { current: OTHER, previous } : {};
        const signedWith = isPrevious ? 'previous' : 'current';
        expect(check(provider, { headers, body }, secrets)).toMatchObject({
          verified: true,
          reason: 'verified',
          signedWith,
        });
      }),
    );
  });

  it('never says verifies for another body, and never repeats a signature or a secret', () => {
    fc.assert(
      fc.property(anyScheme, anyBody, anyBody, (provider, body, received) => {
        fc.pre(!body.equals(received));
        const headers = SIGN[provider](body, keyOf(provider));
        const result = check(provider, { headers, body: received, sent: body });
        expect(result.verified).toBe(false);
        const told = JSON.stringify(result);
        const right = hmac(keyOf(provider), received);
        const secrets = [BARE, ...headers.map(([, value]) => value).filter((value) => value.length > 24)];
        for (const each of [...secrets, right.toString('hex'), right.toString('base64')])
          expect(told).not.toContain(each);
      }),
    );
  });

  /** What happens to a body, and the reason that names it. `signed` makes a body in which it shows. */
  const MUTATIONS: [string, string, (body: string) => Buffer, ((body: string) => string)?][] = [
    ['body_byte_order_mark', 'a mark that was added', (body) => text(`\ufeff${body}`)],
    ['body_byte_order_mark', 'a mark that was dropped', (body) => text(body.slice(1)), (body) => `\ufeff${body}`],
    ['body_line_breaks', 'CR LF for LF', (body) => text(body.replaceAll('\n', '\r\n')), (body) => `${body}\n{}\n`],
    ['body_line_breaks', 'LF for CR LF', (body) => text(body.replaceAll('\r\n', '\n')), (body) => `${body}\r\n{}\r\n`],
    ['body_whitespace', 'a line break that was added', (body) => text(`${body}\n`)],
    ['body_whitespace', 'space that was added around it', (body) => text(`  ${body} \n\n`)],
    ['body_whitespace', 'a line break that was dropped', (body) => text(body.slice(0, -1)), (body) => `${body}\n`],
    ['body_utf16', 'UTF-16 with a mark', (body) => Buffer.from(`\ufeff${body}`, 'utf16le')],
    ['body_utf16', 'big-endian UTF-16', (body) => Buffer.from(`\ufeff${body}`, 'utf16le').swap16()],
    ['body_latin1', 'UTF-8 read as Latin-1', (body) => text(text(body).toString('latin1')), (body) => `${body}ü`],
    [
      'body_latin1',
      'UTF-8 read as windows-1252',
      (body) => text(new TextDecoder('windows-1252').decode(text(body))),
      (body) => `${body}€ü`,
    ],
    ['body_latin1', 'Latin-1 in place of UTF-8', () => Buffer.from('{"a":"ü"}', 'latin1'), () => '{"a":"ü"}'],
    ['body_base64', 'base64', (body) => text(text(body).toString('base64'))],
    ['body_base64', 'hex', (body) => text(text(body).toString('hex'))],
    ['body_reserialized', 'a string of JSON', (body) => text(JSON.stringify(body))],
    [
      'body_reserialized',
      'compact JSON that was written in lines',
      (body) => text(JSON.stringify(JSON.parse(body), null, 2)),
      (body) => JSON.stringify(JSON.parse(body)),
    ],
    [
      'body_reserialized',
      'JSON as Python writes it, compacted',
      () => text('{"a":"\u00fc, \\"x\\":","b":[1,2]}'),
      () => '{"a": "\\u00fc, \\"x\\":", "b": [1, 2]}',
    ],
  ];
  it.each(MUTATIONS)('names %s: %s', (reason, _what, mutate, signed = (body: string) => body) => {
    fc.assert(
      fc.property(anyScheme, anyJson, (provider, json) => {
        const body = signed(json);
        const received = mutate(body);
        fc.pre(!received.equals(text(body)));
        const result = check(provider, { headers: SIGN[provider](text(body), keyOf(provider)), body: received });
        expect(result).toMatchObject({ verified: false, reason, signedWith: 'current' });
        expect(result.difference).not.toBeNull();
      }),
    );
  });

  it('names a body that was serialized again where it begins to differ, and says to verify the raw one', () => {
    fc.assert(
      fc.property(anyJson, (json) => {
        const received = text(JSON.stringify(JSON.parse(json)));
        const headers = SIGN.STANDARD_WEBHOOKS(text(json), key);
        const result = check('STANDARD_WEBHOOKS', { headers, body: received, sent: text(json) });
        expect(result).toMatchObject({ reason: 'body_reserialized', detail: expect.stringContaining('raw body') });
        const offset = result.difference?.offset ?? -1;
        expect(received.subarray(0, offset)).toEqual(text(json).subarray(0, offset));
        expect(received[offset]).not.toBe(text(json)[offset]);
      }),
    );
    const [sent, body] = [text('{"type":"a","data":{"n":1.0,"s":"é"}}'), text('{"type":"a","data":{"n":1,"s":"é"}}')];
    expect(check('GITHUB', { headers: SIGN.GITHUB(sent, SECRET), body, sent }).difference).toEqual({
      offset: 25,
      before: '"type":"a","data":{"n":1',
      signed: '.0,"s":"é"}}',
      received: ',"s":"é"}}',
    });
  });

  it('names a body that was cut off or changed when the one that was sent is known', () => {
    fc.assert(
      fc.property(anyJson, fc.nat(), (json, at) => {
        const cut = text(json).subarray(0, at % (text(json).length - 4));
        const request = { headers: SIGN.STANDARD_WEBHOOKS(text(json), key), sent: text(json) };
        const wasCut = check('STANDARD_WEBHOOKS', { ...request, body: cut });
        expect(wasCut).toMatchObject({ reason: 'body_changed', detail: expect.stringContaining('cut off') });
        const body = text(json.replace('"data"', '"date"'));
        expect(check('STANDARD_WEBHOOKS', { ...request, body }).reason).toBe('body_changed');
      }),
    );
  });

  it('tells the secret from the body when the one that was sent is known', () => {
    const body = text('{"a":1}');
    const headers = SIGN.STANDARD_WEBHOOKS(body, 'unknown');
    expect(check('STANDARD_WEBHOOKS', { headers, body, sent: body }).reason).toBe('wrong_secret');
    expect(check('STANDARD_WEBHOOKS', { headers, body, sent: text('{"a":2}') })).toMatchObject({
      reason: 'no_match',
      difference: { offset: 5 },
    });
    expect(check('STANDARD_WEBHOOKS', { headers, body })).toMatchObject({ reason: 'no_match', difference: null });
  });

  it('names the secret: not decoded, with space around it, rotated out, of another, or missing', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const standard = (secret: Key, secrets?: Partial<CheckedSecrets>) =>
          check('STANDARD_WEBHOOKS', { headers: SIGN.STANDARD_WEBHOOKS(body, secret), body }, secrets).reason;
        const github = (secret: Key, secrets?: Partial<CheckedSecrets>) =>
          check('GITHUB', { headers: SIGN.GITHUB(body, secret), body }, secrets).reason;
        expect([standard(SECRET), standard(BARE)]).toEqual(['secret_encoding', 'secret_encoding']);
        expect([github(key), github(BARE)]).toEqual(['secret_encoding', 'secret_encoding']);
        for (const spaced of [`${SECRET}\n`, ` ${SECRET}`, `"${SECRET}"`]) {
          expect([spaced, github(spaced)]).toEqual([spaced, 'secret_whitespace']);
          expect([spaced, github(SECRET, { current: spaced })]).toEqual([spaced, 'secret_whitespace']);
        }
        expect(standard(key, { current: ` ${SECRET}\n` })).toBe('secret_whitespace');
        const previous = { secret: SECRET, endsAt: AT, isValid: false };
        expect(standard(key, { current: OTHER, previous })).toBe('secret_rotated_out');
        const others = [{ name: 'the endpoint B', secret: SECRET }];
        expect(standard(key, { current: OTHER, others })).toBe('secret_of_another');
        expect(standard(key, { current: null })).toBe('no_secret');
      }),
    );
  });

  it('names the clock, by how much it is off and in which direction, at five minutes exactly', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TIMED),
        anyBody,
        fc.integer({ min: -100_000, max: 100_000 }),
        (provider, body, age) => {
          const headers = SIGN[provider](body, keyOf(provider), NOW_SECONDS - age);
          const late = age > 0 ? 'timestamp_too_old' : 'timestamp_in_future';
          const reason = Math.abs(age) <= 300 ? 'verified' : late;
          expect(check(provider, { headers, body })).toMatchObject({ reason, ageSeconds: age, signedWith: 'current' });
        },
      ),
    );
    const headers = SIGN.SLACK(text('{}'), SECRET, NOW_SECONDS - 11_525);
    expect(check('SLACK', { headers, body: text('{}') }).detail).toContain('3 h 12 min too old');
    expect(check('SLACK', { headers, body: text('{} ') }).detail).toContain(
      'Also, its timestamp is 3 h 12 min too old',
    );
  });

  it('names headers that are missing, redacted, malformed or of another scheme', () => {
    fc.assert(
      fc.property(anyScheme, anyBody, fc.nat(), (provider, body, nth) => {
        const all = SIGN[provider](body, keyOf(provider));
        const without = all.filter((_, index) => index !== nth % all.length);
        expect(check(provider, { headers: without, body }).reason).toBe('missing_header');
        const last = all.at(-1)?.[0] ?? '';
        const replaced = (value: string): Headers => [...all.slice(0, -1), [last, value]];
        expect(check(provider, { headers: replaced('[redacted]'), body }).reason).toBe('redacted_header');
        const cut = (all.at(-1)?.[1] ?? '').replace(/,v0=.*/, '').slice(0, -3);
        expect(check(provider, { headers: replaced(cut), body }).reason).toBe('malformed_header');
        const other = provider === 'GITHUB' ? 'STRIPE' : 'GITHUB';
        expect(check(provider, { headers: SIGN[other](body, SECRET), body }).reason).toBe('other_scheme');
      }),
    );
    const headers = SIGN.SLACK(text('{}'), SECRET, NOW_SECONDS * 1000);
    expect(check('SLACK', { headers, body: text('{}') })).toMatchObject({
      reason: 'malformed_header',
      detail: expect.stringContaining('milliseconds'),
    });
  });

  it('names a signature that is written in another encoding, or without what the scheme puts before it', () => {
    fc.assert(
      fc.property(anyScheme, anyBody, fc.constantFrom('hex', 'base64', 'base64url'), (provider, body, encoding) => {
        const all = SIGN[provider](body, keyOf(provider));
        const name = all.at(-1)?.[0] ?? '';
        const right = all.at(-1)?.[1]?.replace(/,v0=.*/, '') ?? '';
        const [mark = ''] = /^(?:.*(?:v1,|v1=|h1=|v0=|sha256=))?/.exec(right) ?? [];
        const written = right.slice(mark.length);
        const digest = Buffer.from(written, written.length === 64 ? 'hex' : 'base64');
        const value = `${mark}${digest.toString(encoding as BufferEncoding)}`;
        fc.pre(value !== right);
        const headers: Headers = [...all.slice(0, -1), [name, value]];
        expect(check(provider, { headers, body }).reason).toBe('signature_encoding');
        const unmarked: Headers = [...all.slice(0, -1), [name, value.replace(/^(?:v1,|sha256=|v0=)/, 'md5=')]];
        if (!/=\d+[,;]/.test(mark)) expect(check(provider, { headers: unmarked, body }).verified).toBe(false);
      }),
    );
  });
});

it.each([
  ['lines', 'POST /hooks HTTP/1.1\nWebhook-Id: msg_1\r\nX-Empty:\nnot a header\n'],
  ['curl -v', '> POST /hooks HTTP/2\n> Webhook-Id: msg_1\n> X-Empty:\n>'],
  ['a JSON object', '{"Webhook-Id": ["msg_1"], "X-Empty": ""}'],
  ['pairs', '[["Webhook-Id", "msg_1"], ["X-Empty", ""]]'],
  ['objects', '[{"name": "Webhook-Id", "value": "msg_1"}, {"name": "X-Empty", "value": ""}, null]'],
  ['an object as Node prints it', "{ 'Webhook-Id': 'msg_1', 'X-Empty': '' }"],
  ['one with a prototype, in lines', "[Object: null prototype] {\n  'Webhook-Id': [ 'msg_1' ],\n  'X-Empty': ''\n}"],
  ['one with its class', "Headers { 'Webhook-Id': 'msg_1', 'X-Empty': '' }"],
  ['a dictionary of Ruby', '{"Webhook-Id"=>"msg_1", "X-Empty"=>""}'],
  ['a dictionary in lines', "  'Webhook-Id': 'msg_1',\n  'X-Empty': '',"],
])('parseReceivedHeaders reads %s', (_name, given) => {
  expect(parseReceivedHeaders(given)).toEqual([
    ['Webhook-Id', 'msg_1'],
    ['X-Empty', ''],
  ]);
});

it.each([
  [1_999, [['host', 'a.example']]],
  [2_000, []],
])('parseReceivedHeaders after %d other lines reads %j', (others, headers) => {
  expect(parseReceivedHeaders(`*\n${'-\n'.repeat(others - 1)}host: a.example`)).toEqual(headers);
});

it('parseReceivedHeaders reads the quotes, commas and bare names of a printed object', () => {
  expect(parseReceivedHeaders(`{ host: 'a.example', 'x-a': "it's, b: 'c'", 'x-b': 'it\\'s' }`)).toEqual([
    ['host', 'a.example'],
    ['x-a', "it's, b: 'c'"],
    ['x-b', "it's"],
  ]);
});

it('says that no header could be read, and names the missing ones when others were', () => {
  const detailOf = (given: string) =>
    check('STANDARD_WEBHOOKS', { headers: parseReceivedHeaders(given), body: text('{}') }).detail;
  expect(detailOf('<Headers object>')).toContain('No header could be read');
  expect(detailOf('host: a.example')).toContain(
    'The headers webhook-id, webhook-timestamp, webhook-signature are missing',
  );
});

it.each(['webhook_id', 'HTTP_WEBHOOK_ID', 'WEBHOOK-ID'])('finds a header that a framework names %s', (name) => {
  const headers = SIGN.STANDARD_WEBHOOKS(text('{}'), key).slice(1);
  expect(check('STANDARD_WEBHOOKS', { headers: [[name, 'msg_1'], ...headers], body: text('{}') }).verified).toBe(true);
});

describe('the diagnosis of a token', () => {
  const NAMES = { GITLAB: 'X-Gitlab-Token', TELEGRAM: 'X-Telegram-Bot-Api-Secret-Token', TOKEN: 'X-Sig' } as const;
  const previous = { secret: 'before', endsAt: AT, isValid: false };

  it.each(Object.entries(NAMES) as [keyof typeof NAMES, string][])('of %s says what it is', (provider, name) => {
    const reasonOf = (token: string, secrets: Partial<CheckedSecrets> = {}) =>
      check(provider, { headers: [[name, token]], body: text('{}') }, { current: 'now', previous, ...secrets }).reason;
    expect(reasonOf('now')).toBe('verified');
    expect(reasonOf('before')).toBe('secret_rotated_out');
    expect(reasonOf('before', { previous: { ...previous, isValid: true } })).toBe('verified');
    expect(reasonOf('now ', { current: 'now\n' })).toBe('secret_whitespace');
    expect(reasonOf('never')).toBe('wrong_secret');
    expect(reasonOf('now', { current: null })).toBe('no_secret');
    expect(reasonOf('[redacted]')).toBe('redacted_header');
    expect(check(provider, { headers: [] }).reason).toBe('missing_header');
  });

  it('reads the clientState of Microsoft Graph', () => {
    const reasonOf = (body: unknown) =>
      check('MICROSOFT_GRAPH', { headers: [], body: text(JSON.stringify(body)) }).reason;
    expect(reasonOf({ value: [{ clientState: SECRET }] })).toBe('verified');
    expect(reasonOf({ value: [{ clientState: OTHER }] })).toBe('wrong_secret');
    expect(reasonOf({ value: [] })).toBe('malformed_header');
  });
});

describe('the diagnosis of Discord', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const secret = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const headersOf = (body: string, seconds = NOW_SECONDS): Headers => [
    ['X-Signature-Timestamp', String(seconds)],
    ['X-Signature-Ed25519', sign(null, text(`${seconds}${body}`), privateKey).toString('hex')],
  ];
  const reasonOf = (headers: Headers, body: string, current = secret) =>
    check('DISCORD', { headers, body: text(body) }, { current }).reason;

  it('names a changed body, an old time and another key', () => {
    expect(reasonOf(headersOf('{"type":1}'), '{"type":1}')).toBe('verified');
    expect(reasonOf(headersOf('{"type":1}'), '{"type":1}\n')).toBe('body_whitespace');
    expect(reasonOf(headersOf('{}', NOW_SECONDS - 400), '{}')).toBe('timestamp_too_old');
    expect(reasonOf(headersOf('{}'), '{}', 'ab'.repeat(32))).toBe('no_match');
    expect(
      reasonOf(
        headersOf('{}').map(([name, value]) => [name, value.slice(0, 80)]),
        '{}',
      ),
    ).toBe('malformed_header');
  });
});

describe('the words for a source', () => {
  const told = (
    provider: SignatureScheme,
    headers: Headers,
    { age = 0, body = '{}', ...arrival }: { age?: number; body?: string; isKnown?: boolean; wasRefused?: boolean } = {},
    current: string | null = SECRET,
  ) => {
    const words = wordsForSource(provider, { isKnown: true, wasRefused: true, ...arrival });
    const at = new Date(AT.getTime() + age * 1000);
    return diagnoseSignature(formOf(provider), { headers, body: text(body), at, url: SOURCE_URL }, { current }, words)
      .detail;
  };

  it('name what can be corrected at the provider, and never tell the reader to verify', () => {
    for (const provider of SCHEMES) {
      const detail = told(provider, SIGN[provider](text('{}'), provider === 'STANDARD_WEBHOOKS' ? OTHER : 'other'));
      expect([provider, detail]).toEqual([
        provider,
        expect.stringMatching(/^The secret at (the sender|[A-Z]\w+) is probably another\. /),
      ]);
      expect(detail).not.toMatch(/raw body|Receivers/);
    }
    expect(told('GITHUB', SIGN.GITHUB(text('{}'), OTHER))).toMatch(/Settings → Webhooks.*Redeliver/);
    expect(told('GITHUB', [])).toMatch(
      /X-Hub-Signature-256 is missing\. GitHub sends it only when the webhook has a secret\./i,
    );
    expect(told('GITHUB', SIGN.GITHUB(text('{"a":1}'), SECRET), { body: '{"a": 1}' })).not.toContain('Verify');
    expect(told('STRIPE', SIGN.STRIPE(text('{}'), SECRET), {}, null)).toMatch(
      /^This source has no secret yet\. In Stripe/,
    );
  });

  it('count the time from the arrival when that is known', () => {
    const headers = SIGN.SLACK(text('{}'), SECRET);
    expect(told('SLACK', headers, { age: 1001 })).toContain('it was signed 16 min 41 s before it arrived');
    expect(told('SLACK', headers, { age: 1001 })).toContain(
      'Slack’s clock is slow, or the request was held up or replayed',
    );
    expect(told('SLACK', headers, { age: 1001, isKnown: false })).toContain('was signed 16 min 41 s ago');
    expect(told('SLACK', headers, { age: -1001 })).toContain('Slack’s clock is fast');
  });

  it('say that a token that was not kept was another one, if the request was refused', () => {
    const headers: Headers = [['X-Telegram-Bot-Api-Secret-Token', '[redacted]']];
    expect(told('TELEGRAM', headers)).toMatch(/^The token wasn’t this source’s secret\..*setWebhook/);
    expect(told('TELEGRAM', headers, { wasRefused: false })).toMatch(/^The token was redacted/);
    expect(told('TELEGRAM', [])).toMatch(/is missing\. Telegram sends it only when the webhook has a secret\./);
    expect(told('TELEGRAM', headers, {}, null)).toMatch(/^This source has no secret yet\./);
  });
});

describe('a large body', () => {
  const bodyOf = (bytes: number) => Buffer.alloc(bytes, 'a');
  const reasonOf = (body: Buffer, secret: Key) => check('GITHUB', { headers: SIGN.GITHUB(body, secret), body }).reason;

  it.each([1_000, 25 * 1024 * 1024])('of %d bytes verifies', (bytes) => {
    expect(reasonOf(bodyOf(bytes), SECRET)).toBe('verified');
  });

  it('is hashed for four mebibytes of mistakes at most', () => {
    expect(reasonOf(bodyOf(256 * 1024), `"${SECRET}"`)).toBe('secret_whitespace');
    expect(reasonOf(bodyOf(4 * 1024 * 1024), `"${SECRET}"`)).toBe('no_match');
  });

  it.each([
    [60_000, 'body_utf16'],
    [70_000, 'no_match'],
  ])('of %d bytes is decoded again only if that takes little time: %s', (bytes, reason) => {
    const signed = bodyOf(bytes / 2);
    const body = Buffer.from(signed.toString(), 'utf16le');
    expect(check('GITHUB', { headers: SIGN.GITHUB(signed, SECRET), body }).reason).toBe(reason);
  });

  it.each([
    [30_000, 'body_reserialized'],
    [33_000, 'body_changed'],
  ])('of %d bytes of JSON is compared with what was sent only if that takes little time: %s', (bytes, reason) => {
    const json = (number: string) => Buffer.from(`{"n":${number},"s":"${'a'.repeat(bytes)}"}`);
    const sent = json('1.0');
    const request = { headers: SIGN.GITHUB(sent, SECRET), body: json('1'), sent };
    expect(check('GITHUB', request).reason).toBe(reason);
  });
});
