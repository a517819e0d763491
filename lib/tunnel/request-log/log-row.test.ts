import { afterEach, describe, expect, it } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { makeEntry } from '@/tests/fixtures/tunnels';
import { setTestConfig } from '@/tests/setup/variables';
import { removeBodies, rowBytes, toLogRow } from './log-row';

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
      ...{ path: '/a\ufffdb\ufffd', error: 'x\ufffd' },
      ...{ requestSize: 2_147_483_647, responseSize: 0, durationMs: 13 },
    });
    expect(made.responseHeaders).not.toMatch(/[\0\ud800]/);
  });
});
