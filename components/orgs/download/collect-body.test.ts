import { expect, it } from 'vitest';
import { collectBody } from './collect-body';

function streamOf(...pieces: (string | Error)[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else if (piece instanceof Error) controller.error(piece);
      else controller.enqueue(encoder.encode(piece));
    },
  });
}

it('keeps every byte in order and reports progress', async () => {
  const told: number[] = [];
  const { blob, bytes, tail } = await collectBody(streamOf('{"a":', '"é"', '}'), (now) => told.push(now));
  expect(await blob.text()).toBe('{"a":"é"}');
  expect(bytes).toBe(10);
  expect(tail).toBe('{"a":"é"}');
  expect(told).toEqual([5, 9, 10]);
});

it('keeps every chunk of a large body, and only its end as text', async () => {
  const piece = 'x'.repeat(1024 * 1024);
  const { blob, bytes, tail } = await collectBody(streamOf(...Array<string>(9).fill(piece), 'end'), () => {});
  expect(bytes).toBe(9 * 1024 * 1024 + 3);
  expect(await blob.slice(-4).text()).toBe('xend');
  expect(tail).toHaveLength(1024);
});

it('fails when the body is interrupted, instead of keeping a part', async () => {
  await expect(collectBody(streamOf('half', new Error('cut')), () => {})).rejects.toThrow('cut');
});
