import { describe, expect, it } from 'vitest';
import { eventTypeOf, typeInMembers } from './event-type-policy';

describe('the type of an event', () => {
  it.each([
    ['X-GitHub-Event', 'push'],
    ['X-Gitlab-Event', 'Push Hook'],
    ['X-Shopify-Topic', 'orders/create'],
    ['X-Event-Key', 'repo:push'],
  ])('is that of the header %s', (name, type) => {
    expect(eventTypeOf([[name, type]], () => '{"type":"other"}')).toBe(type);
  });

  it.each([
    ['{"type":"invoice.paid","data":{}}', 'invoice.paid'],
    [' {"event_type":"PAYMENT.CAPTURE.COMPLETED"}', 'PAYMENT.CAPTURE.COMPLETED'],
    ['{"event":"invitee.created"}', 'invitee.created'],
    ['{"data":{"type":"of the data"},"list":[{"type":"x"}],"a":"type","type":"\\u00fc \\"b\\""}', 'ü "b"'],
    ['{"event":{"type":"app_mention"},"type" : "event_callback"}', 'event_callback'],
    ['{"a":"}],{\\"type\\":\\"x\\"","type":"y"}', 'y'],
    ['[{"subscriptionType":"contact.creation"},{"subscriptionType":"other"}]', 'contact.creation'],
  ])('is that of the body %s', (body, type) => {
    expect(eventTypeOf([], () => body)).toBe(type);
    const json = JSON.parse(body);
    if (!Array.isArray(json)) expect(typeInMembers(json)).toBe(type);
  });

  it.each([
    null,
    '',
    'type=a',
    '["type"]',
    '[]',
    'null',
    '{"type":"a\\u0000"}',
    '{"type":7}',
    '{"type":""}',
    '{"type":"cut',
    '{"__proto__":{"type":"a"}}',
  ])('is unknown for the body %j', (body) => {
    expect(eventTypeOf([['Content-Type', 'application/json']], () => body)).toBeNull();
  });

  it('is found in the start of a body that is cut off', () => {
    expect(eventTypeOf([], () => '{"type":"invoice.paid","data":{"a":"cut')).toBe('invoice.paid');
    expect(eventTypeOf([], () => `{"a":"${'x'.repeat(1024)}","type":"late"}`)).toBeNull();
  });

  it('is looked for in linear time', () => {
    const startedAt = performance.now();
    for (const body of ['"'.repeat(8_000), '\\'.repeat(8_000), '{"type":"\\'.repeat(800), '{"type"'.repeat(1_000)]) {
      eventTypeOf([], () => `{${body}`);
    }
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it('has at most 200 characters', () => {
    const body = { type: 'x'.repeat(300) };
    expect(eventTypeOf([], () => JSON.stringify(body))).toHaveLength(200);
    expect(typeInMembers(body)).toHaveLength(200);
  });
});
