import { expect, it } from 'vitest';
import { WINDOW_BYTES } from './protocol';
import { StrayFrames } from './stray-frames';

const countUntilFault = (stray: StrayFrames, payloadBytes: number) => {
  for (let frames = 0; frames < 10 * WINDOW_BYTES; frames++) if (stray.count(payloadBytes) !== null) return frames;
  return null;
};

it('a stream that was reset may have its entire window under way, in single bytes too; not any number of frames', () => {
  const frames = countUntilFault(new StrayFrames(), 1);
  expect(frames).not.toBeNull();
  expect(frames).toBeGreaterThanOrEqual(WINDOW_BYTES);
});

it('frames without a payload are few', () => {
  expect(countUntilFault(new StrayFrames(), 0)).toBeLessThan(20_000);
});
