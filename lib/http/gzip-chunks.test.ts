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

  it('are produced only as fast as they are read', async () => {
    let made = 0;
    const coded = gzipChunks(
      from(
        Array.from({ length: 50 }, () => noise(1_000)),
        (count) => {
          made = count;
        },
      ),
    );
    for (let read = 1; read <= 10; read += 1) {
      expect(made).toBeLessThan(read);
      await coded.next();
      expect(made).toBeLessThanOrEqual(read);
    }
    await coded.return();
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

  it('end with the error of the source', async () => {
    async function* failing() {
      yield noise(500);
      throw new Error('a fault');
    }
    const coded = gzipChunks(failing());
    await coded.next();
    await expect(coded.next()).rejects.toThrow('a fault');
  });
});
