import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accentColors, contrastOf, type Scheme } from './accent-color-policy';

const CSS = readFileSync('app/globals.css', 'utf8');

/** The surfaces of a scheme, as the style sheet has them. */
function surfacesOf(scheme: Scheme): string[] {
  const block = CSS.slice(CSS.indexOf(scheme === 'light' ? '\n:root {' : '\n.dark {'));
  return ['background', 'surface', 'sunken'].map((name) => new RegExp(`--${name}: (#\\w{6});`).exec(block)?.[1] ?? '');
}

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe.each<Scheme>(['light', 'dark'])('an accent in the %s scheme', (scheme) => {
  it('can be read on every surface, and what is written on it too, whatever color was chosen', () => {
    fc.assert(
      fc.property(color, (chosen) => {
        const colors = accentColors(chosen, scheme);
        const { '--accent': accent, '--accent-hover': hover, '--accent-text': text, '--on-accent': onAccent } = colors;
        for (const surface of [...surfacesOf(scheme), colors['--accent-subtle']]) {
          expect(contrastOf(text, surface), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5);
          expect(contrastOf(accent, surface), `${accent} on ${surface}`).toBeGreaterThanOrEqual(4.5);
        }
        expect(contrastOf(onAccent, accent)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(onAccent, hover)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

it('an accent that can be read stays as it is', () => {
  expect(accentColors('#3350d0', 'light')['--accent']).toBe('#3350d0');
  expect(accentColors('#96a9ff', 'dark')['--accent']).toBe('#96a9ff');
});

it('a contrast is that of WCAG', () => {
  expect(contrastOf('#000000', '#FFFFFF')).toBeCloseTo(21);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
