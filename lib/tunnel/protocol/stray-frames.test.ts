import { expect, it } from 'vitest';
import { WINDOW_BYTES } from './protocol';
import { StrayFrames } from './session';

const countUntilFault = (stray: StrayFrames, payloadBytes: number) => {
  for (let frames = 0; frames < 10 * WINDOW_BYTES; frames++) if (stray.count(payloadBytes) !== null) return frames;
  return null;
};

it('the entire window of a reset stream may still arrive, even in single bytes, but not unlimited frames', () => {
  const frames = countUntilFault(new StrayFrames(), 1);
  expect(frames).not.toBeNull();
  expect(frames).toBeGreaterThanOrEqual(WINDOW_BYTES);
});

it('only few frames without a payload may still arrive', () => {
  expect(countUntilFault(new StrayFrames(), 0)).toBeLessThan(20_000);
});
