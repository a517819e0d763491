import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunksBetween, partsOf } from './window-rows';

const heights = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 200 });
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

it('the rendered chunks cover everything in view', () => {
  fc.assert(
    fc.property(heights, fc.nat(200_000), fc.integer({ min: 1, max: 3_000 }), (heightsPx, fromPx, viewPx) => {
      const shown = chunksBetween(heightsPx, fromPx, fromPx + viewPx);
      expect(shown.size).toBeGreaterThan(0);
      let top = 0;
      for (const [index, height] of heightsPx.entries()) {
        const isInView = top < fromPx + viewPx && top + height > fromPx;
        if (isInView) expect(shown.has(index)).toBe(true);
        top += height;
      }
      // Only what is in view, or one chunk when the view is beyond the list.
      expect(shown.size).toBeLessThanOrEqual(Math.max(1, viewPx + 1));
    }),
  );
});

it('chunks and gaps cover the list once, in order, and no two gaps touch', () => {
  fc.assert(
    fc.property(heights, fc.uniqueArray(fc.nat(199)), (heightsPx, chosen) => {
      const shown = new Set(chosen.filter((index) => index < heightsPx.length));
      const parts = partsOf(heightsPx, (index) => shown.has(index));
      expect(parts.flatMap((part) => (part.kind === 'chunk' ? [part.index] : []))).toEqual(
        [...shown].sort((a, b) => a - b),
      );
      const hidden = sum(heightsPx.filter((_, index) => !shown.has(index)));
      expect(sum(parts.map((part) => (part.kind === 'gap' ? part.heightPx : 0)))).toBe(hidden);
      for (const [n, part] of parts.entries()) {
        if (part.kind === 'gap') expect(parts[n + 1]?.kind).not.toBe('gap');
      }
    }),
  );
});
