import { expect, it } from 'vitest';
import { decodeBase64Start, hexDump } from './hex-dump';

it('shows sixteen bytes a row, with their offset and printable characters', () => {
  const bytes = new Uint8Array([...Buffer.from('Hello, webhooks!'), 0xff, 0x00, 0x7f, 0x41]);
  expect(hexDump(bytes).split('\n')).toEqual([
    '00000000  48 65 6c 6c 6f 2c 20 77  65 62 68 6f 6f 6b 73 21  Hello, webhooks!',
    '00000010  ff 00 7f 41                                       ...A',
  ]);
  expect(hexDump(new Uint8Array())).toBe('');
});

it.each([0, 1, 2, 3, 4, 5, 300])('decodes the first bytes of %d', (length) => {
  const bytes = Buffer.from(Array.from({ length }, (_, index) => index % 256));
  const base64 = bytes.toString('base64');
  expect([...decodeBase64Start(base64, 4)]).toEqual([...bytes.subarray(0, 4)]);
  expect([...decodeBase64Start(base64, 1_000)]).toEqual([...bytes]);
});
