import { expect, it } from 'vitest';
import { MAX_SHOWN_BYTES, readStart } from './read-start';

it('reads a body to its end', async () => {
  expect(await readStart(new Response('{"name":"é"}'))).toEqual({ text: '{"name":"é"}', isTruncated: false });
  expect(await readStart(new Response(null))).toEqual({ text: '', isTruncated: false });
  const exact = 'a'.repeat(MAX_SHOWN_BYTES);
  expect(await readStart(new Response(exact))).toEqual({ text: exact, isTruncated: false });
});

it('stops at the limit and cancels the rest', async () => {
  let isCanceled = false;
  let sentBytes = 0;
  const endless = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        controller.enqueue(new Uint8Array(64 * 1024).fill(97));
        sentBytes += 64 * 1024;
      },
      cancel: () => {
        isCanceled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const { text, isTruncated } = await readStart(new Response(endless));
  expect([text.length, isTruncated, isCanceled]).toEqual([MAX_SHOWN_BYTES, true, true]);
  expect(sentBytes).toBeLessThanOrEqual(MAX_SHOWN_BYTES + 128 * 1024);
});
