import { expect, it } from 'vitest';
import { bytesOf, hexDump } from './hex-dump';

it('returns the bytes of base64 text', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
  expect(bytesOf(Buffer.from(bytes).toString('base64'))).toEqual(bytes);
});

it('shows offset, hexadecimal and ASCII in lines of 16 bytes', () => {
  const bytes = new Uint8Array([...Buffer.from('Hello, tunnel!\n\u0000'), 0xff]);
  expect(hexDump(bytes, 100)).toBe(
    [
      '00000000  48 65 6c 6c 6f 2c 20 74 75 6e 6e 65 6c 21 0a 00  Hello, tunnel!..',
      '00000010  ff                                               .',
    ].join('\n'),
  );
});

it('shows at most as many bytes as asked for', () => {
  expect(hexDump(new Uint8Array(100), 20).split('\n')).toHaveLength(2);
  expect(hexDump(new Uint8Array(0), 20)).toBe('');
});
