import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { setTestConfig } from '@/tests/setup/variables';
import { makeEndpointSecret, openEndpointSecret, sealEndpointSecret, signingKey } from './endpoint-secret';
import { signWebhook } from './signature';

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
  it('is verified by the Standard Webhooks library', () => {
    const secret = makeEndpointSecret();
    expect(new Webhook(secret).verify(BODY, headersFor([secret]))).toMatchObject({ data: { name: 'Åse 🚀' } });
  });

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
