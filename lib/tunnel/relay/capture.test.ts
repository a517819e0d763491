import { expect, it } from 'vitest';
import { Capture } from './exchange-log';

const text = (capture: Capture) => capture.body()?.bytes.toString();

it('the start of a body is kept, and all of it is counted', () => {
  const capture = new Capture(10);
  for (const part of ['0123', '', '45', '6789ab', 'cd']) capture.add(Buffer.from(part));
  expect([text(capture), capture.size, capture.body()?.truncated]).toEqual(['0123456789', 14, true]);
});

it('a body of exactly that size is not truncated, unless its end was not seen', () => {
  const capture = new Capture(4);
  capture.add(Buffer.from('0123'));
  expect(capture.body()).toEqual({ bytes: Buffer.from('0123'), truncated: false });
  expect(capture.body(false)).toEqual({ bytes: Buffer.from('0123'), truncated: true });
});

it('nothing is kept when nothing may be, but that a part is missing', () => {
  const capture = new Capture(0);
  capture.add(Buffer.from('0123'));
  expect([capture.size, capture.body()]).toEqual([4, null]);
  expect(capture.body(false)).toEqual({ bytes: Buffer.alloc(0), truncated: true });
});

it('a body in single bytes takes little more memory than its bytes', () => {
  const capture = new Capture(65_536);
  for (let byte = 0; byte < 70_000; byte++) capture.add(Buffer.from([byte % 256]));
  expect(capture.body()?.bytes).toEqual(Buffer.from(Array.from({ length: 65_536 }, (_, byte) => byte % 256)));
  expect(capture.memoryBytes).toBeLessThanOrEqual(65_536);
});

it('a small body does not take the memory of a large one, nor that of the read that brought it', () => {
  const capture = new Capture(65_536);
  capture.add(Buffer.alloc(1024 * 1024).subarray(0, 10));
  expect(capture.memoryBytes).toBeLessThanOrEqual(1_024);
  expect(capture.body()?.bytes.buffer.byteLength).toBeLessThanOrEqual(1_024);
});
