import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encode, isCompressible } from './compression';

const respondWith = (content: string | Uint8Array | null, contentType = 'application/json') => ({
  status: 200,
  headers: { 'Content-Type': contentType },
  cookies: [],
  content,
});

describe('a response worth compressing', () => {
  it('has more than 1 KiB in bytes, not in characters', () => {
    expect(isCompressible(respondWith('x'.repeat(1024)))).toBe(false);
    expect(isCompressible(respondWith('x'.repeat(1025)))).toBe(true);
    expect(isCompressible(respondWith('é'.repeat(512)))).toBe(false);
    expect(isCompressible(respondWith('é'.repeat(513)))).toBe(true);
    expect(isCompressible(respondWith(null))).toBe(false);
  });

  it.each([
    'application/json',
    'application/problem+json',
    'text/csv; charset=utf-8; header=present',
    'text/plain; version=0.0.4; charset=utf-8',
  ])('is %s', (contentType) => {
    expect(isCompressible(respondWith('x'.repeat(2000), contentType))).toBe(true);
  });

  it.each(['image/png', 'application/octet-stream', 'application/jsonish', 'text/event-stream', ''])(
    'is never %j',
    (contentType) => {
      expect(isCompressible(respondWith('x'.repeat(2000), contentType))).toBe(false);
    },
  );
});

describe('content in gzip', () => {
  it.each([1025, 32 * 1024, 32 * 1024 + 1, 300_000])(
    'of %i bytes decodes to the same content, and is smaller',
    async (size) => {
      const text = 'événement '.repeat(size).slice(0, size);
      for (const content of [text, Buffer.from(text)]) {
        const { headers, content: coded } = await encode(respondWith(content), 'gzip');
        expect(headers).toEqual({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
        expect((coded as Uint8Array).length).toBeLessThan(size / 2);
        expect(gunzipSync(coded as Uint8Array).toString()).toBe(text);
      }
    },
  );

  it('is the one that was compressed beforehand, if there is one', async () => {
    const gzip = gzipSync('x'.repeat(2000));
    const fixed = { ...respondWith('x'.repeat(2000)), gzip };
    expect((await encode(fixed, 'gzip')).content).toBe(gzip);
    expect((await encode(fixed, 'identity')).content).toBe(fixed.content);
    expect((await encode({ ...fixed, content: null }, 'gzip')).content).toBeNull();
  });

  it('is not produced for a client that does not accept it, nor without content', async () => {
    const whole = respondWith('x'.repeat(2000));
    const empty = respondWith(null);
    expect(await encode(whole, 'identity')).toBe(whole);
    expect(await encode(empty, 'gzip')).toBe(empty);
  });
});
