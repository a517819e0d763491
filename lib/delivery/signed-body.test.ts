import { describe, expect, it } from 'vitest';
import { findBodyMistake } from './signed-body-policy';

/** Searches to the end, and counts the steps and what is tried. */
function search(body: string, isSigned: (body: string) => boolean = () => false) {
  const received = Buffer.from(body);
  let bytes = 0;
  const steps = findBodyMistake(received, (tried) => {
    bytes += tried.length;
    return isSigned(tried.toString());
  });
  for (let count = 0; ; count += 1) {
    const { done, value } = steps.next();
    if (done === true) return { found: value, bytes, steps: count };
  }
}

const nested = (depth: number, elements: number) =>
  `${'['.repeat(depth)}${Array(elements).fill(1).join(',')}${']'.repeat(depth)}`;

describe('the search for what happened to a body', () => {
  it.each([100, 1_000, 4_000])('writes no more for JSON that is nested %d levels deep than for flat JSON', (depth) => {
    expect(search(nested(depth, 25_000)).bytes).toBeLessThan(1.5 * search(nested(1, 25_000)).bytes);
  });

  it.each([
    ['indented JSON', (value: unknown) => JSON.stringify(value, null, 4)],
    ['JSON with spaces', (value: unknown) => JSON.stringify(value).replaceAll(',', ', ')],
  ])('finds %s that was compacted, of usual depth and 20 KB', (_what, write) => {
    const value = Array.from({ length: 700 }, (_, nth) => [nth, [true, [null, '1', '/']]]);
    const { found } = search(JSON.stringify(value), (tried) => tried === write(value));
    expect(found?.reason).toBe('body_reserialized');
  });

  it.each([
    ['a text', JSON.stringify(['é'.repeat(30_000)])],
    ['many texts', JSON.stringify(Array(9_000).fill('é'))],
  ])('leaves the thread to others at least once for each thousand characters outside ASCII of %s', (_what, body) => {
    const characters = [...body].filter((char) => char === 'é').length;
    expect(search(body).steps).toBeGreaterThan(characters / 1_000);
  });
});
