import { describe, expect, it } from 'vitest';
import { parseHeaderLines } from '@/lib/delivery/header-lines';
import { keptHeaders } from './kept-headers';

const kept = (headers: Record<string, string | string[]>, sent = {}) =>
  parseHeaderLines(keptHeaders(headers, sent) ?? '');

describe('the stored headers of a response', () => {
  it('are those that arrived, with repeated ones apart', () => {
    expect(kept({ 'content-type': 'text/html', via: ['a', 'b'], empty: '', colon: 'a: b' })).toEqual({
      headers: [
        ['content-type', 'text/html'],
        ['via', 'a'],
        ['via', 'b'],
        ['empty', ''],
        ['colon', 'a: b'],
      ],
      isCut: false,
    });
    expect(kept({})).toEqual({ headers: [], isCut: false });
    expect(keptHeaders(null, {})).toBeNull();
  });

  it.each(['set-cookie', 'authorization', 'proxy-authorization', 'x-api-key', 'x-csrf-token', 'x-client-secret'])(
    'have no value of %s',
    (name) => expect(kept({ [name]: ['hush', 'hush'] }).headers).toEqual(Array(2).fill([name, '[redacted]'])),
  );

  it.each(['www-authenticate', 'etag', 'x-request-id', 'retry-after', 'content-security-policy'])(
    'have the value of %s',
    (name) => expect(kept({ [name]: 'seen' }).headers).toEqual([[name, 'seen']]),
  );

  it('are at most 64, and 4 KiB', () => {
    const many = kept(Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`h${i}`, 'x'])));
    expect([many.headers.length, many.isCut]).toEqual([64, true]);
    const long = kept({ first: 'x', long: 'y'.repeat(10_000), last: 'z' });
    expect([long.headers.length, long.isCut]).toEqual([2, true]);
    expect(long.headers[1]?.[1].length).toBeLessThan(4_096);
  });

  it('can be stored whatever they contain', () => {
    expect(keptHeaders({ a: 'x\0y', b: 'a\r\nb: c' }, {})).toBe('a: x\uFFFDy\nb: a b: c');
  });
});
