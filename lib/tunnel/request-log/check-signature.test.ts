import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signWebhook } from '@/lib/delivery/signature';
import { checkSignature } from './check-signature';

const receivedAt = new Date('2026-11-20T10:00:00Z');
const [key, oldKey] = [randomBytes(32), randomBytes(32)];
const body = Buffer.from('{"type":"order.paid"}');

/** A request that was signed with these keys so long before it was received. */
function signed(keys: readonly Buffer[], secondsAgo = 1) {
  const seconds = Math.floor(receivedAt.getTime() / 1000) - secondsAgo;
  const headers: [string, string][] = [
    ['Webhook-Id', 'evt_1'],
    ['webhook-timestamp', String(seconds)],
    ['webhook-signature', signWebhook(keys, 'evt_1', seconds, body)],
  ];
  return { headers, body, receivedAt };
}
const verdict = (request: Parameters<typeof checkSignature>[0], keys = [key]) =>
  checkSignature(request, keys)?.verified;

describe('the signature of a logged request', () => {
  it('verifies with the secret of the endpoint, and during a rotation with either secret', () => {
    expect(verdict(signed([key]))).toBe(true);
    expect(verdict(signed([oldKey]), [key, oldKey])).toBe(true);
    expect(verdict(signed([key, oldKey]), [oldKey])).toBe(true);
  });

  it('does not verify with another secret, another body, another id or another time', () => {
    expect(verdict(signed([oldKey]))).toBe(false);
    expect(verdict({ ...signed([key]), body: Buffer.from('{}') })).toBe(false);
    for (const changed of [0, 1]) {
      const request = signed([key]);
      const [name, value] = request.headers[changed] as [string, string];
      request.headers[changed] = [name, `${value}1`.slice(-10)];
      expect(verdict(request)).toBe(false);
    }
  });

  it('does not verify when it is older than five minutes, because it may be a replay', () => {
    expect(verdict(signed([key], 299))).toBe(true);
    expect(verdict(signed([key], 301))).toBe(false);
  });

  it('is not judged without an endpoint or without the entire body', () => {
    expect(verdict(signed([key]), [])).toBeNull();
    expect(verdict({ ...signed([key]), body: null })).toBeNull();
  });

  it('is absent from a request without one, and malformed without an id or a time', () => {
    expect(checkSignature({ headers: [['a', 'b']], body, receivedAt }, [key])).toBeNull();
    const { headers } = signed([key]);
    expect(verdict({ headers: headers.slice(1), body, receivedAt })).toBe(false);
    expect(verdict({ headers: headers.filter(([name]) => name !== 'webhook-timestamp'), body, receivedAt })).toBe(
      false,
    );
  });
});
