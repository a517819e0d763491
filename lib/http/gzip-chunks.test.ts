import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gzipChunks } from './gzip-chunks';

/** Text that hardly compresses, so that sizes stay what they seem. */
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
  ])('of %s are that text', async (_name, texts) => {
    const pieces = [];
    for await (const piece of gzipChunks(from(texts))) pieces.push(piece);
    expect(gunzipSync(Buffer.concat(pieces)).toString()).toBe(texts.join(''));
  });

  it('are made no faster than they are read', async () => {
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

  it('go out before the next one is made', async () => {
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

  it('that fail to be made end in that fault', async () => {
    async function* failing() {
      yield noise(500);
      throw new Error('a fault');
    }
    const coded = gzipChunks(failing());
    await coded.next();
    await expect(coded.next()).rejects.toThrow('a fault');
  });
});
