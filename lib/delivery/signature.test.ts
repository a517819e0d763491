import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signingKey } from '@/lib/delivery/signature-schemes-policy';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { setTestConfig } from '@/tests/setup/variables';
import { signatureRedactor } from './attempts/redact-signatures';
import {
  makeEndpointSecret,
  markCredentials,
  markedCredentials,
  openEndpointSecret,
  sealEndpointSecret,
  signWebhook,
} from './credentials';
import { RESPONSE_FILTER, responseRangeOf } from './response-filter-policy';

const BODY = Buffer.from('{"type":"order.paid","data":{"name":"Åse 🚀"}}');

function headersFor(secrets: string[], at = new Date()) {
  const seconds = Math.floor(at.getTime() / 1000);
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signWebhook(secrets.map(signingKey), 'msg_1', seconds, BODY),
  };
}

describe('a signature', () => {
  it('made with two secrets is verified with either of them, and with no other', () => {
    const secrets = [makeEndpointSecret(), makeEndpointSecret()];
    const headers = headersFor(secrets);
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    for (const secret of secrets) expect(() => new Webhook(secret).verify(BODY, headers)).not.toThrow();
    expect(() => new Webhook(makeEndpointSecret()).verify(BODY, headers)).toThrow();
  });

  it('is rejected for another body or time', () => {
    const secret = makeEndpointSecret();
    const headers = headersFor([secret]);
    expect(() => new Webhook(secret).verify(`${BODY} `, headers)).toThrow();
    const later = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) };
    expect(() => new Webhook(secret).verify(BODY, later)).toThrow();
  });
});

describe('a signing secret', () => {
  beforeAll(() => void setTestConfig());

  it('has 32 random bytes after its prefix', () => {
    const secret = makeEndpointSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(signingKey(secret)).toHaveLength(32);
    expect(makeEndpointSecret()).not.toBe(secret);
  });

  it('is encrypted for the database and decrypts to the same', () => {
    const secret = makeEndpointSecret();
    const sealed = sealEndpointSecret(secret);
    expect(sealed.toString('latin1')).not.toContain(secret.slice(6, 20));
    expect(openEndpointSecret(sealed)).toBe(secret);
  });

  it('does not decrypt without its key in ENCRYPTION_KEY', () => {
    const sealed = sealEndpointSecret(makeEndpointSecret());
    setTestConfig();
    expect(() => openEndpointSecret(sealed)).toThrow('ENCRYPTION_KEY');
  });
});

describe('the mark on the credential of a forward', () => {
  const EVENT = { 'x-eds-incoming-event-id': '0199-event', 'x-vault': 'hush' };
  const marked = (headers: Record<string, string> = EVENT, names = ['x-vault']): HeaderPairs =>
    Object.entries(markCredentials(headers, names));

  beforeEach(() => {
    setTestConfig();
  });

  it('tells the service the names of the headers', () => {
    const two = { ...EVENT, 'x-key': 'another' };
    expect(markedCredentials(marked(two, ['x-vault', 'x-key']))).toEqual(['x-vault', 'x-key']);
    expect(marked(EVENT, [])).toEqual(Object.entries(EVENT));
    expect(markedCredentials(marked())).toEqual(['x-vault']);
    expect(markedCredentials(Object.entries(EVENT))).toEqual([]);
  });

  it('has no effect when a stranger makes it, changes it, or uses it for another event or value', () => {
    const [, proof = ''] = Object.fromEntries(marked())['x-eds-credential-mark']?.split(' ') ?? [];
    const withMark = (mark: string, id = '0199-event', ...values: string[]): HeaderPairs => [
      ['X-EDS-Credential-Mark', mark],
      ['X-EDS-Incoming-Event-Id', id],
      ...(values.length === 0 ? ['hush'] : values).map((value): [string, string] => ['X-Vault', value]),
    ];
    expect(markedCredentials(withMark(`x-vault ${proof}`))).toEqual(['x-vault']);
    for (const mark of ['x-vault', 'x-vault ', `x-exploit ${proof}`, `x-vault ${'A'.repeat(43)}`, ` ${proof}`, '']) {
      expect(markedCredentials(withMark(mark)), mark).toEqual([]);
    }
    expect(markedCredentials(withMark(`x-vault ${proof}`, '0199-other'))).toEqual([]);
    for (const values of [['hidden'], ['hush', 'hidden'], ['hidden', 'hush']]) {
      expect(markedCredentials(withMark(`x-vault ${proof}`, '0199-event', ...values)), values.join()).toEqual([]);
    }
  });

  it('is valid while ENCRYPTION_KEY is rotated, and not in another deployment', () => {
    const [old, other] = ['b'.repeat(43), 'c'.repeat(43)].map((text) => `${text}=`);
    setTestConfig({ ENCRYPTION_KEY: `${other},${old}` });
    const sent = marked();
    setTestConfig({ ENCRYPTION_KEY: `${old}` });
    expect(markedCredentials(sent)).toEqual(['x-vault']);
    setTestConfig({ ENCRYPTION_KEY: `${other}` });
    expect(markedCredentials(sent)).toEqual([]);
  });
});

const [FIRST, SECOND] = [
  'ab+/cdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO',
  'zzzz/+zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz',
].map((text) => `${text}=`) as [string, string];
const redact = signatureRedactor([`v1,${FIRST} v1,${SECOND}`]);

describe('the signatures of a request', () => {
  it.each([
    ['as sent', (text: string) => text],
    ['in JSON that escapes slashes', (text: string) => text.replaceAll('/', '\\/')],
    ['in JSON that escapes HTML', (text: string) => text.replaceAll('+', '\\u002b').replaceAll('=', '\\u003D')],
    ['in JSON within JSON', (text: string) => JSON.stringify(JSON.stringify(text).replaceAll('/', '\\/')).slice(3, -3)],
    ['in a URL', encodeURIComponent],
    ['in HTML', (text: string) => text.replaceAll('+', '&#43;').replaceAll('/', '&#x2F;').replaceAll('=', '&#x3D;')],
  ])('are redacted where a receiver repeats them %s', (_, write) => {
    const text = `got <${write(FIRST)}> and <${write(SECOND)}>, once more ${write(FIRST)}.`;
    expect(redact.text(text)).toBe('got <[redacted]> and <[redacted]>, once more [redacted].');
  });

  it.each([
    ['Stripe', 't=1700000000,v1=', 'ab12'.repeat(16)],
    ['GitHub', 'sha256=', 'cd34'.repeat(16)],
    ['Shopify', '', `${'Ef5+'.repeat(10)}Ef5=`],
    ['a provider with RSA', '', '9A/z'.repeat(128)],
  ])('are redacted as %s writes them', (_, before, signature) => {
    const hides = signatureRedactor([`${before}${signature}`]);
    expect(hides.text(`got ${before}${signature}, again ${encodeURIComponent(signature)}.`)).toBe(
      `got ${before}[redacted], again [redacted].`,
    );
  });

  it('are redacted at the end of a text that was cut within them', () => {
    for (let chars = 6; chars <= FIRST.length; chars++) {
      expect(redact.text(`got ${FIRST.slice(0, chars)}`), String(chars)).toBe('got [redacted]');
    }
  });

  it('leave every other text as it is', () => {
    const texts = ['ab+/cdefghij.', 'v1,', randomBytes(5_000).toString('base64'), `${FIRST.slice(0, 40)} and more`];
    for (const text of texts) expect(redact.text(text)).toBe(text);
    for (const values of [[], [''], ['v1,short'], ['('.repeat(50)]]) {
      expect(signatureRedactor(values).text(`all ${FIRST}`)).toBe(`all ${FIRST}`);
    }
  });

  it('cost little, whatever a stranger sends', () => {
    const signatures = Array.from({ length: 300 }, (_, n) => `v1,${'/'.repeat(38)}${1e4 + n}=`);
    const hostile = signatureRedactor([...signatures, '/'.repeat(512)]);
    const startedMs = performance.now();
    hostile.text('\\'.repeat(64 * 1024));
    hostile.text('/'.repeat(64 * 1024));
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});

describe('a filter by response', () => {
  it.each([
    ['503', [503, 503]],
    ['4xx', [400, 499]],
    ['5xx', [500, 599]],
    ['none', 'none'],
  ] as const)('%s selects %j', (filter, range) => {
    expect(RESPONSE_FILTER.test(filter)).toBe(true);
    expect(responseRangeOf(filter)).toEqual(range);
  });

  it('selects everything without a filter', () => {
    expect(responseRangeOf(undefined)).toBeNull();
  });

  it.each(['', '50', '5000', '600', '099', '6xx', '5XX', 'x', ' 503', 'None'])('refuses %j', (text) => {
    expect(RESPONSE_FILTER.test(text)).toBe(false);
  });
});
