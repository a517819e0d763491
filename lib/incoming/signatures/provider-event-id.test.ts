import { describe, expect, it } from 'vitest';
import { challengeOf, providerEventIdOf } from './provider-event-id';

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
