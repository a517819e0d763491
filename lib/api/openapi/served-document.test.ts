import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { setOnce } from '@/lib/platform/globals';
import { useAdapters } from '@/tests/http/adapters';

const TEXT = JSON.stringify({ openapi: '3.1.1', description: 'é'.repeat(50_000) });
/** Differs from TEXT to show that the response is not compressed again. */
const COMPRESSED_TEXT = JSON.stringify({ openapi: '3.1.1', description: 'compressed once' });
const GZIP = { 'accept-encoding': 'gzip' };

beforeEach(() =>
  setOnce('openapi-document', {
    read: Promise.resolve({ content: Buffer.from(TEXT), gzip: gzipSync(COMPRESSED_TEXT), tag: '"tag"' }),
  }),
);

describe.each(useAdapters())('the OpenAPI document (%s)', (_name, call) => {
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    call(method, '/api/v1/openapi.json', { headers });

  it('is sent as it was compressed once, to every client that accepts gzip', async () => {
    for (let request = 0; request < 2; request++) {
      const { status, headers, text } = await get(GZIP);
      expect([status, headers['content-encoding'], headers.vary]).toEqual([200, 'gzip', 'Accept-Encoding']);
      expect(text).toBe(COMPRESSED_TEXT);
    }
    const { headers } = await get(GZIP, 'HEAD');
    expect(headers['content-encoding']).toBe('gzip');
  });

  it('is sent uncompressed to other clients', async () => {
    const { status, headers, text } = await get();
    expect([status, headers['content-encoding'], headers.vary]).toEqual([200, undefined, 'Accept-Encoding']);
    expect(text).toBe(TEXT);
  });

  it('is not sent again to a client that has it', async () => {
    const { etag = '' } = (await get(GZIP)).headers;
    for (const accepted of [GZIP, {}]) {
      const again = await get({ ...accepted, 'if-none-match': etag });
      expect([again.status, again.text, again.headers['content-encoding']]).toEqual([304, '', undefined]);
    }
    expect((await get({ 'if-none-match': '"another"' })).status).toBe(200);
  });
});
