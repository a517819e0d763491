import { beforeEach, describe, expect, it } from 'vitest';
import { makeEndpointSecret, signWebhook } from '@/lib/delivery/credentials';
import { signingKey } from '@/lib/delivery/signature-schemes-policy';
import { SignatureError, verifySignature } from './verify-signature';

const TEXT = '{"type":"order.paid","data":{"name":"Åse 🚀"}}';
let secret: string;
beforeEach(() => {
  secret = makeEndpointSecret();
});

/** The headers that the service sends. */
function headersFor(body: string | Uint8Array = TEXT, secrets = [secret], ageSeconds = 0) {
  const seconds = Math.floor(Date.now() / 1000) - ageSeconds;
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signWebhook(secrets.map(signingKey), 'msg_1', seconds, Buffer.from(body)),
  };
}

describe('verifySignature', () => {
  it('accepts what the service signs, as text or bytes, and returns its id, time and body', () => {
    const headers = headersFor();
    const expected = { id: 'msg_1', signedAt: new Date(Number(headers['webhook-timestamp']) * 1000), body: TEXT };
    for (const body of [TEXT, Buffer.from(TEXT), new TextEncoder().encode(TEXT)]) {
      expect(verifySignature(body, headers, secret)).toEqual(expected);
    }
  });

  it('accepts the headers of fetch, those of Node, and names in any case', () => {
    const headers = headersFor();
    const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]);
    for (const given of [
      new Headers(headers),
      { ...headers, host: 'a', cookie: undefined },
      Object.fromEntries(upper),
    ]) {
      expect(verifySignature(TEXT, given, secret).id).toBe('msg_1');
    }
  });

  it('accepts the old and the new secret during a rotation', () => {
    const old = makeEndpointSecret();
    const headers = headersFor(TEXT, [secret, old]);
    for (const each of [secret, old]) expect(verifySignature(TEXT, headers, each).id).toBe('msg_1');
  });

  it('accepts an empty body, text that is not JSON, and a byte order mark', () => {
    for (const body of ['', 'a=b', '\ufeff{}']) {
      expect(verifySignature(Buffer.from(body), headersFor(body), secret).body).toBe(body);
    }
  });

  it('rejects another body, secret, id, or time', () => {
    const headers = headersFor();
    const later = String(Number(headers['webhook-timestamp']) + 1);
    const attempts = [
      () => verifySignature(`${TEXT} `, headers, secret),
      () => verifySignature(TEXT, headers, makeEndpointSecret()),
      () => verifySignature(TEXT, { ...headers, 'webhook-id': 'msg_2' }, secret),
      () => verifySignature(TEXT, { ...headers, 'webhook-timestamp': later }, secret),
    ];
    for (const attempt of attempts) expect(attempt).toThrow(SignatureError);
  });

  it('rejects a request that was signed more than five minutes ago, so that it cannot be replayed', () => {
    expect(() => verifySignature(TEXT, headersFor(TEXT, [secret], 290), secret)).not.toThrow();
    expect(() => verifySignature(TEXT, headersFor(TEXT, [secret], 310), secret)).toThrow(SignatureError);
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'rejects a request without %s or with two',
    (name) => {
      const headers = headersFor();
      const values = [undefined, '', [], ['a', 'b']];
      for (const value of values) {
        expect(() => verifySignature(TEXT, { ...headers, [name]: value }, secret)).toThrow(SignatureError);
      }
    },
  );

  it('rejects malformed signatures, times and bytes', () => {
    const headers = headersFor();
    for (const signature of ['v1', 'v1,', ',', 'v2,abc', 'v1,é', ' ']) {
      expect(() => verifySignature(TEXT, { ...headers, 'webhook-signature': signature }, secret)).toThrow(
        SignatureError,
      );
    }
    const time = { ...headers, 'webhook-timestamp': `${headers['webhook-timestamp']}abc` };
    expect(() => verifySignature(TEXT, time, secret)).toThrow(SignatureError);
    expect(() => verifySignature(new Uint8Array([0xff]), headers, secret)).toThrow(SignatureError);
  });

  it('throws TypeError for a parsed body, and says what to pass', () => {
    for (const parsed of [JSON.parse(TEXT), undefined, null]) {
      expect(() => verifySignature(parsed, headersFor(), secret)).toThrow(
        new TypeError('Pass the raw body, as text or bytes: parsed JSON does not verify.'),
      );
    }
  });

  it('throws TypeError for a malformed secret, without its value', () => {
    for (const bad of ['', 'whsec_', 'whsec_%%%', 'whsec_a', secret.slice(6), ` ${secret}`]) {
      const verify = () => verifySignature(TEXT, headersFor(), bad);
      expect(verify).toThrow(TypeError);
      if (bad.length > 8) expect(verify).not.toThrow(bad);
    }
  });
});
