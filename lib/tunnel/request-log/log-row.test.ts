import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { signWebhook } from '@/lib/delivery/credentials';
import { newId } from '@/lib/platform/ids';
import type { TunnelRequestLog } from '@/lib/platform/prisma/generated/client';
import { makeEntry } from '@/tests/fixtures/tunnels';
import { setTestConfig } from '@/tests/setup/variables';
import { checkSignature } from './check-signature';
import { removeBodies, rowBytes, toLogRow } from './log-row';
import { repeatedRequest } from './queries';

const ids = { projectId: newId(), tunnelId: newId() };
const row = (changes: Parameters<typeof makeEntry>[1]) => toLogRow(makeEntry(ids, changes));

afterEach(() => setTestConfig());

describe('the headers of a logged request', () => {
  it('keep their order, their case and their repeats', () => {
    const headers: [string, string][] = [
      ['X-One', '1'],
      ['accept', 'a'],
      ['Accept', 'b'],
    ];
    expect(row({ requestHeaders: headers }).requestHeaders).toBe(JSON.stringify(headers));
  });

  it.each([
    'Authorization',
    'proxy-authorization',
    'Cookie',
    'SET-COOKIE',
    'X-API-Key',
    'x-platform-admin-token',
    'x-eds-proof',
    'X-Vault-Secret',
    'X_Api_Key',
    'X-Auth-Token',
  ])('hide the value of %s', (name) => {
    const { requestHeaders, responseHeaders } = row({
      requestHeaders: [[name, 'the value']],
      responseHeaders: [[name, 'the value']],
    });
    expect(requestHeaders).toBe(JSON.stringify([[name, '[redacted]']]));
    expect(responseHeaders).toBe(requestHeaders);
  });

  it('are not kept when TUNNEL_LOG_HEADERS is false', () => {
    setTestConfig({ TUNNEL_LOG_HEADERS: 'false' });
    expect(row({})).toMatchObject({ requestHeaders: null, responseHeaders: null });
  });

  it('are truncated at 64 KiB', () => {
    const many = Array.from({ length: 100 }, (_, n): [string, string] => [`x-${n}`, 'v'.repeat(1_000)]);
    expect(JSON.parse(row({ responseHeaders: many }).responseHeaders ?? '')).toEqual(many.slice(0, 65));
  });
});

describe('the bodies of a logged request', () => {
  const body = { bytes: Buffer.from('0123456789'), truncated: false };

  it('are truncated at TUNNEL_LOG_BODY_BYTES, and marked as truncated', () => {
    setTestConfig({ TUNNEL_LOG_BODY_BYTES: '4' });
    expect(row({ requestBody: body }).requestBody).toEqual({ bytes: Buffer.from('0123'), truncated: true });
    setTestConfig({ TUNNEL_LOG_BODY_BYTES: '10' });
    expect(row({ requestBody: body }).requestBody).toEqual(body);
  });

  it('stay marked as truncated when they arrive truncated', () => {
    expect(row({ responseBody: { ...body, truncated: true } }).responseBody?.truncated).toBe(true);
  });

  it('are not kept when TUNNEL_LOG_BODY_BYTES is 0', () => {
    setTestConfig({ TUNNEL_LOG_BODY_BYTES: '0' });
    expect(row({ requestBody: body, responseBody: body })).toMatchObject({ requestBody: null, responseBody: null });
  });

  it('still say that a part is missing when TUNNEL_LOG_BODY_BYTES is 0', () => {
    setTestConfig({ TUNNEL_LOG_BODY_BYTES: '0' });
    const { requestBody } = row({ requestBody: { ...body, truncated: true } });
    expect(requestBody).toEqual({ bytes: Buffer.alloc(0), truncated: true });
  });

  it('do not keep the larger buffer that they are a part of', () => {
    const large = Buffer.alloc(10 * 1024 * 1024, 'x');
    const { requestBody } = row({ requestBody: { bytes: large.subarray(0, 1_000), truncated: true } });
    expect(requestBody?.bytes.equals(Buffer.alloc(1_000, 'x'))).toBe(true);
    expect(requestBody?.bytes.buffer.byteLength).toBeLessThan(100_000);
  });

  it('count toward the size of the row until they are removed', () => {
    const made = row({ requestBody: body, responseBody: body });
    const before = rowBytes(made);
    expect(removeBodies(made)).toBe(20);
    expect(before - rowBytes(made)).toBe(20);
    expect(made).toMatchObject({ requestBody: null, responseBody: null });
  });

  it('are kept when empty, because an empty body is complete', () => {
    const made = row({ requestBody: { bytes: Buffer.alloc(0), truncated: false } });
    removeBodies(made);
    expect(made.requestBody?.bytes).toHaveLength(0);
  });
});

describe('a logged request', () => {
  it('fits into its columns, whatever the local server sends', () => {
    const made = row({
      path: '/a\0b\ud800',
      error: 'x\0',
      requestSize: 5e12,
      responseSize: Number.NaN,
      durationMs: 12.6,
      responseHeaders: [['x', 'a\0\ud800']],
    });
    expect(made).toMatchObject({
      path: '/a\ufffdb\ufffd',
      error: 'x\ufffd',
      requestSize: 2_147_483_647,
      responseSize: 0,
      durationMs: 13,
    });
    expect(made.responseHeaders).not.toMatch(/[\0\ud800]/);
  });
});

const receivedAt = new Date('2026-11-20T10:00:00Z');
const key = randomBytes(32);
const oldKey = randomBytes(32);
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

  it('is looked for among the first ten signatures only: a visitor may send thousands', () => {
    const request = signed([key]);
    const [name, value] = request.headers[2] as [string, string];
    const after = (others: number) => `${'v1,x '.repeat(others)}${value}`;
    for (const others of [9, 10]) {
      request.headers[2] = [name, after(others)];
      expect(verdict(request)).toBe(others < 10);
    }
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

describe('a request that is replayed', () => {
  const ids = { id: newId(), tunnelId: newId(), projectId: newId() };
  const row = (headers: [string, string][], body: Buffer<ArrayBuffer> | null = null) =>
    ({
      ...ids,
      method: 'PUT',
      path: '/a%20b?c=%2F',
      requestHeaders: JSON.stringify(headers),
      requestBody: body,
    }) as TunnelRequestLog;

  it('a replay has the method, path and body of its request byte for byte, and refers to it', () => {
    const body = Buffer.from([0, 255, 10, 13]);
    expect(repeatedRequest(row([], body))).toEqual({
      tunnelId: ids.tunnelId,
      projectId: ids.projectId,
      replayOf: ids.id,
      method: 'PUT',
      path: '/a%20b?c=%2F',
      headers: [],
      body,
    });
  });

  it('a replay of a request without a body has none', () => {
    expect(repeatedRequest(row([])).body).toHaveLength(0);
  });

  it('a replay keeps the order and repeats of headers, and omits credentials and framing', () => {
    const kept: [string, string][] = [
      ['X-Signature', 'v1=ab'],
      ['accept', 'a'],
      ['Accept', 'b'],
    ];
    const left: [string, string][] = [
      ['Authorization', '[redacted]'],
      ['cookie', '[redacted]'],
      ['Content-Length', '4'],
      ['Transfer-Encoding', 'chunked'],
      ['connection', 'keep-alive'],
      ['x-vault', '[redacted]'],
    ];
    expect(repeatedRequest(row([...left, ...kept])).headers).toEqual(kept);
  });
});
