import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gzipChunks } from './gzip-chunks';

/** Random text hardly compresses, so sizes stay predictable. */
const noise = (length: number) => Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36)).join('');

async function* from(texts: string[], onMade: (count: number) => void = () => undefined) {
  for (const [index, text] of texts.entries()) {
    onMade(index + 1);
    yield text;
  }
}

describe('chunks of text in gzip', () => {
  it.each([
    ['none', []],
    ['an empty one', ['']],
    ['small ones', ['{"data":', '[', '"é"', ']', '}']],
    ['large ones', [noise(300_000), noise(70_000)]],
  ])('of %s decode to that text', async (_name, texts) => {
    const pieces = [];
    for await (const piece of gzipChunks(from(texts))) pieces.push(piece);
    expect(gunzipSync(Buffer.concat(pieces)).toString()).toBe(texts.join(''));
  });

  it('are sent before the next one is produced', async () => {
    let isSecondAsked = false;
    async function* pausing() {
      yield noise(500);
      isSecondAsked = true;
      yield noise(500);
    }
    const coded = gzipChunks(pausing());
    const { value } = await coded.next();
    expect(isSecondAsked).toBe(false);
    expect((value as Uint8Array).length).toBeGreaterThan(200);
    await coded.return();
  });
});
