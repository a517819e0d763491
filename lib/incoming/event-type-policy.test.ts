import { describe, expect, it } from 'vitest';
import { eventTypeOf } from './event-type-policy';

describe('the type of an event', () => {
  it.each([
    ['X-GitHub-Event', 'push'],
    ['X-Gitlab-Event', 'Push Hook'],
    ['X-Shopify-Topic', 'orders/create'],
    ['X-Event-Key', 'repo:push'],
  ])('is that of the header %s', (name, type) => {
    expect(eventTypeOf([[name, type]], '{"type":"other"}')).toBe(type);
  });

  it.each([
    ['{"type":"invoice.paid","data":{}}', 'invoice.paid'],
    [' {"event_type":"PAYMENT.CAPTURE.COMPLETED"}', 'PAYMENT.CAPTURE.COMPLETED'],
    ['{"event":"invitee.created"}', 'invitee.created'],
  ])('is that of the body %s', (body, type) => {
    expect(eventTypeOf([], body)).toBe(type);
  });

  it.each([null, '', 'type=a', '["type"]', '{"type":7}', '{"type":""}', '{"type":"cut', '{"__proto__":{"type":"a"}}'])(
    'is unknown for the body %j',
    (body) => {
      expect(eventTypeOf([['Content-Type', 'application/json']], body)).toBeNull();
    },
  );

  it('has at most 200 characters', () => {
    expect(eventTypeOf([], JSON.stringify({ type: 'x'.repeat(1000) }))).toHaveLength(200);
  });
});
