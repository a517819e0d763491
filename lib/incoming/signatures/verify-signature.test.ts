import { createHmac } from 'node:crypto';
import { sign } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import type { SignatureScheme } from '@/lib/delivery/signature-schemes-policy';
import {
  challengeOf,
  providerEventIdOf,
  type ReceivedRequest,
  type SignatureRule,
  verifySignature,
} from './verify-signature';

const NOW = new Date('2026-11-22T12:00:00Z');
const BODY = '{"id":"evt_1","amount":100,"text":"ü"}';
const SECRET = 'an old secret of the provider';
const STANDARD_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const seconds = (offset = 0) => Math.floor(NOW.getTime() / 1000) + offset;

const requestOf = (headers: Record<string, string>, body = BODY): ReceivedRequest => ({
  header: (name) => headers[name] ?? null,
  body: Buffer.from(body),
});
const ruleOf = (provider: SignatureScheme, more: Partial<SignatureRule> = {}): SignatureRule => ({
  provider,
  secrets: [provider === 'STANDARD_WEBHOOKS' ? STANDARD_SECRET : SECRET],
  header: 'X-Signature',
  encoding: 'hex',
  prefix: '',
  ...more,
});
const hex = (text: string, secret = SECRET) => createHmac('sha256', secret).update(text).digest('hex');

/** Requests as the provider's own library, or its documentation where there is none, signs them. */
const SIGNERS: Record<SignatureScheme, (offset?: number, secret?: string) => Promise<Record<string, string>>> = {
  GENERIC_HMAC: async (_, secret) => ({ 'x-signature': hex(BODY, secret) }),
  STANDARD_WEBHOOKS: async (offset = 0, secret = STANDARD_SECRET) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds(offset)),
    'webhook-signature': new Webhook(secret).sign('msg_1', new Date(seconds(offset) * 1000), BODY),
  }),
  STRIPE: async (offset = 0, secret = SECRET) => ({
    'stripe-signature': await Stripe.webhooks.generateTestHeaderStringAsync({
      payload: BODY,
      secret,
      timestamp: seconds(offset),
    }),
  }),
  GITHUB: async (_, secret = SECRET) => ({ 'x-hub-signature-256': await sign(secret, BODY) }),
  SHOPIFY: async (_, secret = SECRET) => ({
    'x-shopify-hmac-sha256': createHmac('sha256', secret).update(BODY).digest('base64'),
  }),
  SLACK: async (offset = 0, secret) => ({
    'x-slack-request-timestamp': String(seconds(offset)),
    'x-slack-signature': `v0=${hex(`v0:${seconds(offset)}:${BODY}`, secret)}`,
  }),
};
const PROVIDERS = Object.keys(SIGNERS) as SignatureScheme[];
const WITH_TIME: SignatureScheme[] = ['STANDARD_WEBHOOKS', 'STRIPE', 'SLACK'];

describe.each(PROVIDERS)('a signature of %s', (provider) => {
  it('is accepted with either secret during a rotation, and with no other', async () => {
    const other = provider === 'STANDARD_WEBHOOKS' ? `whsec_${Buffer.alloc(24, 9).toString('base64')}` : 'a new secret';
    const [old] = ruleOf(provider).secrets;
    const both = ruleOf(provider, { secrets: [other, old as string] });
    for (const secret of both.secrets) {
      expect(verifySignature(both, requestOf(await SIGNERS[provider](0, secret)), NOW)).toBe(true);
    }
    const request = requestOf(await SIGNERS[provider](0, other));
    expect(verifySignature(ruleOf(provider), request, NOW)).toBe(false);
  });

  it('is refused for another body', async () => {
    const headers = await SIGNERS[provider]();
    expect(verifySignature(ruleOf(provider), requestOf(headers, `${BODY} `), NOW)).toBe(false);
  });

  it('is refused when it is missing, empty, cut or made of other characters', async () => {
    const headers = await SIGNERS[provider]();
    for (const name of Object.keys(headers)) {
      for (const value of [
        undefined,
        '',
        headers[name]?.slice(0, -3),
        `${headers[name]}0`,
        'v1,é',
        '=',
        ',,,',
        't=,v1=',
      ]) {
        const changed = Object.fromEntries(
          Object.entries({ ...headers, [name]: value }).filter(
            (entry): entry is [string, string] => entry[1] !== undefined,
          ),
        );
        expect(verifySignature(ruleOf(provider), requestOf(changed), NOW), `${name}: ${value}`).toBe(false);
      }
    }
  });
});

describe.each(WITH_TIME)('the signed time of %s', (provider) => {
  it.each([-300, 0, 300])('is accepted at %s seconds', async (offset) => {
    expect(verifySignature(ruleOf(provider), requestOf(await SIGNERS[provider](offset)), NOW)).toBe(true);
  });

  it.each([-301, 301])('is refused at %s seconds', async (offset) => {
    expect(verifySignature(ruleOf(provider), requestOf(await SIGNERS[provider](offset)), NOW)).toBe(false);
  });
});

describe('a generic HMAC', () => {
  it('is read as base64, with a prefix, and from another header, as the source says', () => {
    const base64 = createHmac('sha256', SECRET).update(BODY).digest('base64');
    const check = (more: Partial<SignatureRule>, headers: Record<string, string>) =>
      verifySignature(ruleOf('GENERIC_HMAC', more), requestOf(headers), NOW);
    expect(check({ encoding: 'base64' }, { 'x-signature': base64 })).toBe(true);
    expect(check({ encoding: 'hex' }, { 'x-signature': base64 })).toBe(false);
    expect(check({ prefix: 'sha256=' }, { 'x-signature': `sha256=${hex(BODY)}` })).toBe(true);
    expect(check({ prefix: 'sha256=' }, { 'x-signature': hex(BODY) })).toBe(false);
    expect(check({ header: 'X-Acme-Digest' }, { 'x-acme-digest': hex(BODY) })).toBe(true);
    expect(check({ header: 'X-Acme-Digest' }, { 'x-signature': hex(BODY) })).toBe(false);
  });
});

describe('the examples that providers publish', () => {
  it('are accepted: GitHub', () => {
    const rule = ruleOf('GITHUB', { secrets: ["It's a Secret to Everybody"] });
    const headers = {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    };
    expect(verifySignature(rule, requestOf(headers, 'Hello, World!'), NOW)).toBe(true);
  });

  it('are accepted: Slack', () => {
    const rule = ruleOf('SLACK', { secrets: ['8f742231b10e8888abcd99yyyzzz85a5'] });
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const headers = {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    };
    expect(verifySignature(rule, requestOf(headers, body), new Date(1531420618 * 1000))).toBe(true);
  });

  it('are accepted: Standard Webhooks', () => {
    const rule = ruleOf('STANDARD_WEBHOOKS', { secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] });
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    expect(verifySignature(rule, requestOf(headers, '{"test": 2432232314}'), new Date(1614265330 * 1000))).toBe(true);
  });
});

const request = (headers: Record<string, string>, body: unknown = {}) => ({
  header: (name: string) => headers[name] ?? null,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

describe('the id by which repeats are recognized', () => {
  it.each([
    [
      'GITHUB',
      request({ 'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' }),
      '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    ],
    ['STRIPE', request({}, { id: 'evt_1' }), 'evt_1'],
    ['STANDARD_WEBHOOKS', request({ 'webhook-id': 'msg_1' }), 'msg_1'],
    ['SHOPIFY', request({ 'x-shopify-webhook-id': 'b54557e4' }), 'b54557e4'],
    ['SLACK', request({}, { event_id: 'Ev1' }), 'Ev1'],
  ] as const)('of %s is read where it sends it', (provider, received, id) => {
    expect(providerEventIdOf(provider, received)).toBe(id);
  });

  it.each(['NONE', 'GENERIC_HMAC'] as const)('does not exist for %s', (provider) => {
    expect(providerEventIdOf(provider, request({ 'webhook-id': 'msg_1' }, { id: 'evt_1' }))).toBeNull();
  });

  it.each([
    ['{'],
    ['null'],
    ['[]'],
    ['{"id":1}'],
    ['{"id":""}'],
    [`{"id":"${'x'.repeat(256)}"}`],
    ['{"id":"a\\u0000"}'],
  ])('is ignored in %s', (body) => {
    expect(providerEventIdOf('STRIPE', request({}, body))).toBeNull();
  });
});

describe('the challenge of a new URL', () => {
  const body = { type: 'url_verification', challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P' };

  it('is echoed for Slack', () => {
    expect(challengeOf('SLACK', request({}, body))).toBe(body.challenge);
  });

  it.each([
    ['GITHUB', body],
    ['SLACK', { type: 'event_callback', challenge: 'x' }],
    ['SLACK', { type: 'url_verification', challenge: 1 }],
    ['SLACK', { type: 'url_verification', challenge: 'x'.repeat(1_001) }],
    ['SLACK', 'null'],
    ['SLACK', '{'],
  ] as const)('is not echoed: %s %j', (provider, sent) => {
    expect(challengeOf(provider, request({}, sent))).toBeNull();
  });
});
